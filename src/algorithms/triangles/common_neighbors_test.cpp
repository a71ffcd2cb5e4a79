#include <rizoma/algorithms/common_neighbors.h>

#include "testing/graph_shapes.h"

#include <cmath>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class CommonNeighborsOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, CommonNeighborsOnShapes, testing_shapes());

TEST_P(CommonNeighborsOnShapes, AgreeWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto matrix = matrix_of(graph);
    const VertexId n = graph.num_vertices();
    std::vector<VertexId> us;
    std::vector<VertexId> vs;
    for (const VertexId u : live_vertices(graph)) {
      for (const VertexId v : live_vertices(graph)) {
        if (u == v || (u + v) % 3 != 0) continue;
        us.push_back(u);
        vs.push_back(v);
      }
    }
    const auto result = common_neighbors(engine, graph, us, vs);
    ASSERT_EQ(result.ok(), !graph.directed());
    if (!result.ok()) continue;
    for (std::size_t i = 0; i < us.size(); ++i) {
      std::uint64_t common = 0;
      std::uint64_t either = 0;
      double adamic_adar = 0;
      double resource_allocation = 0;
      for (VertexId w = 0; w < n; ++w) {
        either += matrix[us[i]][w] || matrix[vs[i]][w] ? 1 : 0;
        if (w == us[i] || w == vs[i] || !matrix[us[i]][w] || !matrix[vs[i]][w]) continue;
        double degree = matrix[w][w] ? 1 : 0;
        for (VertexId x = 0; x < n; ++x) degree += matrix[w][x] ? 1 : 0;
        ++common;
        adamic_adar += 1 / std::log(degree);
        resource_allocation += 1 / degree;
      }
      ASSERT_EQ(result->common[i], common);
      ASSERT_EQ(result->either[i], either);
      ASSERT_NEAR(result->adamic_adar[i], adamic_adar, 1e-9);
      ASSERT_NEAR(result->resource_allocation[i], resource_allocation, 1e-9);
    }
  }
}

}  // namespace
}  // namespace rizoma
