#include "query/plan/plan.h"

#include "query/plan/filtered_adjacency.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

namespace rizoma::query {
namespace {

constexpr int kMostByCost = 12;                         // items of a part whose orders are all compared
constexpr double kListCost = 4;                         // of reaching a list, in entries read
constexpr double kTestCost = 8;                         // of a test of one candidate
constexpr double kSearchCost = 1000;                    // of a search for a path
constexpr VertexId kMaxWedgeBytes = VertexId{1} << 22;  // vertices of a graph for each of which a thread keeps counts
constexpr VertexId kSampledVertices = 1 << 13;
constexpr VertexId kSampledLists = 256;
constexpr double kKeptByFilter = 1.0 / 3;

template <class F>
void for_each_item(Mask mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// Items and the edges between them.
class Ties {
 public:
  Ties(const Query& query, bool counts) : query_(query), near_(query.items()) {
    chosen_ = chosen_items(query, counts);
    all_ = query.vertices == 0 ? 0 : (~Mask{0} >> (64 - query.vertices));
    for (const QueryEdge& edge : query.edges) {
      tie(bit(edge.from) | bit(edge.to));
      if (edge.item && is_chosen(*edge.item)) {
        tie(bit(edge.from) | bit(edge.to) | bit(query.item_of_edge(*edge.item)));
        all_ |= bit(query.item_of_edge(*edge.item));
      }
    }
    for (const AbsentEdge& edge : query.absent) tie(edge.mask());
    for (const ShortestPath& path : query.shortest) tie(path.mask());
    for (const Filter& filter : query.filters) tie(filter.mask);
    for (const auto& [a, b] : query.unequal) tie(bit(a) | bit(b));
    for (const auto& [a, b] : query.below) tie(bit(a) | bit(b));
    for (const auto& [a, b] : query.unequal_edges) tie(bit(query.item_of_edge(a)) | bit(query.item_of_edge(b)));
  }

  [[nodiscard]] Mask all() const noexcept { return all_; }
  [[nodiscard]] bool is_chosen(unsigned edge_item) const noexcept { return ((chosen_ >> edge_item) & 1) != 0; }

  /// The connected parts of a set of items.
  [[nodiscard]] std::vector<Mask> parts(Mask items) const {
    std::vector<Mask> found;
    while (items != 0) {
      Mask part = items & (~items + 1);
      for (Mask before = 0; before != part;) {
        before = part;
        for_each_item(before, [&](unsigned item) { part |= near_[item] & items; });
      }
      found.push_back(part);
      items &= ~part;
    }
    return found;
  }
  /// Items outside a part that it is tied to.
  [[nodiscard]] Mask context(Mask part) const {
    Mask near = 0;
    for_each_item(part, [&](unsigned item) { near |= near_[item]; });
    return near & all_ & ~part;
  }

 private:
  /// Edge items that make a difference: to a count only those with a predicate.
  static Mask chosen_items(const Query& query, bool counts) {
    if (query.edge_items == 0) return 0;
    Mask items = ~Mask{0} >> (64 - query.edge_items);
    if (!counts) return items;
    items = 0;
    for (const Filter& filter : query.filters) items |= filter.mask >> query.vertices;
    for (const auto& [a, b] : query.unequal_edges) items |= bit(a) | bit(b);
    return items;
  }

  void tie(Mask items) {
    for_each_item(items, [&](unsigned item) { near_[item] |= items & ~bit(item); });
  }

  const Query& query_;
  std::vector<Mask> near_;
  Mask chosen_ = 0;
  Mask all_ = 0;
};

bool is_in(Mask mask, unsigned item) { return (mask & bit(item)) != 0; }

/// What a query says of an item beside those that are matched.
class StepMaker {
 public:
  StepMaker(const GraphView& graph, const Query& query, const Ties& ties) : graph_(graph), query_(query), ties_(ties) {}

  [[nodiscard]] Step step_of(unsigned item, Mask matched) const {
    return item >= query_.vertices ? edge_step(item, matched) : vertex_step(item, matched);
  }

  Step vertex_step(unsigned item, Mask matched) const {
    Step step;
    step.item = item;
    step.anchored = query_.anchors[item].has_value();
    step.member = query_.filter_of(item) != nullptr;
    for (std::size_t e = 0; e < query_.edges.size(); ++e) add_edge(step, e, matched);
    const auto other_of = [&](const std::pair<unsigned, unsigned>& pair) -> std::optional<unsigned> {
      const unsigned other = pair.first == item ? pair.second : pair.first;
      const bool mine = pair.first == item || pair.second == item;
      return mine && is_in(matched, other) ? std::optional(other) : std::nullopt;
    };
    for (const auto& pair : query_.unequal) {
      if (const auto other = other_of(pair)) step.unequal.push_back(*other);
    }
    for (const auto& pair : query_.below) {
      if (const auto other = other_of(pair)) (pair.first == item ? step.below : step.above).push_back(*other);
    }
    for (std::size_t i = 0; i < query_.absent.size(); ++i) {
      const Mask ends = query_.absent[i].mask();
      if (is_in(ends, item) && (ends & ~bit(item) & ~matched) == 0) step.absent.push_back(i);
    }
    for (std::size_t i = 0; i < query_.shortest.size(); ++i) {
      const Mask ends = query_.shortest[i].mask();
      if (is_in(ends, item) && (ends & ~bit(item) & ~matched) == 0) step.shortest.push_back(i);
    }
    add_tests(step, item, matched);
    return step;
  }

  /// True if both ends of an edge are matched.
  [[nodiscard]] bool is_ready(unsigned item, Mask matched) const {
    const QueryEdge& edge = query_.edges[edge_of(item)];
    const Mask ends = bit(edge.from) | bit(edge.to);
    return (ends & matched) == ends;
  }

  [[nodiscard]] bool has_anchors() const {
    return std::any_of(query_.anchors.begin(), query_.anchors.end(),
                       [](const auto& members) { return members.has_value(); });
  }

 private:
  Step edge_step(unsigned item, Mask matched) const {
    Step step;
    step.is_edge = true;
    step.item = item - query_.vertices;
    step.edge = edge_of(item);
    for (const auto& [a, b] : query_.unequal_edges) {
      if (a == step.item && is_in(matched, query_.item_of_edge(b))) step.unequal.push_back(b);
      if (b == step.item && is_in(matched, query_.item_of_edge(a))) step.unequal.push_back(a);
    }
    add_tests(step, item, matched);
    return step;
  }

  [[nodiscard]] std::size_t edge_of(unsigned item) const {
    std::size_t e = 0;
    while (!query_.edges[e].item || query_.item_of_edge(*query_.edges[e].item) != item) ++e;
    return e;
  }

  void add_edge(Step& step, std::size_t e, Mask matched) const {
    const QueryEdge& edge = query_.edges[e];
    const bool chosen = edge.item && ties_.is_chosen(*edge.item);
    if (edge.from == step.item && edge.to == step.item) {
      if (!chosen) step.loops.push_back(e);
      return;
    }
    if (edge.from != step.item && edge.to != step.item) return;
    const bool backward = edge.from == step.item;
    const unsigned other = backward ? edge.to : edge.from;
    if (!is_in(matched, other)) return;
    const Side side = !graph_.directed() ? Side::out : edge.either ? Side::both : backward ? Side::in : Side::out;
    if (side != Side::out && !graph_.has_in_edges()) step.probes.push_back({e, chosen});
    else step.lists.push_back({other, side, chosen, edge.set});
  }

  /// Predicates that can be decided once the item is matched.
  void add_tests(Step& step, unsigned item, Mask matched) const {
    for (std::size_t i = 0; i < query_.filters.size(); ++i) {
      const Mask mask = query_.filters[i].mask;
      if (is_in(mask, item) && (mask & ~bit(item) & ~matched) == 0) step.filters.push_back(i);
    }
  }

  const GraphView& graph_;
  const Query& query_;
  const Ties& ties_;
};

/// How much steps read and find, by the figures of the graph.
class StepEstimates {
 public:
  StepEstimates(const GraphView& graph, const GraphFigures& figures, const Query& query)
      : graph_(graph), figures_(figures), query_(query) {}

  [[nodiscard]] double reading_cost(const Step& step, Mask context) const {
    if (step.lists.empty()) return kListCost;
    if (step.lists.size() == 1)
      return kListCost + (step.lists[0].side == Side::both ? length(step.lists[0], context) : 0);
    double sum = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const ListUse& use : step.lists) {
      sum += kListCost + length(use, context);
      least = std::min(least, length(use, context));
    }
    return std::min(sum, 16 * least + kListCost);
  }

  /// Expected length of a list; that of a vertex which an edge led to is longer.
  [[nodiscard]] double length(const ListUse& use, Mask context) const {
    const bool is_end = std::popcount(context) > 1;
    const double out = is_end ? figures_.ends_out : figures_.mean_out;
    const double in = is_end ? figures_.ends_in : figures_.mean_in;
    if (use.set == 0) return use.side == Side::out ? out : use.side == Side::in ? in : out + in;
    const FilteredEdges& edges = *query_.filtered_edges[use.set - 1];
    const double share_out = kept_share(use.set) * out;
    const double share_in = kept_share(use.set) * in;
    // Edges of a type are those of few vertices, of which the context is one.
    const double kept_out = std::max(share_out, edges.mean_out);
    const double kept_in = std::max(share_in, edges.mean_in);
    return use.side == Side::out ? kept_out : use.side == Side::in ? kept_in : kept_out + kept_in;
  }

  [[nodiscard]] double candidates(const Step& step, Mask context) const {
    if (step.is_edge) return share_of_filters(step);
    double found = figures_.vertices;
    const std::optional<VertexId> kept = query_.kept_of(step.item);
    if (step.anchored && !kept) found = static_cast<double>(query_.anchors[step.item]->size());
    if (!step.lists.empty()) {
      const auto shortest =
          std::min_element(step.lists.begin(), step.lists.end(),
                           [&](const ListUse& a, const ListUse& b) { return length(a, context) < length(b, context); });
      const double least = length(*shortest, context);
      found = std::min(found, least * std::pow(figures_.closing, static_cast<double>(step.lists.size() - 1)));
      if (kept) found *= kept_share_of_ends(step.item, *shortest, *kept);
    } else if (kept) {
      found = std::min(found, static_cast<double>(*kept));
    }
    // Smaller numbers have longer lists: of a list's entries below its vertex there are few.
    for (std::size_t i = 0; i < step.below.size(); ++i)
      found = figures_.by_degree ? std::min(found / 2, figures_.mean_out) : found / 2;
    for (std::size_t i = 0; i < step.above.size(); ++i) found /= 2;
    for (std::size_t i = 0; i < step.probes.size(); ++i) found *= figures_.closing;
    for (std::size_t i = 0; i < step.loops.size(); ++i) found /= 100;
    return found * share_of_filters(step);
  }

 private:
  /// Of the entries of a list, those that predicates on their vertex keep.
  [[nodiscard]] double kept_share_of_ends(unsigned item, const ListUse& use, VertexId kept) const {
    if (use.set == 0) return static_cast<double>(kept) / std::max(figures_.vertices, 1.0);
    const FilteredEdges& edges = *query_.filtered_edges[use.set - 1];
    std::size_t sources = 0;
    std::size_t targets = 0;
    for (const auto& [source, target] : edges.some) {
      sources += may_be(item, source) ? 1 : 0;
      targets += may_be(item, target) ? 1 : 0;
    }
    const std::size_t found = use.side == Side::out ? targets : use.side == Side::in ? sources : sources + targets;
    const auto all =
        static_cast<double>(std::max<std::size_t>(edges.some.size() * (use.side == Side::both ? 2 : 1), 1));
    if (found != 0) return static_cast<double>(found) / all;
    const double mean = use.side == Side::out ? edges.mean_in : edges.mean_out;  // as many ends as lists
    const double ends = mean == 0 ? figures_.vertices : static_cast<double>(edges.lists.num_entries()) / mean;
    return std::min(static_cast<double>(kept) / std::max(ends, 1.0), 1 / (2 * all));
  }

  [[nodiscard]] bool may_be(unsigned item, VertexId v) const {
    if (const VertexSet* const set = query_.filter_of(item)) return set->contains(v);
    const auto& members = query_.anchors[item];
    return !members || std::binary_search(members->begin(), members->end(), v);
  }

  /// Of all edges, those in a set.
  [[nodiscard]] double kept_share(std::size_t set) const {
    if (set == 0 || graph_.num_entries() == 0) return 1;
    return static_cast<double>(query_.filtered_edges[set - 1]->lists.num_entries()) /
           static_cast<double>(graph_.num_entries());
  }

  const GraphView& graph_;
  const GraphFigures& figures_;
  const Query& query_;
};

/// Finds the cheapest plan.
class Planner {
 public:
  Planner(const GraphView& graph, const GraphFigures& figures, const Query& query, const PlanAims& aims)
      : graph_(graph),
        query_(query),
        aims_(aims),
        ties_(query, aims.counts),
        steps_(graph, query, ties_),
        estimates_(graph, figures, query) {}
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  Plan run() {
    Plan plan;
    const Mask first = aims_.root ? bit(*aims_.root) : 0;
    for (const Mask part : ties_.parts(ties_.all())) {
      plan.roots.push_back((part & first) != 0 ? step_at(part, *aims_.root) : best_step(part));
      plan.cost += cost_at(part, item_of(plan.roots.back()));
    }
    const auto rooted = std::find_if(plan.roots.begin(), plan.roots.end(), [&](const Step& step) {
      return aims_.root && !step.is_edge && step.item == *aims_.root;
    });
    if (rooted != plan.roots.end()) std::iter_swap(plan.roots.begin(), rooted);
    std::vector<std::size_t> place(query_.vertices);
    for (Step& root : plan.roots) number(root, plan.steps, place);
    return plan;
  }

