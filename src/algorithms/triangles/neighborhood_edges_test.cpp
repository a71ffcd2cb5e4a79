#include <rizoma/algorithms/neighborhood_edges.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;

class NeighborhoodEdgesOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, NeighborhoodEdgesOnShapes, testing_shapes());

TEST_P(NeighborhoodEdgesOnShapes, AgreesWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto result = neighborhood_edges(engine, graph);
    ASSERT_EQ(result.ok(), graph.has_in_edges());
    if (!result.ok()) continue;
    const auto matrix = matrix_of(graph);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      std::vector<VertexId> neighbors;
      for (VertexId w = 0; w < graph.num_vertices(); ++w) {
        if (w != v && (matrix[v][w] || matrix[w][v])) neighbors.push_back(w);
      }
      std::uint64_t among = 0;
      for (const VertexId a : neighbors) {
        for (const VertexId b : neighbors) among += a != b && matrix[a][b] ? 1 : 0;
      }
      ASSERT_EQ(result->neighbors[v], neighbors.size()) << v;
      ASSERT_EQ(result->edges[v], among) << v;
    }
  }
}

}  // namespace
}  // namespace rizoma
