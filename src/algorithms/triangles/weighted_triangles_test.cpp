#include <rizoma/algorithms/weighted_triangles.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <cmath>
#include <utility>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class WeightedTriangles : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, WeightedTriangles, testing_shapes());

TEST_P(WeightedTriangles, AgreeWithTheDefinition) {
  options.weights = WeightType::float64;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const VertexId n = graph.num_vertices();
    for (const bool use_weights : {false, true}) {
      std::vector<std::vector<double>> x(n, std::vector<double>(n));
      std::vector<std::vector<char>> seen(n, std::vector<char>(n));
      for (const testing::TestEdge& edge : entries_of(graph)) {
        if (edge.source == edge.target || (!graph.directed() && edge.source > edge.target)) continue;
        if (!use_weights && std::exchange(seen[edge.source][edge.target], true)) continue;
        x[edge.source][edge.target] = x[edge.target][edge.source] += use_weights ? std::cbrt(edge.weight) : 1;
      }
      std::vector<double> expected(n);
      for (VertexId a = 0; a < n; ++a) {
        for (VertexId b = a + 1; b < n; ++b) {
          for (VertexId c = b + 1; x[a][b] > 0 && c < n; ++c) {
            for (const VertexId corner : {a, b, c}) expected[corner] += x[a][b] * x[b][c] * x[a][c];
          }
        }
      }
      const auto sums = weighted_triangles(engine, graph, use_weights);
      ASSERT_TRUE(sums.ok());
      for (VertexId v = 0; v < n; ++v) ASSERT_NEAR((*sums)[v], expected[v], 1e-9 * (1 + expected[v]));
    }
  }
}

}  // namespace
}  // namespace rizoma