 private:
  struct Choice {
    double cost = std::numeric_limits<double>::infinity();
    std::optional<unsigned> item;
    bool meets = false;  ///< paths meet there
  };

  /// Where paths from a matched vertex meet.
  struct WedgeGroup {
    Mask items = 0;  ///< the vertices between
    std::vector<Wedges> kinds;
  };

  [[nodiscard]] unsigned item_of(const Step& step) const {
    return step.is_edge ? query_.item_of_edge(step.item) : step.item;
  }

  /// Numbers the steps, and orders the lists of each by when their vertices are matched.
  static void number(Step& step, std::size_t& next, std::vector<std::size_t>& place) {
    step.number = next++;
    if (!step.is_edge) place[step.item] = step.number;
    std::stable_sort(step.lists.begin(), step.lists.end(),
                     [&](const ListUse& a, const ListUse& b) { return place[a.other] < place[b.other]; });
    const auto is_older = [&](unsigned other) {
      return !step.lists.empty() && std::any_of(step.lists.begin(), step.lists.end() - 1,
                                                [&](const ListUse& use) { return use.other == other; });
    };
    std::copy_if(step.above.begin(), step.above.end(), std::back_inserter(step.older_above), is_older);
    std::copy_if(step.below.begin(), step.below.end(), std::back_inserter(step.older_below), is_older);
    for (Step& branch : step.branches) number(branch, next, place);
  }

