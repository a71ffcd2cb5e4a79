// One thread's state while it matches a query: what is matched so far, and the candidates of the next step.
// Module: query.
//
// Candidates are a sorted bag: a vertex is there once for each choice among parallel edges.  Of several lists all
// but the one of the vertex matched last are intersected once, and held (and marked, if that pays) while they stay.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/intersection.h>

#include "query/plan/filter_sources.h"
#include "query/plan/filtered_adjacency.h"
#include "query/run/kind_tests.h"
#include "query/plan/plan.h"
#include "query/run/checked_count.h"
#include "query/run/path_search.h"
#include "query/run/wedge_join.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::query {

/// Vertices whose lists name a vertex twice.
struct RepeatingLists {
  bool possible = false;  ///< some list may
  bool known = false;     ///< which they are is in the sets; else each list is looked at when it is read
  VertexSet out;
  VertexSet in;
};

/// What all threads of a run share.
struct Run {
  const GraphView& graph;
  const Query& query;
  const Plan& plan;
  const MatchColumns& columns;
  std::shared_ptr<const RepeatingLists> repeating;
  std::vector<VertexMap<std::uint64_t>> tables;  ///< of memoized steps, by number; else empty
};

/// How often a step was taken, and how many candidates it found.
struct StepTally {
  std::uint64_t visits = 0;
  std::uint64_t candidates = 0;
};

template <class Target>
class Matcher {
 public:
  using List = std::span<const Target>;

  explicit Matcher(const Run& run)
      : run_(run),
        vertices_(run.query.vertices),
        edges_(run.query.edge_items),
        filters_(run.query.filters),
        kinds_(run.query, run.columns),
        states_(run.plan.steps),
        wedge_joins_(run.plan.steps),
        tallies_(run.plan.steps) {
    lists_.emplace_back(run.graph);
    for (const auto& set : run.query.filtered_edges) lists_.emplace_back(set->lists, true);
    for (const ShortestPath& path : run.query.shortest) {
      const bool both = path.either && run.graph.directed();
      searches_.emplace_back(both ? Side::both : Side::out, path.most, path.all);
    }
    turned_.resize(searches_.size());
    for (const Step& root : run.plan.roots) make_room(root);
  }

  [[nodiscard]] const std::vector<VertexId>& vertices() const noexcept { return vertices_; }
  [[nodiscard]] const std::vector<EdgeEntry>& edges() const noexcept { return edges_; }
  [[nodiscard]] StepTally& tally(const Step& step) noexcept { return tallies_[step.number]; }

  /// From now on searches stop when this engine does (none: never).
  void work_for(const Engine& engine) noexcept {
    engine_ = &engine;
    broke_off_ = false;
  }
  [[nodiscard]] bool stopping() const noexcept { return engine_ != nullptr && engine_->stopping(); }
  /// Whether a search stopped before it had an answer: the result of `ways` is then invalid.
  [[nodiscard]] bool broke_off() const noexcept { return broke_off_; }

  void match(unsigned vertex, VertexId v) noexcept { vertices_[vertex] = v; }
  void match_edge(unsigned item, EdgeEntry entry) noexcept { edges_[item] = entry; }

  /// Of a list of the first step below the root, only entries [begin, end) are looked at from now on.
  void restrict_to(const Step& step, EdgeCount begin, EdgeCount end) noexcept {
    piece_ = {&step, begin, end};
    states_[step.number].has_older = false;
  }
  void lift_restriction() noexcept {
    states_[piece_.step->number].has_older = false;
    piece_ = {};
  }

  /// Vertices in all lists of a step (it has some) and within its bounds.  Valid until the next call for this step.
  List candidates(const Step& step) {
    State& state = states_[step.number];
    if (step.lists.size() == 1) {
      const List list = within(list_of(step, 0), step.above, step.below).list;
      kinds_.add_read(state.types, list.size());
      return list;
    }
    const auto [older, newest] = both(step);
    return common(older, newest, state.found).list;
  }

