#include <rizoma/algorithms/connected_components.h>
#include <rizoma/detail/same_call.h>

#include "algorithms/components/find_components.h"
#include "engine/state/divided_trees.h"
#include "engine/state/run_counter.h"
#include "engine/state/union_find_state.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr double kWorthSkipping = 0.5;  // share of the largest tree: each edge outside is read from both ends

template <class Label>
Status link_first_edges(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets);
template <class Label>
Result<FrequentRoot> link_more_edges(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets);
template <class Label>
Status link_each_edge(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets);
template <class Label, class RootOf>
Result<ConnectedComponentsResult> name(Iteration& loop, VertexMap<std::uint64_t> labels, RootOf root_of);

/// Links the edges beyond the first few of each vertex.  An edge that leaves a large tree is linked from its other end,
/// which must read it.
template <class Label>
Status link_rest(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets, const FrequentRoot& most) {
  if (!graph.has_in_edges() || most.share < kWorthSkipping) return link_each_edge(engine, graph, sets);
  VertexSet outside = engine.make_set(graph.directed() ? graph.num_vertices() : 0);
  const auto has_outside = [&](VertexRange range) {
    for (VertexId v = range.begin; v < range.end; ++v) {
      if (sets.lift(v) != most.root) return true;
    }
    return false;
  };
  const SectionFilter filter(has_outside);
  RIZOMA_TRY(gather(engine, graph, {Direction::out, true, &filter}, [&](VertexId v, const auto& entries, unsigned) {
    if (sets.lift(v) == most.root) return;
    if (graph.directed()) outside.add_atomic(v);
    sets.link_all(v, entries.sources());
  }));
  if (!graph.directed()) return {};
  return gather_members(engine, graph, Direction::in, outside,
                        [&](VertexId v, const auto& entries, unsigned) { sets.link_all(v, entries.sources()); });
}

/// Components are what edges link: first a few of each vertex, then those of the vertices outside the largest tree.
template <class Label>
Result<ConnectedComponentsResult> components(Iteration& loop) {
  constexpr unsigned kPasses = 3;
  Engine& engine = loop.engine();
  const GraphView& graph = loop.graph();
  UnionFindState<Label> state(loop);
  ConcurrentUnionFind<Label>& sets = state.sets();
  unsigned passes = 0;
  FrequentRoot most;
  loop.keep(passes);
  loop.valid_if([&] { return passes < kPasses && sets.is_forest(); });
  RIZOMA_TRY(state.make());
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  const unsigned resumed_after = resumed ? passes : 0;
  const auto pass = [&]() -> Result<bool> {
    RIZOMA_TRY(loop.report(passes, kPasses));
    if (++passes == 1) {
      RIZOMA_TRY(link_first_edges(engine, graph, sets));
      RIZOMA_TRY(state.end_unasked());  // from now on no process links a vertex without asking
      return true;
    }
    if (passes < kPasses) {
      RIZOMA_ASSIGN(most, link_more_edges(engine, graph, sets));
      return true;
    }
    if (resumed_after + 1 == kPasses) most = sets.frequent_root();
    if (graph.has_in_edges()) RIZOMA_TRY(state.agree_on(most));
    RIZOMA_TRY(link_rest(engine, graph, sets, most));
    RIZOMA_TRY(state.finish());
    return false;
  };
  RIZOMA_TRY(loop.run(pass));
  const auto root_of = [&](const auto&, VertexId v) { return sets.root(v); };
  RIZOMA_ASSIGN(ConnectedComponentsResult result,
                name<Label>(loop, engine.make_unset_map<std::uint64_t>(graph.num_vertices()), root_of));
  result.resumed_after = resumed_after;
  RIZOMA_TRY(loop.gather(result.labels));
  return result;
}

/// The same where each process has trees of its own vertices and their neighbors alone.
template <class Label>
Result<ConnectedComponentsResult> components_apart(Iteration& loop) {
  RIZOMA_TRY(loop.begin());
  RIZOMA_ASSIGN(VertexMap<std::uint64_t> labels, DividedTrees<Label>::roots_of_lists(loop));
  const auto root_of = [](const auto& of, VertexId v) { return of[v]; };
  RIZOMA_ASSIGN(ConnectedComponentsResult result, name<Label>(loop, std::move(labels), root_of));
  RIZOMA_TRY(loop.gather(result.labels));
  return result;
}

// Chooses the order of the edges (Sutton and others' sampling), and the names of the sets.

/// Hangs each vertex below the root of its first neighbour's tree, if that is smaller: no two threads write to one, and
/// trees stay flat, because smaller vertices mostly come first.
template <class Label>
Status link_first_edges(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets) {
  const bool both = graph.directed() && graph.has_in_edges();
  for (const Direction direction : {Direction::out, Direction::in}) {
    if (direction == Direction::in && !both) break;
    RIZOMA_TRY(gather_few(engine, graph, direction, [&](VertexId v, const auto& entries, unsigned) {
      if (entries.empty() || entries.source(0) >= v || sets.parent(v) != v) return;
      sets.set_parent(v, sets.root(entries.source(0)));
    }));
  }
  return {};
}