  /// The step that a part begins with, and all below.
  Step best_step(Mask part) {
    const Choice choice = best(part);
    return step_at(part, *choice.item, choice.meets);
  }

  Step step_at(Mask part, unsigned item, bool meets = false) {
    const Mask matched = ties_.all() & ~part;
    Step step = steps_.step_of(item, matched);
    step.estimate = estimates_.candidates(step, ties_.context(part));
    Mask below = part & ~bit(item);
    if (meets) {
      WedgeGroup group = wedges_at(part, item);
      step.estimate = std::min(step.estimate, paths_to(group, ties_.context(part)));
      step.wedges = std::move(group.kinds);
      below &= ~group.items;
    }
    for (const Mask rest : ties_.parts(below)) {
      Step branch = best_step(rest);
      branch.memoized = is_memoized(branch, rest, item, ties_.context(part) != 0);
      step.branches.push_back(std::move(branch));
    }
    // Cheap steps that may be empty come first: the edge before the parts below its ends.
    const auto rank = [](const Step& branch) {
      return std::pair(!branch.is_edge, branch.branches.size() + (branch.tests_each() ? 1 : 0));
    };
    std::stable_sort(step.branches.begin(), step.branches.end(),
                     [&](const Step& a, const Step& b) { return rank(a) < rank(b); });
    if (aims_.counts) fold_equal(step.branches);
    step.adds_up = !step.is_edge && !step.branches.empty() && !step.tests_each() && step.unequal.empty() &&
                   std::all_of(step.branches.begin(), step.branches.end(),
                               [](const Step& branch) { return branch.memoized || branch.is_length(); });
    return step;
  }