  /// The number of vertices below v, for a step that is the length of one of its lists.
  [[nodiscard]] std::uint64_t length(const Step& step, VertexId v) const {
    return lists_[step.lists[0].set].degree(step.lists[0].side, v);
  }

  /// How many they are.
  std::uint64_t count_candidates(const Step& step) {
    if (step.lists.size() == 1) return candidates(step).size();
    State& state = states_[step.number];
    const auto [older, newest] = both(step);
    if (older.list.empty() || newest.list.empty()) return 0;
    if (older.repeats) return common(older, newest, state.found).list.size();
    const bool is_short = newest.list.size() / kLongerBy < older.list.size();
    if (is_short && mark(state)) return state.marks->count_common(newest.list);
    if (newest.repeats) return common(older, newest, state.found).list.size();
    return count_common(older.list, newest.list);
  }

  /// Of a step where paths meet: the candidates, and how many ways lead to each.  Valid until the next call for this
  /// step.
  const std::vector<WedgeEnd<Target>>& join_wedges(const Step& step) {
    return wedge_joins_[step.number].run(
        step.wedges, lists_, run_.graph.num_vertices(), [this](const ListUse& use) { return vertices_[use.other]; },
        [this] { return stopping(); });
  }

  /// Numbers that the bounds of a step leave.
  [[nodiscard]] VertexRange bounds(const Step& step) const {
    VertexRange range{0, run_.graph.num_vertices()};
    for (const unsigned other : step.above) range.begin = std::max(range.begin, vertices_[other] + 1);
    for (const unsigned other : step.below) range.end = std::min(range.end, vertices_[other]);
    return range;
  }

  /// The number of ways to match v, a candidate: 0 if a test fails.
  [[nodiscard]] CheckedCount ways(const Step& step, VertexId v) {
    for (const unsigned other : step.unequal) {
      if (vertices_[other] == v) return CheckedCount();
    }
    if (!step.tests_each()) return CheckedCount(1);
    return tested_ways(step, v);
  }

  /// Calls f(entry) for each parallel edge that an edge step may choose.
  template <class F>
  void for_each_edge(const Step& step, F&& f) {
    for_each_untested(step, [&](EdgeEntry entry, std::uint64_t) {
      edges_[step.item] = entry;
      if (filters_hold(step)) f(entry);
    });
  }

  /// Whether all that an edge step tests speaks of the edge alone.
  [[nodiscard]] bool tests_edge_alone(const Step& step) const {
    const Mask own = bit(run_.query.item_of_edge(step.item));
    return std::all_of(step.filters.begin(), step.filters.end(),
                       [&](std::size_t i) { return run_.query.filters[i].mask == own; });
  }

  /// The edges of for_each_edge for each of some candidates of a vertex, whose predicates speak of the edge alone and
  /// are tested together; `ends`: where those of each candidate end.
  void find_edges(const Step& step, unsigned vertex, List candidates, std::vector<EdgeEntry>& entries,
                  std::vector<std::size_t>& ends) {
    entries.clear();
    ends.clear();
    rows_.clear();
    const bool has_rows = run_.query.edges[step.edge].set != 0 && run_.columns.edge_rows() != nullptr;
    for (const Target v : candidates) {
      vertices_[vertex] = v;
      for_each_untested(step, [&](EdgeEntry entry, std::uint64_t row) {
        entries.push_back(entry);
        if (has_rows) rows_.push_back(row);
        kinds_.add(step.filters);
      });
      ends.push_back(entries.size());
    }
    keep_.assign(entries.size(), 1);
    EdgeSource source(entries, rows_, run_.columns);
    for (const std::size_t i : step.filters) filters_.test(i, source, keep_);
    std::size_t kept = 0;
    for (std::size_t i = 0, begin = 0; i < ends.size(); ++i) {
      for (std::size_t k = std::exchange(begin, ends[i]); k < begin; ++k) {
        if (keep_[k] != 0) entries[kept++] = entries[k];
      }
      ends[i] = kept;
    }
    entries.resize(kept);
  }

