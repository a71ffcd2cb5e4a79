#include <rizoma/algorithms/square_clustering.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class SquareClustering : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, SquareClustering, testing_shapes());

double oracle(const std::vector<std::vector<bool>>& matrix, VertexId v) {
  const VertexId n = matrix.size();
  double squares = 0;
  double possible = 0;
  for (VertexId u = 0; u < n; ++u) {
    for (VertexId w = 0; w < u; ++w) {
      if (u == v || w == v || !matrix[v][u] || !matrix[v][w]) continue;
      double of_pair = 0;
      double degrees = 0;
      for (VertexId x = 0; x < n; ++x) {
        if (x != v && x != u && x != w && matrix[u][x] && matrix[w][x]) of_pair += 1;
        degrees += (x != u && matrix[u][x] ? 1 : 0) + (x != w && matrix[w][x] ? 1 : 0);
      }
      squares += of_pair;
      possible += degrees - 2 * (1 + of_pair + (matrix[u][w] ? 1 : 0)) + of_pair;
    }
  }
  return possible > 0 ? squares / possible : 0;
}

TEST_P(SquareClustering, AgreesWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto coefficients = square_clustering(engine, graph);
    ASSERT_EQ(coefficients.ok(), !graph.directed());
    if (!coefficients.ok()) continue;
    const auto matrix = matrix_of(graph);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_NEAR((*coefficients)[v], oracle(matrix, v), 1e-12);
  }
}

}  // namespace
}  // namespace rizoma
