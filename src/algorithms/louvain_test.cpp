#include <rizoma/algorithms/louvain.h>

#include "algorithms/test_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class LouvainOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, LouvainOnShapes, testing_shapes());

/// Modularity pair by pair: the sum over u, v of one community of A[u][v] - resolution * out[u] in[v] / m.
double oracle(const GraphView& graph, std::span<const std::uint64_t> labels, double resolution) {
  const VertexId n = graph.num_vertices();
  std::vector<std::vector<double>> matrix(n, std::vector<double>(n));
  std::vector<double> out(n);
  std::vector<double> in(n);
  double total = 0;
  for (const testing::TestEdge& edge : entries_of(graph)) {
    const double weight = edge.source == edge.target && !graph.directed() ? 2 * edge.weight : edge.weight;
    matrix[edge.source][edge.target] += weight;
    out[edge.source] += weight;
    in[edge.target] += weight;
    total += weight;
  }
  double sum = 0;
  for (VertexId u = 0; u < n; ++u) {
    for (VertexId v = 0; v < n; ++v) {
      if (labels[u] == labels[v]) sum += matrix[u][v] - resolution * out[u] * in[v] / total;
    }
  }
  return total > 0 ? sum / total : 0;
}

TEST_P(LouvainOnShapes, ModularityIsThatOfTheDefinition) {
  options.weights = WeightType::int32;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    std::vector<std::uint64_t> labels(graph.num_vertices());
    for (VertexId v = 0; v < labels.size(); ++v) labels[v] = v % 4;
    for (const double resolution : {1.0, 0.3}) {
      const auto value = modularity(engine, graph, labels, resolution);
      ASSERT_TRUE(value.ok());
      EXPECT_NEAR(*value, oracle(graph, labels, resolution), 1e-9);
    }
    labels[1] = graph.num_vertices();
    EXPECT_FALSE(modularity(engine, graph, labels).ok());
  }
}

TEST_P(LouvainOnShapes, FindsGroupsAndTellsTheirModularity) {
  std::vector<testing::TestEdge> edges;  // eight complete graphs of 10 in a ring
  for (VertexId group = 0; group < 8; ++group) {
    for (VertexId u = 0; u < 10; ++u) {
      for (VertexId v = 0; v < 10; ++v) {
        if (u != v) edges.push_back({group * 10 + u, group * 10 + v});
      }
    }
    edges.push_back({group * 10, (group * 10 + 15) % 80});
  }
  const GraphView graph = build_graph(80, edges, options);
  const auto result = louvain(engine, graph);
  ASSERT_EQ(result.ok(), graph.has_in_edges());
  if (!result.ok()) return;
  EXPECT_EQ(result->count, 8U);
  for (VertexId v = 0; v < 80; ++v) EXPECT_EQ(result->labels[v], v / 10);
  EXPECT_NEAR(result->modularity, oracle(graph, result->labels.span(), 1), 1e-9);
}

TEST_P(LouvainOnShapes, LabelsAreDenseAndTheSeedDecides) {
  options.weights = WeightType::float64;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto result = louvain(engine, graph, {.seed = 7});
    if (!graph.has_in_edges()) continue;
    ASSERT_TRUE(result.ok());
    VertexId next = 0;
    for (const VertexId v : live_vertices(graph)) {
      ASSERT_LE(result->labels[v], next);
      if (result->labels[v] == next) ++next;
    }
    EXPECT_EQ(result->count, next);
    EXPECT_GE(result->modularity, oracle(graph, std::vector<std::uint64_t>(graph.num_vertices()), 1) - 1e-12);
    const auto again = louvain(engine, graph, {.seed = 7});
    ASSERT_TRUE(again.ok());
    EXPECT_THAT(again->labels.span(), ::testing::ElementsAreArray(result->labels.span()));
  }
}

TEST_P(LouvainOnShapes, RefusesNegativeWeights) {
  options.weights = WeightType::float64;
  const GraphView graph = build_graph(2, std::vector<testing::TestEdge>{{0, 1, -1}}, options);
  EXPECT_FALSE(louvain(engine, graph).ok());
}

}  // namespace
}  // namespace rizoma
