#include <rizoma/algorithms/connected_components.h>

#include "algorithms/add_up.h"
#include "algorithms/linked_sets.h"
#include "algorithms/told_links.h"
#include "base/random.h"

#include <rizoma/degrees.h>
#include <rizoma/gather.h>
#include <rizoma/list_reader.h>
#include <rizoma/ranks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr EdgeCount kShort = 16;        // entries: lists are short if they have fewer in the mean
constexpr double kEnough = 0.9;         // of the vertices in the largest tree: no further links
constexpr VertexId kSample = 16;        // one vertex of so many is linked first, where trees are few
constexpr double kFew = 0.1;            // of the vertices in the largest tree: trees are few
constexpr double kHopeless = 0.125;     // in the largest tree after a round: another makes none that is worth skipping
constexpr double kWorthSkipping = 0.5;  // a tree of so many: each edge elsewhere is looked at from both ends

/// Counts the members of roots, run by run, so that the largest is not a point of contention.
template <class Label>
class alignas(64) RunCounter {
 public:
  explicit RunCounter(VertexMap<Label>& sizes) : sizes_(sizes) {}
  RunCounter(const RunCounter& other) : sizes_(other.sizes_) {}
  RunCounter& operator=(const RunCounter&) = delete;
  ~RunCounter() { flush(); }
  void add(Label root) {
    if (root != root_) flush();
    root_ = root;
    ++run_;
  }

 private:
  void flush() {
    if (run_ > 0) sizes_.atomic(root_).fetch_add(run_, std::memory_order_relaxed);
    run_ = 0;
  }
  VertexMap<Label>& sizes_;
  Label root_ = 0;
  Label run_ = 0;
};

/// Hangs each vertex below the root of its first neighbour's tree, if that is smaller: no two threads write to one, and
/// trees stay flat, because smaller vertices mostly come first.
template <class Label>
Status plant(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets) {
  const bool both = graph.directed() && graph.has_in_edges();
  for (const Direction direction : {Direction::out, Direction::in}) {
    if (direction == Direction::in && !both) break;
    RIZOMA_TRY(gather(engine, graph, {direction}, [&](VertexId v, const auto& entries, unsigned) {
      if (entries.empty() || entries.source(0) >= v || sets.parent(v) != v) return;
      sets.set_parent(v, sets.root(entries.source(0)));
    }));
  }
  return {};
}

/// Links more neighbours of each vertex until most are in one tree; returns that tree's root.  Trees that are few are
/// united by a sixteenth of that.  Of short lists the middle comes first: it lies nearer.  The last ones of long lists
/// lie together, whosever they are, and thus in the cache.
template <class Label>
Result<FrequentRoot> grow(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets) {
  const auto link_to = [&](auto place) {
    return gather(engine, graph, {}, [&sets, place](VertexId v, const auto& entries, unsigned) {
      if (!entries.empty()) sets.link(v, entries.source(place(entries.size())));
    });
  };
  FrequentRoot most = sets.frequent_root();
  if (most.share >= kFew && most.share < kEnough) {
    RIZOMA_TRY(gather(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
      if (v % kSample == 0 && !entries.empty()) sets.link(v, entries.source(entries.size() - 1));
    }));
    most = sets.frequent_root();
  }
  if (most.share >= kEnough) return most;
  const auto link_middle = [&] { return link_to([](std::size_t size) { return size / 2; }); };
  const auto link_last = [&] { return link_to([](std::size_t size) { return size - 1; }); };
  const bool are_short = graph.num_entries() < kShort * graph.num_vertices();
  RIZOMA_TRY(are_short ? link_middle() : link_last());
  RIZOMA_TRY(sets.compress(engine, graph));  // what comes after then mostly sees one root from both ends
  most = sets.frequent_root();
  if (most.share < kHopeless || most.share >= kEnough) return most;
  RIZOMA_TRY(are_short ? link_last() : link_middle());
  return sets.frequent_root();
}

