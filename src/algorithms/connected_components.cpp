#include <rizoma/algorithms/connected_components.h>

#include "algorithms/linked_sets.h"

#include <rizoma/degrees.h>
#include <rizoma/gather.h>
#include <rizoma/ranks.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr int kRounds = 2;              // in which each vertex is linked to one more neighbour
constexpr double kEnough = 0.9;         // of the vertices in the largest tree: no further round
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

/// Links more neighbours of each vertex until most are in one tree; returns that tree's root.
template <class Label>
Result<FrequentRoot> grow(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets) {
  FrequentRoot most = sets.frequent_root();
  for (int round = 0; round < kRounds && most.share < kEnough; ++round) {
    RIZOMA_TRY(gather(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
      if (!entries.empty()) sets.link(v, entries.source(round == 0 ? entries.size() - 1 : entries.size() / 2));
    }));
    most = sets.frequent_root();
  }
  return most;
}

/// Links what is left.  An edge that leaves a large tree is linked from its other end, which needs to see it: of
/// several ranks none sees both ends of all.
template <class Label>
Status link_rest(Engine& engine, const GraphView& graph, LinkedSets<Label>& sets, const FrequentRoot& most) {
  if (!graph.has_in_edges() || most.share < kWorthSkipping || engine.ranks() != nullptr) {
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
    RIZOMA_TRY(gather(engine, graph, {direction, true}, [&](VertexId v, const auto& entries, unsigned) {
      if (sets.lift(v) == most.root) return;
      sets.link_all(v, entries.sources());
    }));
  }
  return {};
}

/// Brings what the ranks have counted of a component together where its root lives.
template <class Label>
Status add_up(Engine& engine, VertexMap<Label>& sizes) {
  Ranks* const ranks = engine.ranks();
  if (ranks == nullptr) return {};
  Outbox<Label> outbox(*ranks);
  for (VertexId v = 0; v < sizes.size(); ++v) {
    if (sizes[v] > 0 && !ranks->owns(v)) outbox.add(v, std::exchange(sizes[v], 0));
  }
  return outbox.exchange([&](VertexId v, Label members) { sizes[v] += members; });
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
  for (const Label size : sizes.span()) result.largest = std::max<VertexId>(result.largest, size);
  RIZOMA_ASSIGN(result.count, over_ranks(engine, result.count, std::plus<>()));
  RIZOMA_ASSIGN(result.largest,
                over_ranks(engine, result.largest, [](VertexId a, VertexId b) { return std::max(a, b); }));
  return result;
}

template <class Label>
Result<ConnectedComponentsResult> components(Engine& engine, const GraphView& graph) {
  RIZOMA_ASSIGN(LinkedSets<Label> sets, LinkedSets<Label>::make(engine, graph));
  RIZOMA_TRY(plant(engine, graph, sets));
  RIZOMA_TRY(engine.report("connected_components", 1, 3));
  RIZOMA_ASSIGN(const FrequentRoot most, grow(engine, graph, sets));
  RIZOMA_TRY(link_rest(engine, graph, sets, most));
  RIZOMA_TRY(sets.join_ranks(engine));
  RIZOMA_TRY(engine.report("connected_components", 2, 3));
  return label(engine, graph, sets);
}

}  // namespace

Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph) {
  if (graph.num_vertices() <= std::numeric_limits<std::uint32_t>::max()) {
    return components<std::uint32_t>(engine, graph);
  }
  return components<std::uint64_t>(engine, graph);
}

}  // namespace rizoma
