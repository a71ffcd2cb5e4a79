#include <rizoma/algorithms/two_coloring.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class TwoColoringOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, TwoColoringOnShapes, testing_shapes());

TEST_P(TwoColoringOnShapes, ColorsWhatHasNoOddCycle) {
  auto grid = testing::grid_edges(9, 11);
  const GraphView graph = build_graph(101, grid, options);
  const auto result = two_coloring(engine, graph);
  ASSERT_EQ(result.ok(), graph.has_in_edges());
  if (!result.ok()) return;
  EXPECT_TRUE(result->bipartite);
  EXPECT_EQ(result->colors[0], 1);
  EXPECT_EQ(result->colors[100], 0);
  for (const testing::TestEdge& edge : entries_of(graph))
    EXPECT_NE(result->colors[edge.source], result->colors[edge.target]);
  grid.push_back({0, 12});
  const auto odd = two_coloring(engine, build_graph(101, grid, options));
  ASSERT_TRUE(odd.ok());
  EXPECT_FALSE(odd->bipartite);
}

}  // namespace
}  // namespace rizoma