/// Links what is left.  An edge that leaves a large tree is linked from its other end, which needs to see it.
template <class Label>
Status link_rest(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets, const FrequentRoot& most) {
  if (!graph.has_in_edges() || most.share < kWorthSkipping) {
    const bool both_ends = !graph.directed();
    RIZOMA_TRY(sets.compress(engine, graph));
    return gather(engine, graph, {Direction::out, true}, [&](VertexId v, const auto& entries, unsigned) {
      auto some = entries.sources();
      if (both_ends) some = some.first(static_cast<std::size_t>(std::ranges::lower_bound(some, v) - some.begin()));
      sets.link_all(v, some);
    });
  }
  for (const Direction direction : {Direction::out, Direction::in}) {
    if (direction == Direction::in && !graph.directed()) break;
    const auto is_outside = [&](VertexRange range) {
      for (VertexId v = range.begin; v < range.end; ++v) {
        if (sets.lift(v) != most.root) return true;
      }
      return false;
    };
    const Needs needs(is_outside);
    RIZOMA_TRY(gather(engine, graph, {direction, true, &needs}, [&](VertexId v, const auto& entries, unsigned) {
      if (sets.lift(v) == most.root) return;
      sets.link_all(v, entries.sources());
    }));
  }
  return {};
}

/// Links what is left on any rank.  Once all have the same sets, no rank need look at the lists of the largest tree: an
/// edge between two vertices that their ranks find there is linked, and any other one is seen from its other end.
template <class Label>
Status link_rest_of_all(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets, FrequentRoot most) {
  ToldLinks<Label> links(engine, sets);
  if (engine.ranks() != nullptr && graph.has_in_edges()) {
    RIZOMA_TRY(links.tell());
    RIZOMA_ASSIGN(most, over_ranks(engine, sets.frequent_root(), [](const FrequentRoot& first, const auto&) {
                    return first;  // the same tree for all
                  }));
  }
  RIZOMA_TRY(link_rest(engine, graph, sets, most));
  return links.tell_last();
}

template <class Label>
Result<ConnectedComponentsResult> label(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets) {
  const VertexId n = graph.num_vertices();
  ConnectedComponentsResult result{.labels = engine.make_unset_map<std::uint64_t>(n)};
  VertexMap<Label> sizes = engine.make_map<Label>(n, 0);
  std::vector<RunCounter<Label>> counters(engine.threads(), RunCounter<Label>(sizes));
  std::atomic<VertexId> count = 0;
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned thread) {
    VertexId roots = 0;
    for (VertexId v = block.begin; v < block.end; ++v) {
      const Label root = sets.root(v);
      result.labels[v] = root;
      if (!graph.is_live(v)) continue;
      roots += root == v ? 1 : 0;
      counters[thread].add(root);
    }
    if (roots > 0) count.fetch_add(roots, std::memory_order_relaxed);
  }));
  counters.clear();
  RIZOMA_TRY(add_up(engine, sizes));
  result.count = count;
  Label largest = 0;  // of this type: four are compared at once
  for (const Label size : sizes.span()) largest = std::max(largest, size);
  result.largest = largest;
  RIZOMA_ASSIGN(result.count, over_ranks(engine, result.count, std::plus<>()));
  RIZOMA_ASSIGN(result.largest,
                over_ranks(engine, result.largest, [](VertexId a, VertexId b) { return std::max(a, b); }));
  return result;
}

/// The name of more vertices than any other, if draws tell that it is that of a great part; kNoVertex if not.
std::uint64_t great_name(std::span<const std::uint64_t> names) {
  constexpr std::size_t kDraws = 64;
  std::vector<std::uint64_t> drawn;
  Random random(names.size());
  for (std::size_t i = 0; i < kDraws; ++i) drawn.push_back(names[random.below(names.size())]);
  std::ranges::sort(drawn);
  for (std::size_t i = 0; i + kDraws / 4 < kDraws; ++i) {
    if (drawn[i] == drawn[i + kDraws / 4]) return drawn[i];
  }
  return kNoVertex;
}

/// Which vertices may have lost an edge: those of the changed ones that have an entry fewer than before.
std::vector<VertexId> who_lost(Engine& engine, const GraphView& graph, const FormerComponents& former) {
  if (former.before == nullptr) return {former.changed.begin(), former.changed.end()};
  std::vector<VertexId> losers;
  read_lists(engine, graph, Direction::out, [&](auto& now) {
    read_lists(engine, *former.before, Direction::out, [&](auto& before) {
      for (const VertexId v : former.changed) {
        if (v < before.num_vertices() && !std::ranges::includes(now.read(v).sources(), before.again(v).sources()))
          losers.push_back(v);
      }
    });
  });
  return losers;
}

