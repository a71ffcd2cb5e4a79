// The triangles of graphs with short lists, by intersecting the lists as stored: where there are few wedges for each
// edge (orientation_pays), that costs less than to rank the vertices.
//
// How: each triangle is found from its middle corner, in the list of its largest.
// Cost: time by the wedges; no memory.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/gather.h>
#include <rizoma/intersection.h>

#include <atomic>

namespace rizoma {

namespace unoriented_detail {

/// The triangles whose largest corner is v; false if the list does not ascend strictly up to v.  (An edge that is
/// there twice is so in the list of its greater end.)
template <class Lists, class Found>
bool find_below(VertexId v, Lists& lists, unsigned thread, Found&& found) {
  const auto list = lists.read(v, thread).sources();
  for (std::size_t i = 1; i < list.size() && list[i] < v; ++i) {
    if (list[i] <= list[i - 1]) return false;
    const auto below = list.first(i);
    for_each_common(below, lists.read(list[i], thread).sources(),
                    [&](std::size_t j, std::size_t) { found(list[i], below[j]); });
  }
  return true;
}

}  // namespace unoriented_detail

/// Calls found(v, u, w, thread) for each triangle, v > u > w, from many threads; false once a list does not ascend
/// strictly, as with parallel edges: what was found then means nothing.  For an undirected graph.  Errors: cancelled.
template <class Found>
Result<bool> for_each_near_triangle(Engine& engine, const GraphView& graph, Found&& found) {
  constexpr std::uint64_t kGrain = 1024;
  std::atomic<bool> ascending = true;
  RIZOMA_TRY(read_lists(engine, graph, Direction::out, [&](auto& lists) {
    return engine.for_blocks(graph.num_vertices(), kGrain, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end && ascending.load(std::memory_order_relaxed); ++v) {
        const bool good =
            unoriented_detail::find_below(v, lists, thread, [&](VertexId u, VertexId w) { found(v, u, w, thread); });
        if (!good) ascending = false;
      }
    });
  }));
  return ascending.load();
}

}  // namespace rizoma
