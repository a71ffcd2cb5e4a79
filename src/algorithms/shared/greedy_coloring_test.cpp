#include <rizoma/algorithms/greedy_coloring.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class GreedyColoringOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, GreedyColoringOnShapes, testing_shapes());

TEST_P(GreedyColoringOnShapes, GivesEachVertexTheLeastColorThatIsFree) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    if (graph.directed()) return;
    std::vector<VertexId> order = live_vertices(graph);
    std::reverse(order.begin(), order.end());
    const auto result = greedy_coloring(engine, graph, order);
    ASSERT_TRUE(result.ok());
    const auto matrix = matrix_of(graph);
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::vector<bool> taken(result->count + 1);
      for (std::size_t j = 0; j < i; ++j) {
        if (matrix[order[i]][order[j]]) taken[result->colors[order[j]]] = true;
      }
      const auto least = static_cast<std::uint64_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
      ASSERT_EQ(result->colors[order[i]], least);
    }
  }
}

}  // namespace
}  // namespace rizoma
