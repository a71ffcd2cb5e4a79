#include <rizoma/algorithms/clustering.h>

#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/algorithms/weighted_triangles.h>

#include "algorithms/lists.h"
#include "engine/one_rank.h"

#include <algorithm>

namespace rizoma {
namespace {

/// Calls f(w) for each neighbour of v other than v, once; the list is sorted.
template <class Target, class F>
void for_each_neighbor(const Adjacency<Target>& lists, VertexId v, F f) {
  const auto list = lists.neighbors(v);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != v && (i == 0 || list[i] != list[i - 1])) f(list[i]);
  }
}

/// The most triangles that v could be part of.
template <class Target>
double possible(const GraphView& graph, const Adjacency<Target>& out, const Adjacency<Target>& in, VertexId v) {
  double degree = 0;
  double both = 0;
  for_each_neighbor(out, v, [&](Target) { degree += 1; });
  if (!graph.directed()) return degree * (degree - 1) / 2;
  const auto outs = out.neighbors(v);
  for_each_neighbor(in, v, [&](Target w) {
    degree += 1;
    if (std::binary_search(outs.begin(), outs.end(), w)) both += 1;
  });
  return degree * (degree - 1) - 2 * both;
}

Result<VertexMap<double>> count_triangles(Engine& engine, const GraphView& graph) {
  if (graph.directed()) return weighted_triangles(engine, graph, false);
  RIZOMA_ASSIGN(const TriangleCountResult triangles, triangle_count(engine, graph));
  auto counts = engine.make_map<double>(graph.num_vertices(), 0);
  for (VertexId v = 0; v < counts.size(); ++v) counts[v] = static_cast<double>(triangles.counts[v]);
  return counts;
}

}  // namespace

Result<ClusteringResult> clustering(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(one_rank_only(engine, "clustering"));
  RIZOMA_TRY(check_direction(graph, Direction::in, "clustering"));
  RIZOMA_TRY(engine.report("clustering", 0, 1));
  ClusteringResult result;
  RIZOMA_ASSIGN(result.coefficients, count_triangles(engine, graph));
  const Status done = graph.with_both([&](const auto& out, const auto& in) {
    return engine.for_edges(graph, Direction::out, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const double most = possible(graph, out, in, v);
        result.coefficients[v] = most > 0 ? result.coefficients[v] / most : 0;
      }
    });
  });
  RIZOMA_TRY(done);
  for (const double coefficient : result.coefficients.span()) result.average += coefficient;
  if (graph.num_live() > 0) result.average /= static_cast<double>(graph.num_live());
  return result;
}

}  // namespace rizoma