/// By name, the components that may have come apart; empty: none has.  Nothing if a great part of the graph may have.
std::optional<std::vector<bool>> torn_names(Engine& engine, const GraphView& graph,
                                            std::span<const std::uint64_t> names, const FormerComponents& former) {
  const std::uint64_t great = great_name(names);
  std::vector<bool> torn;
  const auto tear = [&](VertexId v) {
    if (names[v] == kNoVertex) return true;
    if (torn.empty()) torn.resize(names.size());
    torn[names[v]] = true;
    return names[v] != great;
  };
  for (VertexId v = 0; v < names.size() && graph.num_live() < names.size(); ++v) {
    if (!graph.is_live(v) && !tear(v)) return std::nullopt;
  }
  if (!std::ranges::all_of(who_lost(engine, graph, former), tear)) return std::nullopt;
  return torn;
}

/// Trees of the components that hold, with what has changed linked.
template <class Label>
Result<LinkedSets<Label>> link_changes(Engine& engine, const GraphView& graph, std::span<const std::uint64_t> names,
                                       const std::vector<bool>& torn, std::span<const VertexId> changed) {
  std::vector<PerThread<std::vector<VertexId>>> loose(engine.threads());
  RIZOMA_ASSIGN(LinkedSets<Label> sets, LinkedSets<Label>::make(engine, names.size(), [&](VertexId v, unsigned thread) {
                  const std::uint64_t name = names[v];
                  if (name != kNoVertex && (torn.empty() || !torn[name])) return static_cast<Label>(name);
                  loose[thread].value.push_back(v);
                  return static_cast<Label>(v);
                }));
  constexpr std::uint64_t kGrain = 256;
  const Status linked = read_lists(engine, graph, Direction::out, [&](auto& lists) -> Status {
    const auto link = [&](std::span<const VertexId> vertices) {
      return engine.for_blocks(vertices.size(), kGrain, [&](VertexRange block, unsigned thread) {
        for (const VertexId v : vertices.subspan(block.begin, block.end - block.begin)) {
          sets.link_all(v, lists.read(v, thread).sources());
        }
      });
    };
    for (const auto& of_thread : loose) RIZOMA_TRY(link(of_thread.value));
    return link(changed);
  });
  RIZOMA_TRY(linked);
  return sets;
}

/// The names given, or, if these are not the smallest vertices of components, names that are.
Result<std::span<const std::uint64_t>> least_names(Engine& engine, std::span<const std::uint64_t> given,
                                                   std::vector<std::uint64_t>& room) {
  const VertexId n = given.size();
  std::atomic<bool> valid = true;
  std::atomic<bool> least = true;
  constexpr std::uint64_t kGrain = 1 << 14;
  RIZOMA_TRY(engine.for_blocks(n, kGrain, [&](VertexRange block, unsigned) {
    bool all_valid = true;
    bool all_least = true;
    for (VertexId v = block.begin; v < block.end; ++v) {
      const std::uint64_t name = given[v];
      if (name == kNoVertex) continue;
      all_valid = all_valid && name < n;
      all_least = all_least && name <= v && given[name] == name;
    }
    if (!all_valid) valid = false;
    if (!all_least) least = false;
  }));
  if (!valid) {
    return Error{ErrorCode::invalid_argument,
                 "connected_components: a former component has a name that is no number below that of vertices"};
  }
  if (least) return given;
  room.assign(n, kNoVertex);
  std::vector<std::uint64_t> first(n, kNoVertex);
  for (VertexId v = 0; v < n; ++v) {
    if (given[v] == kNoVertex) continue;
    if (first[given[v]] == kNoVertex) first[given[v]] = v;
    room[v] = first[given[v]];
  }
  return std::span<const std::uint64_t>(room);
}