  /// A branch of several steps under a vertex that is met again and again is worth a table.
  [[nodiscard]] bool is_memoized(const Step& branch, Mask part, unsigned item, bool is_inner) const {
    if (!aims_.counts || !is_inner || item >= query_.vertices || ties_.context(part) != bit(item)) return false;
    return !steps_.has_anchors() &&
           (!branch.branches.empty() || branch.tests_each() || branch.lists.size() > 1 || !branch.wedges.empty());
  }

  /// The vertices of a part that are between one matched vertex and this one, adjacent to no matched one; none unless
  /// they are several.
  [[nodiscard]] WedgeGroup wedges_at(Mask part, unsigned item) const {
    const bool may = aims_.counts && graph_.num_vertices() <= kMaxWedgeBytes && !steps_.has_anchors();
    if (!may || aims_.wedge_room < bytes_of_kind() || item >= query_.vertices) return {};
    const Mask matched = ties_.all() & ~part;
    const Step step = steps_.vertex_step(item, matched);
    if (!step.lists.empty() || !step.probes.empty() || !step.above.empty() || !step.below.empty()) return {};
    WedgeGroup group;
    for_each_item(part & ~bit(item), [&](unsigned middle) {
      std::optional<Wedges> found = wedge_middle_at(middle, item, matched);
      if (!found || (!group.kinds.empty() && group.kinds[0].first.other != found->first.other)) return;
      group.items |= bit(middle);
      const auto same = std::find_if(group.kinds.begin(), group.kinds.end(), [&](const Wedges& kind) {
        return kind.first == found->first && kind.second.side == found->second.side &&
               kind.second.set == found->second.set;
      });
      if (same == group.kinds.end()) group.kinds.push_back(std::move(*found));
      else same->items.push_back(middle);
    });
    const bool fits = group.kinds.size() * bytes_of_kind() <= aims_.wedge_room;
    return std::popcount(group.items) < 2 || !fits ? WedgeGroup() : group;
  }