/// Links more neighbours of each vertex until most are in one tree; returns that tree's root.  Trees that are few are
/// united by a sixteenth of that.  Of short lists the middle comes first: it lies nearer.  The last ones of long lists
/// are together, whosever they are, and thus in the cache; there it is enough to lift each vertex before it is linked,
/// where flattening all trees takes a pass of its own.
template <class Label>
Result<FrequentRoot> link_more_edges(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets) {
  constexpr EdgeCount kShort = 16;     // entries: lists are short if they have fewer in the mean
  constexpr double kEnough = 0.9;      // of the vertices in the largest tree: no further links
  constexpr VertexId kSample = 16;     // one vertex in this many is linked first, where trees are few
  constexpr double kFew = 0.1;         // of the vertices in the largest tree: trees are few
  constexpr double kHopeless = 0.125;  // in the largest tree after a round: another makes none that is worth skipping
  const bool are_short = graph.num_entries() < kShort * graph.num_vertices();
  const auto link_to = [&](auto place) {
    const auto link = [&sets, place, are_short](VertexId v, const auto& entries, unsigned) {
      if (entries.empty()) return;
      sets.link(are_short ? v : sets.lift(v), entries.source(place(entries.size())));
    };
    return gather_few(engine, graph, Direction::out, link);
  };
  FrequentRoot most = sets.frequent_root();
  if (most.share >= kFew && most.share < kEnough) {
    RIZOMA_TRY(gather_few(engine, graph, Direction::out, [&](VertexId v, const auto& entries, unsigned) {
      if (v % kSample == 0 && !entries.empty()) sets.link(v, entries.source(entries.size() - 1));
    }));
    most = sets.frequent_root();
  }
  if (most.share >= kEnough) return most;
  const auto link_middle = [&] { return link_to([](std::size_t size) { return size / 2; }); };
  const auto link_last = [&] { return link_to([](std::size_t size) { return size - 1; }); };
  RIZOMA_TRY(are_short ? link_middle() : link_last());
  if (are_short) RIZOMA_TRY(sets.compress(engine, graph));  // both ends of a later edge then mostly have one root
  most = sets.frequent_root();
  if (most.share < kHopeless || most.share >= kEnough) return most;
  RIZOMA_TRY(are_short ? link_last() : link_middle());
  return sets.frequent_root();
}

/// Links all edges, from one end.
template <class Label>
Status link_each_edge(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets) {
  const bool both_ends = !graph.directed();
  RIZOMA_TRY(sets.compress(engine, graph));
  return gather(engine, graph, {Direction::out, true}, [&](VertexId v, const auto& entries, unsigned) {
    auto some = entries.sources();
    if (both_ends) some = some.first(static_cast<std::size_t>(std::ranges::lower_bound(some, v) - some.begin()));
    sets.link_all(v, some);
  });
}

/// Each vertex is called by the root of its tree: root_of(labels, v).
template <class Label, class RootOf>
Result<ConnectedComponentsResult> name(Iteration& loop, VertexMap<std::uint64_t> labels, RootOf root_of) {
  Engine& engine = loop.engine();
  const GraphView& graph = loop.graph();
  ConnectedComponentsResult result{.labels = std::move(labels)};
  VertexMap<Label> sizes = engine.make_map<Label>(graph.num_vertices(), 0);
  std::vector<RunCounter<Label>> counters(engine.threads(), RunCounter<Label>(sizes));
  std::atomic<VertexId> count = 0;
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned thread) {
    VertexId roots = 0;
    for (VertexId v = block.begin; v < block.end; ++v) {
      const auto root = static_cast<Label>(root_of(result.labels, v));
      result.labels[v] = root;
      if (!graph.is_live(v)) continue;
      roots += root == v ? 1 : 0;
      counters[thread].add(root);
    }
    if (roots > 0) count.fetch_add(roots, std::memory_order_relaxed);
  }));
  counters.clear();
  RIZOMA_TRY(loop.reduce(sizes));
  result.count = count;
  Label largest = 0;
  if (loop.is_alone()) {
    for (const Label size : sizes.span()) largest = std::max(largest, size);  // four at once
  } else {
    loop.for_own([&](VertexId v) { largest = std::max(largest, sizes[v]); });
  }
  result.largest = largest;
  RIZOMA_ASSIGN(result.count, loop.total(result.count));
  RIZOMA_ASSIGN(result.largest, loop.total(result.largest, [](VertexId a, VertexId b) { return std::max(a, b); }));
  return result;
}

}  // namespace

Result<ConnectedComponentsResult> find_components(Iteration& loop) {
  const auto find = [&]<class Label>(Label) {
    return DividedTrees<Label>::serve(loop) ? components_apart<Label>(loop) : components<Label>(loop);
  };
  if (loop.graph().num_vertices() <= std::numeric_limits<std::uint32_t>::max()) return find(std::uint32_t{});
  return find(std::uint64_t{});
}

Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(expect_same_call(engine, "connected_components", {{"former", std::size_t{0}}}));
  Iteration loop(engine, graph, "connected_components");
  return find_components(loop);
}

}  // namespace rizoma
