#include <rizoma/algorithms/weighted_triangles.h>

#include "engine/intersection/oriented_edges.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// x of each ranked edge.  An entry u -> v of an undirected graph speaks for v -> u too.
template <bool kWeighted>
Result<VertexMap<double>> edge_values(Engine& engine, const GraphView& graph, const OrientedEdges& edges) {
  auto values = engine.make_map<double>(edges.size(), 0);
  const bool alike = !kWeighted || graph.weight_type() == WeightType::none;  // parallel edges are one
  RIZOMA_TRY(gather<kWeighted>(engine, graph, {}, [&](VertexId u, const auto& entries, unsigned) {
    VertexId last = u;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const VertexId v = entries.source(i);
      const bool repeated = std::exchange(last, v) == v;
      if (u == v || (repeated && alike) || (!graph.directed() && v < u)) continue;
      const auto weight = static_cast<double>(entries.weight(i));
      values.atomic(edges.find(u, v)).fetch_add(std::cbrt(weight), std::memory_order_relaxed);
    }
  }));
  return values;
}

}  // namespace

Result<VertexMap<double>> weighted_triangles(Engine& engine, const GraphView& graph, bool use_weights) {
  RIZOMA_TRY(single_process_only(engine, "weighted_triangles"));
  RIZOMA_TRY(engine.report("weighted_triangles", 0, 1));
  RIZOMA_ASSIGN(const OrientedEdges edges, OrientedEdges::make(engine, graph));
  RIZOMA_ASSIGN(const auto values,
                use_weights ? edge_values<true>(engine, graph, edges) : edge_values<false>(engine, graph, edges));
  std::vector<std::vector<double>> of_thread(engine.threads(), std::vector<double>(graph.num_vertices()));
  RIZOMA_TRY(edges.for_each_triangle(engine, [&](const OrientedEdges::Triangle& triangle, unsigned thread) {
    const double product = values[triangle.uv] * values[triangle.uw] * values[triangle.vw];
    for (const VertexId corner : {triangle.u, triangle.v, triangle.w}) of_thread[thread][corner] += product;
  }));
  auto sums = engine.make_map<double>(graph.num_vertices(), 0);
  RIZOMA_TRY(engine.for_blocks(sums.size(), 4096, [&](VertexRange block, unsigned) {
    for (VertexId degree_rank = block.begin; degree_rank < block.end; ++degree_rank) {
      for (const std::vector<double>& part : of_thread) sums[edges.vertex_of(degree_rank)] += part[degree_rank];
    }
  }));
  return sums;
}

}  // namespace rizoma