  /// What counts of paths of one kind take.
  [[nodiscard]] std::uint64_t bytes_of_kind() const { return graph_.num_vertices() * sizeof(std::uint64_t); }

  /// A vertex that is tied to a matched one and to this one by an edge each, and of which nothing else is said.
  [[nodiscard]] std::optional<Wedges> wedge_middle_at(unsigned middle, unsigned item, Mask matched) const {
    if (middle >= query_.vertices) return std::nullopt;
    const Mask near = ties_.context(bit(middle));
    if (std::popcount(near) != 2 || !is_in(near, item) || (near & matched) == 0) return std::nullopt;
    const Step step = steps_.vertex_step(middle, near);
    if (step.tests_each() || !step.unequal.empty() || !step.above.empty() || !step.below.empty()) return std::nullopt;
    const Step next = steps_.vertex_step(item, bit(middle));
    if (step.lists.size() != 2 || next.lists.size() != 1) return std::nullopt;
    if (step.lists[0].other == step.lists[1].other) return std::nullopt;
    return Wedges{step.lists[0].other == item ? step.lists[1] : step.lists[0], next.lists[0], {middle}};
  }

  /// Expected paths that meet, of one kind.
  [[nodiscard]] double paths_to(const WedgeGroup& group, Mask context) const {
    double paths = 0;
    for (const Wedges& kind : group.kinds) {
      paths = std::max(paths, estimates_.length(kind.first, context) * estimates_.length(kind.second, ~Mask{0}));
    }
    return paths;
  }

