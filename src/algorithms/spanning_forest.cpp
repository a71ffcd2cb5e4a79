#include <rizoma/algorithms/spanning_forest.h>

#include "algorithms/disjoint_sets.h"
#include "algorithms/lists.h"

#include <rizoma/list_reader.h>

#include <algorithm>
#include <cmath>

namespace rizoma {
namespace {

struct Edge {
  double weight;
  EdgeCount entry;
  VertexId source;
  VertexId target;
};

/// The edges, each from its end of lower number, in the order of the lists.
Result<std::vector<Edge>> collect(Engine& engine, const GraphView& graph, auto& out) {
  SerialWatch watch(engine, "spanning_forest", graph.num_vertices());
  std::vector<Edge> edges;
  edges.reserve(graph.num_edges());
  EdgeCount entry = 0;
  for (VertexId u = 0; u < graph.num_vertices(); ++u) {
    RIZOMA_TRY(watch.step());
    bool good = true;
    const auto list = out.read(u);
    for (std::size_t i = 0; i < list.size(); ++i, ++entry) {
      const auto weight = static_cast<double>(list.weight(i));
      good = good && !std::isnan(weight);
      if (u < list.source(i)) edges.push_back({weight, entry, u, list.source(i)});
    }
    if (!good)
      return Error{ErrorCode::invalid_argument,
                   "spanning_forest: an edge of vertex " + std::to_string(u) + " (inner number) weighs NaN"};
  }
  return edges;
}

}  // namespace

Result<SpanningForest> spanning_forest(Engine& engine, const GraphView& graph, bool maximum) {
  if (graph.directed()) return Error{ErrorCode::unsupported, "spanning_forest: the graph is directed"};
  RIZOMA_ASSIGN(std::vector<Edge> edges, read_lists<true>(engine, graph, Direction::out,
                                                          [&](auto& out) { return collect(engine, graph, out); }));
  std::stable_sort(edges.begin(), edges.end(), [maximum](const Edge& a, const Edge& b) {
    return maximum ? a.weight > b.weight : a.weight < b.weight;
  });
  RIZOMA_TRY(engine.report("spanning_forest", 1, 1));
  DisjointSets trees(graph.num_vertices());
  SpanningForest forest;
  for (const Edge& edge : edges) {
    if (!trees.unite(edge.source, edge.target)) continue;
    forest.sources.push_back(edge.source);
    forest.targets.push_back(edge.target);
    forest.weights.push_back(edge.weight);
    forest.entries.push_back(edge.entry);
  }
  return forest;
}

}  // namespace rizoma
