#include <rizoma/algorithms/clustering.h>

#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/algorithms/weighted_triangles.h>

#include "engine/loop/kernel_arguments.h"

#include <rizoma/detail/same_call.h>
#include <rizoma/gather.h>
#include <rizoma/iteration.h>

#include <algorithm>

namespace rizoma {
namespace {

/// Calls f(w) for each neighbour of v other than v, once; the list is sorted.
template <class F>
void for_each_neighbor(const auto& list, VertexId v, F f) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != v && (i == 0 || list[i] != list[i - 1])) f(list[i]);
  }
}

/// The most triangles that v could be part of in an undirected graph.
double possible(const auto& list, VertexId v) {
  double degree = 0;
  for_each_neighbor(list, v, [&](VertexId) { degree += 1; });
  return degree * (degree - 1) / 2;
}

/// The same in a directed one.
double possible(const auto& outs, const auto& ins, VertexId v) {
  double degree = 0;
  double both = 0;
  for_each_neighbor(outs, v, [&](VertexId) { degree += 1; });
  for_each_neighbor(ins, v, [&](VertexId w) {
    degree += 1;
    if (std::ranges::binary_search(outs, w)) both += 1;
  });
  return degree * (degree - 1) - 2 * both;
}

/// Divides each vertex's triangles by those that are possible.
Status divide(Engine& engine, const GraphView& graph, VertexMap<double>& triangles) {
  const auto divide_by = [&](VertexId v, double most) { triangles[v] = most > 0 ? triangles[v] / most : 0; };
  if (!graph.directed()) {
    return gather(engine, graph, {},
                  [&](VertexId v, const auto& entries, unsigned) { divide_by(v, possible(entries.sources(), v)); });
  }
  return read_lists(engine, graph, Direction::in, [&](auto& ins) {
    return gather(engine, graph, {}, [&](VertexId v, const auto& outs, unsigned thread) {
      divide_by(v, possible(outs.sources(), ins.read(v, thread).sources(), v));
    });
  });
}

Result<VertexMap<double>> count_triangles(Engine& engine, const GraphView& graph) {
  if (graph.directed()) {
    RIZOMA_TRY(single_process_only(engine, "clustering of a directed graph"));
    return weighted_triangles(engine, graph, false);
  }
  RIZOMA_ASSIGN(const TriangleCountResult triangles, triangle_count(engine, graph));
  auto counts = engine.make_map<double>(graph.num_vertices(), 0);
  for (VertexId v = 0; v < counts.size(); ++v) counts[v] = static_cast<double>(triangles.counts[v]);
  return counts;
}

}  // namespace

Result<ClusteringResult> clustering(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(expect_same_call(engine, "clustering", {}));
  RIZOMA_TRY(check_direction(graph, Direction::in, "clustering"));
  Iteration loop(engine, graph, "clustering");
  RIZOMA_TRY(loop.report(0, 1));
  ClusteringResult result;
  RIZOMA_ASSIGN(result.coefficients, count_triangles(engine, graph));
  RIZOMA_TRY(divide(engine, graph, result.coefficients));
  loop.for_own([&](VertexId v) { result.average += result.coefficients[v]; });
  RIZOMA_ASSIGN(result.average, loop.total(result.average));
  if (graph.num_live() > 0) result.average /= static_cast<double>(graph.num_live());
  RIZOMA_TRY(loop.gather(result.coefficients));
  return result;
}

}  // namespace rizoma