  /// As cost_at, where paths meet.
  double cost_of_wedges(Mask part, unsigned item, const WedgeGroup& group) {
    const Step step = steps_.vertex_step(item, ties_.all() & ~part);
    const Mask context = ties_.context(part);
    const double paths = paths_to(group, context);
    double each = step.tests_each() ? kTestCost : 1;
    for (const Mask branch : ties_.parts(part & ~bit(item) & ~group.items)) each += best(branch).cost;
    const auto kinds = static_cast<double>(group.kinds.size());
    return kListCost + kinds * paths + std::min(paths, estimates_.candidates(step, context)) * each;
  }

  /// Equal leaves are counted once.
  static void fold_equal(std::vector<Step>& branches) {
    const auto same = [](const Step& a, const Step& b) {
      return !a.is_edge && !b.is_edge && a.branches.empty() && b.branches.empty() && a.wedges.empty() &&
             b.wedges.empty() && !a.tests_each() && !b.tests_each() && a.lists == b.lists && a.above == b.above &&
             a.below == b.below && a.unequal == b.unequal;
    };
    for (std::size_t i = 0; i < branches.size(); ++i) {
      for (std::size_t j = branches.size() - 1; j > i; --j) {
        if (!same(branches[i], branches[j])) continue;
        branches[i].power += branches[j].power;
        branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(j));
      }
    }
  }

  Choice best(Mask part) {
    const auto known = best_.find(part);
    if (known != best_.end()) return known->second;
    Choice choice;
    const bool by_cost = std::popcount(part) <= kMostByCost;
    for_each_item(part, [&](unsigned item) {
      if (item >= query_.vertices && !steps_.is_ready(item, ties_.all() & ~part)) return;
      const double cost = by_cost ? cost_at(part, item) : cost_of_step(part, item);
      if (!choice.item || cost < choice.cost) choice = {cost, item, false};  // a cost beyond all numbers is one, too
      const WedgeGroup group = wedges_at(part, item);
      if (group.items == 0) return;
      const double at_once = by_cost ? cost_of_wedges(part, item, group) : paths_to(group, ties_.context(part));
      if (at_once < choice.cost) choice = {at_once, item, true};
    });
    best_.emplace(part, choice);
    return choice;
  }