  /// As for_each_edge, whatever the predicates, with the edge's row, if it is one of a set that knows it.
  template <class F>
  void for_each_untested(const Step& step, F&& f) {
    const QueryEdge& edge = run_.query.edges[step.edge];
    const VertexId from = vertices_[edge.from];
    const VertexId to = vertices_[edge.to];
    // Both entries of an undirected edge are one edge: that of the smaller end.
    const bool turned = !run_.graph.directed() && to < from;
    for_each_entry(step, turned ? to : from, turned ? from : to, f);
    if (edge.either && from != to) for_each_entry(step, to, from, f);
  }

 private:
  static constexpr std::size_t kLongerBy = 32;

  /// A sorted list in which values may repeat.
  struct Bag {
    List list;
    bool repeats = false;
  };

  struct State {
    std::vector<std::vector<Target>> scratch;  ///< of lists that are not stored in this form
    std::vector<VertexId> key;                 ///< the vertices that `older` was made for
    std::vector<Target> older_memory;
    std::vector<Target> found;
    Bag older;
    bool has_older = false;
    std::optional<MarkedList> marks;
    bool is_marked = false;
    std::uint64_t uses = 0;          ///< of `older` as it is
    std::vector<std::size_t> types;  ///< filters that leave out edges of the list, once they are tested
  };

  struct RootPiece {
    const Step* step = nullptr;
    EdgeCount begin = 0;
    EdgeCount end = 0;
  };

  /// List i of a step; with the entries that a piece leaves, and without repetitions if they do not count.
  Bag list_of(const Step& step, std::size_t i) {
    const ListUse& use = step.lists[i];
    std::vector<Target>& scratch = states_[step.number].scratch[i];
    List list = lists_[use.set].of(use.side, vertices_[use.other], scratch);
    if (piece_.step == &step && i == 0) list = list.subspan(piece_.begin, piece_.end - piece_.begin);
    const bool repeats = may_repeat(use, list);
    if (!use.collapse_parallel || !repeats) return {list, repeats};
    if (list.data() != scratch.data()) scratch.assign(list.begin(), list.end());
    scratch.erase(std::unique(scratch.begin(), scratch.end()), scratch.end());
    return {scratch, false};
  }

  [[nodiscard]] bool may_repeat(const ListUse& use, List list) const {
    if (use.side == Side::both) return true;
    if (!run_.repeating->possible) return false;
    if (!run_.repeating->known) return std::adjacent_find(list.begin(), list.end()) != list.end();
    const bool in = use.side == Side::in;
    return (in ? run_.repeating->in : run_.repeating->out).contains(vertices_[use.other]);
  }

  void make_room(const Step& step) {
    states_[step.number].scratch.resize(step.lists.size());
    states_[step.number].key.resize(step.lists.empty() ? 0 : step.lists.size() - 1);
    if (step.lists.size() == 1 && step.lists[0].set == 0) states_[step.number].types = types_between(step);
    for (const std::size_t i : step.shortest) {
      const ShortestPath& path = run_.query.shortest[i];
      turned_[i] = step.item == path.from && path.is_one_search(run_.graph, path.from);
      if (turned_[i] && run_.graph.directed() && !path.either) searches_[i].turn(Side::in);
    }
    for (const Step& branch : step.branches) make_room(branch);
  }

  /// The filters on types of the edges between the vertex of a step and that of its list.
  [[nodiscard]] std::vector<std::size_t> types_between(const Step& step) const {
    const Mask ends = bit(step.item) | bit(step.lists[0].other);
    std::vector<std::size_t> found;
    for (const QueryEdge& edge : run_.query.edges) {
      if (!edge.item || (bit(edge.from) | bit(edge.to)) != ends) continue;
      for (std::size_t i = 0; i < run_.query.filters.size(); ++i) {
        const Filter& filter = run_.query.filters[i];
        if (filter.is_kind && filter.mask == bit(run_.query.item_of_edge(*edge.item))) found.push_back(i);
      }
    }
    return found;
  }

