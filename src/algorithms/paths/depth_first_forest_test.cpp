#include <rizoma/algorithms/depth_first_forest.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <algorithm>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class DepthFirstForestOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, DepthFirstForestOnShapes, testing_shapes());

TEST_P(DepthFirstForestOnShapes, FollowsTheRecursiveDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    std::vector<std::vector<VertexId>> lists(graph.num_vertices());
    for (const testing::TestEdge& edge : entries_of(graph)) lists[edge.source].push_back(edge.target);
    std::vector<VertexId> order;
    std::vector<VertexId> parents;
    std::vector<VertexId> left;
    std::vector<bool> visited(graph.num_vertices());
    const auto visit = [&](const auto& self, VertexId v, VertexId parent) -> void {
      visited[v] = true;
      order.push_back(v);
      parents.push_back(parent);
      for (const VertexId w : lists[v]) {
        if (!visited[w]) self(self, w, v);
      }
      left.push_back(v);
    };
    const std::vector<VertexId> roots = live_vertices(graph);
    for (const VertexId root : roots) {
      if (!visited[root]) visit(visit, root, kNoVertex);
    }
    const auto forest = depth_first_forest(engine, graph, roots);
    ASSERT_TRUE(forest.ok());
    EXPECT_EQ(forest->visits.order, order);
    EXPECT_EQ(forest->visits.parents, parents);
    EXPECT_EQ(forest->left, left);
  }
}

TEST_P(DepthFirstForestOnShapes, StopsAtTheLimit) {
  const GraphView graph = build_graph(70, testing::path_edges(70), options);
  const auto forest = depth_first_forest(engine, graph, std::vector<VertexId>{0}, {.depth_limit = 5});
  ASSERT_TRUE(forest.ok());
  EXPECT_EQ(forest->visits.distances.back(), 5);
  EXPECT_THAT(forest->left, ::testing::ElementsAre(4, 3, 2, 1, 0));
}

}  // namespace
}  // namespace rizoma
