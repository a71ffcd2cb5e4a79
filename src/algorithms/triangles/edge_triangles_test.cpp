#include <rizoma/algorithms/edge_triangles.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class EdgeTriangles : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, EdgeTriangles, testing_shapes());

using Matrix = std::vector<std::vector<bool>>;

/// Adjacency without directions and loops.
Matrix simple(const GraphView& graph) {
  Matrix matrix = matrix_of(graph);
  for (VertexId u = 0; u < matrix.size(); ++u) {
    for (VertexId v = 0; v < u; ++v) matrix[u][v] = matrix[v][u] = matrix[u][v] || matrix[v][u];
    matrix[u][u] = false;
  }
  return matrix;
}

std::uint64_t support(const Matrix& matrix, VertexId u, VertexId v) {
  std::uint64_t found = 0;
  for (VertexId w = 0; w < matrix.size(); ++w) found += matrix[u][w] && matrix[v][w] ? 1 : 0;
  return found;
}

/// The k-truss by taking all edges of too little support away, again and again.
Matrix truss(Matrix matrix, std::uint64_t k) {
  for (bool changed = true; changed;) {
    changed = false;
    for (VertexId u = 0; u < matrix.size(); ++u) {
      for (VertexId v = 0; v < u; ++v) {
        if (!matrix[u][v] || support(matrix, u, v) + 2 >= k) continue;
        matrix[u][v] = matrix[v][u] = false;
        changed = true;
      }
    }
  }
  return matrix;
}

TEST_P(EdgeTriangles, AgreeWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const Matrix matrix = simple(graph);
    const auto supports = edge_triangles(engine, graph);
    ASSERT_TRUE(supports.ok());
    const auto entries = entries_of(graph);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool loop = entries[i].source == entries[i].target;
      ASSERT_EQ((*supports)[i], loop ? 0 : support(matrix, entries[i].source, entries[i].target));
    }
  }
}

TEST_P(EdgeTriangles, TrussesAgreeWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto entries = entries_of(graph);
    for (const std::uint64_t k : {0, 3, 4, 6, 12}) {
      const auto kept = k_truss(engine, graph, k);
      ASSERT_EQ(kept.ok(), !graph.directed());
      if (!kept.ok()) break;
      const Matrix matrix = truss(simple(graph), k);
      for (std::size_t i = 0; i < entries.size(); ++i)
        ASSERT_EQ((*kept)[i] != 0, matrix[entries[i].source][entries[i].target]);
    }
  }
}

}  // namespace
}  // namespace rizoma
