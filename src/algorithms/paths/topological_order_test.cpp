#include <rizoma/algorithms/topological_order.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class TopologicalOrderOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, TopologicalOrderOnShapes, testing_shapes());

TEST_P(TopologicalOrderOnShapes, PutsEachVertexOneBehindItsLastPredecessor) {
  auto edges = testing::uniform_edges(90, 300, 4);
  for (testing::TestEdge& edge : edges)
    edge = {std::min(edge.source, edge.target), std::max(edge.source, edge.target) + 1};
  const GraphView graph = build_graph(100, edges, options);
  const auto result = topological_order(engine, graph);
  ASSERT_EQ(result.ok(), options.directed);
  if (!result.ok()) return;
  EXPECT_TRUE(result->acyclic);
  std::vector<std::int64_t> generation(graph.num_vertices(), -1);
  for (std::size_t g = 0; g + 1 < result->offsets.size(); ++g) {
    for (std::size_t i = result->offsets[g]; i < result->offsets[g + 1]; ++i)
      generation[result->order[i]] = static_cast<std::int64_t>(g);
  }
  std::vector<std::int64_t> latest(graph.num_vertices(), -1);
  for (const testing::TestEdge& edge : entries_of(graph))
    latest[edge.target] = std::max(latest[edge.target], generation[edge.source]);
  for (VertexId v = 0; v < graph.num_vertices(); ++v) EXPECT_EQ(generation[v], latest[v] + 1);
}

TEST_P(TopologicalOrderOnShapes, LeavesCyclesOut) {
  auto edges = testing::path_edges(10);
  edges.push_back({5, 3});
  const auto result = topological_order(engine, build_graph(10, edges, options));
  ASSERT_EQ(result.ok(), options.directed);
  if (!result.ok()) return;
  EXPECT_FALSE(result->acyclic);
  EXPECT_THAT(result->order, ::testing::ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace rizoma