  /// Cost of a part that begins with this item, each time that its context is matched.
  double cost_at(Mask part, unsigned item) {
    const Mask matched = ties_.all() & ~part;
    const Step step = steps_.step_of(item, matched);
    const Mask context = ties_.context(part);
    const double found = estimates_.candidates(step, context);
    const auto at_once = std::count_if(step.shortest.begin(), step.shortest.end(), [&](std::size_t i) {
      return query_.shortest[i].is_one_search(graph_, step.item);
    });
    const auto one_by_one = static_cast<std::ptrdiff_t>(step.shortest.size()) - at_once;
    const double reading = estimates_.reading_cost(step, context) + kSearchCost * static_cast<double>(at_once);
    const std::vector<Mask> rest = ties_.parts(part & ~bit(item));
    if (rest.empty() && aims_.counts && !step.tests_each()) return reading;
    double each = (step.tests_each() ? kTestCost : 1) + kSearchCost * static_cast<double>(one_by_one);
    for (const Mask branch : rest) each += best(branch).cost;
    return reading + found * each;
  }

  /// The same without the parts below.
  double cost_of_step(Mask part, unsigned item) {
    const Mask matched = ties_.all() & ~part;
    const Step step = steps_.step_of(item, matched);
    return estimates_.reading_cost(step, ties_.context(part)) + estimates_.candidates(step, ties_.context(part));
  }

  const GraphView& graph_;
  const Query& query_;
  const PlanAims& aims_;
  const Ties ties_;
  const StepMaker steps_;
  const StepEstimates estimates_;
  std::unordered_map<Mask, Choice> best_;
};

/// Sums over sampled vertices.
struct Sample {
  double vertices = 0;
  double out = 0;
  double in = 0;
  double out_by_end = 0;  ///< of degree times out-degree
  double in_by_end = 0;
};

template <class Target>
double closing_share(const Lists<Target>& lists, VertexId n) {
  double shorter = 0;
  double shared = 0;
  std::vector<Target> scratch;
  std::vector<Target> common;
  for (VertexId i = 0; i < kSampledLists && i < n; ++i) {
    const VertexId u = i * n / kSampledLists % n;
    const auto list = lists.of(Side::out, u, scratch);
    if (list.empty()) continue;
    const auto other = lists.of(Side::out, list[i % list.size()], scratch);
    common.clear();
    std::set_intersection(list.begin(), list.end(), other.begin(), other.end(), std::back_inserter(common));
    shorter += static_cast<double>(std::min(list.size(), other.size()));
    shared += static_cast<double>(common.size());
  }
  return std::clamp(shorter == 0 ? 0.1 : shared / shorter, 0.001, 1.0);
}

}  // namespace

GraphFigures figures_of(const GraphView& graph) {
  GraphFigures figures;
  const VertexId n = graph.num_vertices();
  figures.vertices = static_cast<double>(n);
  figures.by_degree = graph.ordered_by_degree();
  if (n == 0) return figures;
  graph.with_out([&]<class Target>(const Adjacency<Target>&) {
    const Lists<Target> lists(graph);
    const bool has_in = graph.directed() && graph.has_in_edges();
    Sample sample;
    const VertexId step = std::max<VertexId>(1, n / kSampledVertices);
    for (VertexId v = 0; v < n; v += step) {
      const auto out = static_cast<double>(lists.degree(Side::out, v));
      const auto in = has_in ? static_cast<double>(lists.degree(Side::in, v)) : out;
      sample.vertices += 1;
      sample.out += out;
      sample.in += in;
      sample.out_by_end += in * out;
      sample.in_by_end += out * in;
    }
    figures.mean_out = static_cast<double>(graph.num_entries()) / figures.vertices;
    figures.mean_in = figures.mean_out;
    figures.ends_out = std::max(figures.mean_out, sample.in == 0 ? 0 : sample.out_by_end / sample.in);
    figures.ends_in = std::max(figures.mean_in, sample.out == 0 ? 0 : sample.in_by_end / sample.out);
    figures.closing = closing_share(lists, n);
  });
  return figures;
}

double share_of_filters(const Step& step) { return std::pow(kKeptByFilter, static_cast<double>(step.filters.size())); }

Plan make_plan(const GraphView& graph, const GraphFigures& figures, const Query& query, const PlanAims& aims) {
  return Planner(graph, figures, query, aims).run();
}

}  // namespace rizoma::query