  /// The part of a list above and below the numbers of these vertices.
  Bag within(Bag bag, const std::vector<unsigned>& above, const std::vector<unsigned>& below) const {
    for (const unsigned other : below) {
      const auto end = std::lower_bound(bag.list.begin(), bag.list.end(), static_cast<Target>(vertices_[other]));
      bag.list = bag.list.first(static_cast<std::size_t>(end - bag.list.begin()));
    }
    for (const unsigned other : above) {
      const auto begin = std::upper_bound(bag.list.begin(), bag.list.end(), static_cast<Target>(vertices_[other]));
      bag.list = bag.list.subspan(static_cast<std::size_t>(begin - bag.list.begin()));
    }
    return bag;
  }

  /// The intersection of the older lists, and the newest one; the bounds hold for what both have in common.
  std::pair<Bag, Bag> both(const Step& step) {
    const Bag older = older_of(step);
    if (older.list.empty()) return {older, {}};
    const Bag newest = list_of(step, step.lists.size() - 1);
    // Bounds are searched in the shorter one: in a long list that costs more than the intersection.
    if (older.list.size() < newest.list.size() / kLongerBy) return {within(older, step.above, step.below), newest};
    return {older, within(newest, step.above, step.below)};
  }

  /// The intersection of all lists but the last one.
  Bag older_of(const Step& step) {
    State& state = states_[step.number];
    const std::size_t count = step.lists.size() - 1;
    bool same = state.has_older;
    for (std::size_t i = 0; i < count; ++i) {
      same = same && state.key[i] == vertices_[step.lists[i].other];
      state.key[i] = vertices_[step.lists[i].other];
    }
    if (same) {
      ++state.uses;
      return state.older;
    }
    state.has_older = true;
    state.is_marked = false;
    state.uses = 0;
    state.older = within(list_of(step, 0), step.older_above, step.older_below);
    for (std::size_t i = 1; i < count; ++i) {
      // The buffers alternate: the one that is read is not written.
      std::vector<Target>& to = i % 2 == 1 ? state.older_memory : state.found;
      state.older = common(state.older, within(list_of(step, i), step.older_above, step.older_below), to);
    }
    if (count > 1 && state.older.list.data() == state.found.data()) {
      state.older_memory.assign(state.older.list.begin(), state.older.list.end());
      state.older.list = state.older_memory;
    }
    return state.older;
  }

  /// Values in both, each as often as both lists have it between them.
  static Bag common(const Bag& a, const Bag& b, std::vector<Target>& to) {
    if (a.repeats || b.repeats) return {common_bag(a.list, b.list, to), true};
    to.resize(std::min(a.list.size(), b.list.size()) + 1);
    const std::size_t size = intersect(a.list, b.list, to.data());
    return {List(to).first(size), false};
  }

