#include "algorithms/near_triangles.h"

#include <rizoma/degrees.h>
#include <rizoma/intersection.h>
#include <rizoma/list_reader.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr EdgeCount kFewWedges = 16;  // of a vertex's entry: what making its ranked list costs, in steps of a merge
constexpr std::uint64_t kGrain = 1024;

/// The triangles whose greatest corner is v, each found from its middle corner; false if the list does not ascend.
bool count_below(VertexId v, auto& lists, unsigned thread, auto&& found) {
  const auto list = lists.read(v, thread).sources();
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (list[i] <= list[i - 1]) return false;
  }
  for (std::size_t i = 1; i < list.size() && list[i] < v; ++i) {
    const auto below = list.first(i);
    for_each_common(below, lists.read(list[i], thread).sources(),
                    [&](std::size_t j, std::size_t) { found(list[i], below[j]); });
  }
  return true;
}

}  // namespace

Result<bool> count_near_triangles(Engine& engine, const GraphView& graph, const TriangleCountOptions& options,
                                  TriangleCountResult& result) {
  if (graph.directed() || graph.may_have_parallel_edges() || engine.ranks() != nullptr) return false;
  const Degrees degrees(graph);
  RIZOMA_ASSIGN(const EdgeCount wedges,
                process_vertices(engine, graph, EdgeCount{0}, [&](VertexId v) { return degrees[v] * degrees[v]; }));
  if (wedges > kFewWedges * graph.num_entries()) return false;
  TriangleCountResult counted;
  if (options.per_vertex) counted.counts = engine.make_map<std::uint64_t>(graph.num_vertices(), 0);
  std::vector<PerThread<std::uint64_t>> totals(engine.threads());
  std::atomic<bool> ascending = true;
  RIZOMA_TRY(read_lists(engine, graph, Direction::out, [&](auto& lists) {
    return engine.for_blocks(graph.num_vertices(), kGrain, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end && ascending.load(std::memory_order_relaxed); ++v) {
        const bool good = count_below(v, lists, thread, [&](VertexId u, VertexId w) {
          ++totals[thread].value;
          if (!options.per_vertex) return;
          for (const VertexId corner : {u, v, w}) counted.counts.atomic(corner).fetch_add(1, std::memory_order_relaxed);
        });
        if (!good) ascending = false;
      }
    });
  }));
  if (!ascending) return false;
  for (const auto& of_thread : totals) counted.total += of_thread.value;
  result = std::move(counted);
  return true;
}

}  // namespace rizoma
