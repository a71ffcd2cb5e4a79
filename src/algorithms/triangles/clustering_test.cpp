#include <rizoma/algorithms/clustering.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;

class ClusteringOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, ClusteringOnShapes, testing_shapes());

/// Closed and possible walks v-a-b-v, each step along either direction of an edge.
double oracle(const std::vector<std::vector<bool>>& matrix, VertexId v, bool directed) {
  const VertexId n = matrix.size();
  const auto ways = [&](VertexId a, VertexId b) {
    if (a == b) return 0.0;
    return directed ? (matrix[a][b] ? 1.0 : 0.0) + (matrix[b][a] ? 1.0 : 0.0) : (matrix[a][b] ? 1.0 : 0.0);
  };
  double closed = 0;
  double total = 0;
  double both = 0;
  for (VertexId a = 0; a < n; ++a) {
    total += ways(v, a);
    both += ways(v, a) == 2 ? 1 : 0;
    for (VertexId b = 0; b < n; ++b) closed += ways(v, a) * ways(a, b) * ways(b, v);
  }
  const double possible = (directed ? 2 : 1) * (total * (total - 1) - 2 * both);
  return possible > 0 ? closed / possible : 0;
}

TEST_P(ClusteringOnShapes, AgreesWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto result = clustering(engine, graph);
    ASSERT_EQ(result.ok(), graph.has_in_edges());
    if (!result.ok()) continue;
    const auto matrix = matrix_of(graph);
    double sum = 0;
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      const double expected = oracle(matrix, v, graph.directed());
      ASSERT_NEAR(result->coefficients[v], expected, 1e-12) << v;
      sum += expected;
    }
    EXPECT_NEAR(result->average, graph.num_live() > 0 ? sum / static_cast<double>(graph.num_live()) : 0, 1e-9);
  }
}

}  // namespace
}  // namespace rizoma