  static List common_bag(List a, List b, std::vector<Target>& to) {
    to.clear();
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (a[i] < b[j]) {
        ++i;
      } else if (b[j] < a[i]) {
        ++j;
      } else {
        const Target value = a[i];
        std::size_t of_a = 0;
        std::size_t of_b = 0;
        for (; i < a.size() && a[i] == value; ++i) ++of_a;
        for (; j < b.size() && b[j] == value; ++j) ++of_b;
        to.insert(to.end(), of_a * of_b, value);
      }
    }
    return to;
  }

  /// Marks the older lists' intersection once it is used often enough; true if it is marked.
  bool mark(State& state) {
    if (state.is_marked) return true;
    if (state.uses < 2 || run_.graph.num_vertices() > kMostMarked) return false;
    if (!state.marks) state.marks.emplace(run_.graph.num_vertices());
    state.marks->mark(state.older.list);
    state.is_marked = true;
    return true;
  }

  CheckedCount tested_ways(const Step& step, VertexId v) {
    if (step.anchored) {
      const std::vector<VertexId>& members = *run_.query.anchors[step.item];
      if (!std::binary_search(members.begin(), members.end(), v)) return CheckedCount();
    }
    if (step.member && !run_.query.filter_of(step.item)->contains(v)) return CheckedCount();
    std::uint64_t ways = 1;
    for (const std::size_t loop : step.loops) {
      if ((ways *= lists_[run_.query.edges[loop].set].loops(v)) == 0) return CheckedCount();
    }
    vertices_[step.item] = v;
    for (const Probe& probe : step.probes) {
      const QueryEdge& edge = run_.query.edges[probe.edge];
      const EdgeCount found = lists_[edge.set].edges(vertices_[edge.from], vertices_[edge.to], edge.either);
      if (found == 0) return CheckedCount();
      if (!probe.collapse_parallel) ways *= found;
    }
    for (const std::size_t i : step.absent) {
      if (is_there(run_.query.absent[i])) return CheckedCount();
    }
    if (!filters_hold(step)) return CheckedCount();
    return step.shortest.empty() ? CheckedCount(ways) : ways_by_paths(step, ways);
  }

  /// So many ways, each by any of the paths that the step asks for.
  CheckedCount ways_by_paths(const Step& step, std::uint64_t ways) {
    CheckedCount all(ways);
    for (const std::size_t i : step.shortest) {
      const ShortestPath& path = run_.query.shortest[i];
      const VertexId first = vertices_[turned_[i] ? path.to : path.from];
      const VertexId last = vertices_[turned_[i] ? path.from : path.to];
      const auto paths = searches_[i].count(lists_[0], first, last, [this] { return stopping(); });
      broke_off_ = broke_off_ || !paths;
      if (!paths || paths->value() == 0) return CheckedCount();
      all.multiply(*paths);
    }
    return all;
  }

  [[nodiscard]] bool is_there(const AbsentEdge& edge) const {
    const Lists<Target>& all = lists_[0];
    if (edge.from && edge.to) return all.edges(vertices_[*edge.from], vertices_[*edge.to], edge.either) != 0;
    if (edge.from) return all.has_any(edge.either ? Side::both : Side::out, vertices_[*edge.from]);
    return all.has_any(edge.either ? Side::both : Side::in, vertices_[*edge.to]);
  }

  [[nodiscard]] bool filters_hold(const Step& step) {
    if (step.filters.empty()) return true;
    MatchSource source(vertices_, edges_, run_.columns);
    kinds_.add(step.filters);
    return std::all_of(step.filters.begin(), step.filters.end(),
                       [&](std::size_t i) { return filters_.hold(i, source); });
  }

  template <class F>
  void for_each_entry(const Step& step, VertexId from, VertexId to, F&& f) {
    const Lists<Target>& lists = lists_[run_.query.edges[step.edge].set];
    const auto [first, last] = lists.places(from, to);
    for (EdgeCount place = first; place < last; ++place) {
      const auto [in_graph, row] = lists.in_graph(from, place);
      const EdgeEntry entry{from, in_graph};
      if (std::any_of(step.unequal.begin(), step.unequal.end(),
                      [&](unsigned other) { return edges_[other] == entry; })) {
        continue;
      }
      f(entry, row);
    }
  }

  static constexpr VertexId kMostMarked = VertexId{1} << 28;

  const Run& run_;
  std::vector<Lists<Target>> lists_;          ///< of the graph, and of each set of edges
  std::vector<PathSearch<Target>> searches_;  ///< of each of Query::shortest
  std::vector<bool> turned_;                  ///< which of them begin at the end of the path
  const Engine* engine_ = nullptr;
  bool broke_off_ = false;
  std::vector<VertexId> vertices_;
  std::vector<EdgeEntry> edges_;
  MatchFilters filters_;
  KindTests kinds_;
  std::vector<std::uint8_t> keep_;   ///< of edges that are tested together
  std::vector<std::uint64_t> rows_;  ///< of these, where they are known
  std::vector<State> states_;
  std::vector<WedgeJoin<Target>> wedge_joins_;  ///< by number of their step
  std::vector<StepTally> tallies_;
  RootPiece piece_;
};

}  // namespace rizoma::query
