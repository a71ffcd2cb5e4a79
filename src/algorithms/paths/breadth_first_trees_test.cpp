#include <rizoma/algorithms/breadth_first_trees.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <algorithm>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class BreadthFirst : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, BreadthFirst, testing_shapes());

TEST_P(BreadthFirst, TreesHaveTheLevelsOfTheOracle) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const std::vector<VertexId> sources = live_vertices(graph);
    const auto trees = breadth_first_trees(engine, graph, sources);
    ASSERT_TRUE(trees.ok());
    ASSERT_EQ(trees->offsets.size(), sources.size() + 1);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      std::vector<std::int32_t> levels(graph.num_vertices(), -1);
      for (std::size_t i = trees->offsets[s]; i < trees->offsets[s + 1]; ++i) {
        const VertexId parent = trees->parents[i];
        levels[trees->order[i]] = trees->distances[i];
        if (i == trees->offsets[s]) {
          EXPECT_EQ(parent, kNoVertex);
        } else {
          EXPECT_EQ(levels[parent], trees->distances[i] - 1);
          EXPECT_LE(trees->distances[i - 1], trees->distances[i]);
        }
      }
      ASSERT_EQ(levels, testing::oracle_levels(graph.num_vertices(), entries_of(graph), sources[s]));
    }
  }
}

TEST_P(BreadthFirst, StopsAtDepthAndTarget) {
  const GraphView graph = build_graph(70, testing::path_edges(70), options);
  const auto near = breadth_first_trees(engine, graph, std::vector<VertexId>{10}, {{}, 3});
  ASSERT_TRUE(near.ok());
  EXPECT_EQ(near->distances.back(), 3);
  SearchOptions search;
  search.target = 20;
  const auto found = breadth_first_trees(engine, graph, std::vector<VertexId>{10}, {search, -1});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->order.back(), 20U);
  EXPECT_EQ(found->distances.back(), 10);
}

TEST_P(BreadthFirst, TogetherIsOneTree) {
  const GraphView graph = build_graph(70, testing::path_edges(70), options);
  SearchOptions search;
  search.together = true;
  const auto trees = breadth_first_trees(engine, graph, std::vector<VertexId>{0, 40}, {search, -1});
  ASSERT_TRUE(trees.ok());
  EXPECT_EQ(trees->order.size(), 70U);
  EXPECT_EQ(*std::max_element(trees->distances.begin(), trees->distances.end()), options.directed ? 39 : 29);
}

TEST_P(BreadthFirst, RefusesWhatIsNoVertex) {
  const GraphView graph = build_graph(3, testing::path_edges(3), options);
  EXPECT_FALSE(breadth_first_trees(engine, graph, std::vector<VertexId>{3}).ok());
  SearchOptions search;
  search.direction = Direction::in;
  EXPECT_EQ(breadth_first_trees(engine, graph, std::vector<VertexId>{0}, {search, -1}).ok(), graph.has_in_edges());
}

}  // namespace
}  // namespace rizoma