/// What a former state makes quicker; nothing if that is nothing.
template <class Label>
Result<std::optional<LinkedSets<Label>>> from_former(Engine& engine, const GraphView& graph,
                                                     const FormerComponents& former) {
  const auto refuse = [](std::string what) {
    return Error{ErrorCode::invalid_argument, "connected_components: " + std::move(what)};
  };
  const VertexId n = graph.num_vertices();
  if (former.names.size() != n) return refuse("the former components have not one name for each vertex");
  for (const VertexId v : former.changed) {
    if (v >= n) return refuse("vertex " + std::to_string(v) + " that has changed is not in the graph");
  }
  std::vector<std::uint64_t> room;
  RIZOMA_ASSIGN(const auto names, least_names(engine, former.names, room));
  const std::optional<std::vector<bool>> torn = torn_names(engine, graph, names, former);
  if (!torn) return std::optional<LinkedSets<Label>>();
  RIZOMA_ASSIGN(LinkedSets<Label> sets, link_changes<Label>(engine, graph, names, *torn, former.changed));
  return std::optional(std::move(sets));
}

/// Passes over the edges, after which the trees are kept.
class KeptPasses {
 public:
  explicit KeptPasses(Checkpoints* checkpoints) : checkpoints_(checkpoints) {}

  template <class Label>
  Status resume(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets) {
    if (checkpoints_ == nullptr) return {};
    if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
    const auto sound = [&] { return whole_below(done_[0], kPasses) && sets.is_forest(); };
    RIZOMA_ASSIGN(const bool resumed, checkpoints_->resume({done_, {sets.column()}, sound}));
    resumed_after_ = resumed ? static_cast<unsigned>(done_[0]) : 0;
    return {};
  }

  [[nodiscard]] unsigned resumed_after() const noexcept { return resumed_after_; }
  [[nodiscard]] bool is_done(unsigned pass) const noexcept { return pass <= resumed_after_; }

  /// With ranks, each tells the others first what it has linked: then the trees of any of them are those of all.
  template <class Label>
  Status offer(Engine& engine, LinkedSets<Label>& sets, unsigned pass) {
    if (checkpoints_ == nullptr) return {};
    RIZOMA_ASSIGN(const bool due, checkpoints_->due());
    if (!due) return {};
    RIZOMA_TRY(ToldLinks<Label>(engine, sets).tell_last());
    done_ = {static_cast<double>(pass)};
    return checkpoints_->keep({done_, {sets.column()}});
  }

 private:
  static constexpr double kPasses = 3;
  Checkpoints* checkpoints_;  ///< null: nothing is kept
  std::array<double, 1> done_{};
  unsigned resumed_after_ = 0;
};

template <class Label>
Result<ConnectedComponentsResult> components(Engine& engine, const GraphView& graph, const FormerComponents& former,
                                             Checkpoints* checkpoints) {
  if (!former.names.empty() && engine.ranks() == nullptr) {
    RIZOMA_TRY(engine.report("connected_components", 1, 3));
    RIZOMA_ASSIGN(std::optional<LinkedSets<Label>> begun, from_former<Label>(engine, graph, former));
    if (begun) return label(engine, graph, *begun);
  }
  RIZOMA_ASSIGN(LinkedSets<Label> sets, LinkedSets<Label>::make(engine, graph.num_vertices()));
  KeptPasses kept(checkpoints);
  RIZOMA_TRY(kept.resume(engine, graph, sets));
  if (!kept.is_done(1)) {
    RIZOMA_TRY(plant(engine, graph, sets));
    RIZOMA_TRY(kept.offer(engine, sets, 1));
  }
  RIZOMA_TRY(engine.report("connected_components", 1, 3));
  FrequentRoot most;
  if (kept.is_done(2)) {
    most = sets.frequent_root();
  } else {
    RIZOMA_ASSIGN(most, grow(engine, graph, sets));
    RIZOMA_TRY(kept.offer(engine, sets, 2));
  }
  RIZOMA_TRY(link_rest_of_all(engine, graph, sets, most));
  RIZOMA_TRY(engine.report("connected_components", 2, 3));
  RIZOMA_ASSIGN(ConnectedComponentsResult result, label(engine, graph, sets));
  result.resumed_after = kept.resumed_after();
  return result;
}

}  // namespace

Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph,
                                                       const FormerComponents& former, Checkpoints* checkpoints) {
  if (graph.num_vertices() <= std::numeric_limits<std::uint32_t>::max()) {
    return components<std::uint32_t>(engine, graph, former, checkpoints);
  }
  return components<std::uint64_t>(engine, graph, former, checkpoints);
}

}  // namespace rizoma
