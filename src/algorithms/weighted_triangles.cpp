#include <rizoma/algorithms/weighted_triangles.h>

#include "algorithms/lists.h"
#include "algorithms/ranked_edges.h"
#include "engine/one_rank.h"

#include <cmath>
#include <utility>

namespace rizoma {
namespace {

/// x of each ranked edge.  An entry u -> v of an undirected graph speaks for v -> u too.
Result<VertexMap<double>> edge_values(Engine& engine, const GraphView& graph, const RankedEdges& edges,
                                      WeightType type) {
  auto values = engine.make_map<double>(edges.size(), 0);
  const Status done = graph.with_out([&](const auto& out) {
    return engine.for_edges(graph, Direction::out, [&](VertexRange block, unsigned) {
      for (VertexId u = block.begin; u < block.end; ++u) {
        VertexId last = u;
        for_each_edge(out, type, u, [&](auto v, double weight) {
          const bool repeated = std::exchange(last, v) == v;
          if (u == v || (repeated && type == WeightType::none) || (!graph.directed() && v < u)) return;
          values.atomic(edges.find(u, v)).fetch_add(std::cbrt(weight), std::memory_order_relaxed);
        });
      }
    });
  });
  RIZOMA_TRY(done);
  return values;
}

}  // namespace

Result<VertexMap<double>> weighted_triangles(Engine& engine, const GraphView& graph, bool use_weights) {
  RIZOMA_TRY(one_rank_only(engine, "weighted_triangles"));
  RIZOMA_TRY(engine.report("weighted_triangles", 0, 1));
  RIZOMA_ASSIGN(const RankedEdges edges, RankedEdges::make(engine, graph));
  RIZOMA_ASSIGN(const auto values,
                edge_values(engine, graph, edges, use_weights ? graph.weight_type() : WeightType::none));
  std::vector<std::vector<double>> of_thread(engine.threads(), std::vector<double>(graph.num_vertices()));
  RIZOMA_TRY(edges.for_each_triangle(engine, [&](const RankedEdges::Triangle& triangle, unsigned thread) {
    const double product = values[triangle.uv] * values[triangle.uw] * values[triangle.vw];
    for (const VertexId corner : {triangle.u, triangle.v, triangle.w}) of_thread[thread][corner] += product;
  }));
  auto sums = engine.make_map<double>(graph.num_vertices(), 0);
  RIZOMA_TRY(engine.for_blocks(sums.size(), 4096, [&](VertexRange block, unsigned) {
    for (VertexId rank = block.begin; rank < block.end; ++rank) {
      for (const std::vector<double>& part : of_thread) sums[edges.vertex_of(rank)] += part[rank];
    }
  }));
  return sums;
}

}  // namespace rizoma
