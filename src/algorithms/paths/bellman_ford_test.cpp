#include <rizoma/algorithms/bellman_ford.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class BellmanFordTrees : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, BellmanFordTrees, testing_shapes());

TEST_P(BellmanFordTrees, HaveTheDistancesOfTheOracle) {
  options.weights = WeightType::float64;
  auto edges = testing::rmat_edges(6, 300, 3);
  if (options.directed) {  // heights make weights negative, and leave the sums around cycles
    for (testing::TestEdge& edge : edges)
      edge.weight += static_cast<double>(edge.source % 13) * 40 - static_cast<double>(edge.target % 13) * 40;
  }
  const GraphView graph = build_graph(100, edges, options);
  const std::vector<VertexId> sources{0, 1, 5, 63};
  const auto result = bellman_ford(engine, graph, sources);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->negative_cycle, kNoVertex);
  const SearchTrees<double>& trees = result->trees;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    std::vector<double> distances(graph.num_vertices(), std::numeric_limits<double>::infinity());
    for (std::size_t i = trees.offsets[s]; i < trees.offsets[s + 1]; ++i)
      distances[trees.order[i]] = trees.distances[i];
    ASSERT_EQ(distances, testing::oracle_distances(graph.num_vertices(), entries_of(graph), sources[s]));
  }
}

TEST_P(BellmanFordTrees, ASourceHasNoParentEvenOnACycleOfLengthZero) {
  options.weights = WeightType::float64;
  const std::vector<testing::TestEdge> edges{{0, 1, options.directed ? 2.0 : 0.0},
                                             {1, 0, options.directed ? -2.0 : 0.0}};
  const auto result = bellman_ford(engine, build_graph(2, edges, options), std::vector<VertexId>{0});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->trees.parents, ::testing::ElementsAre(kNoVertex, 0));
}

TEST_P(BellmanFordTrees, NoticeANegativeCycle) {
  options.weights = WeightType::float64;
  auto edges = testing::path_edges(40);
  edges.push_back({30, 20, -20});
  const GraphView graph = build_graph(41, edges, options);
  for (const bool heuristic : {true, false}) {
    const auto result = bellman_ford(engine, graph, std::vector<VertexId>{0, 35}, {{}, heuristic});
    ASSERT_TRUE(result.ok());
    EXPECT_NE(result->negative_cycle, kNoVertex);
    const auto beyond = bellman_ford(engine, graph, std::vector<VertexId>{40}, {{}, heuristic});
    ASSERT_TRUE(beyond.ok());
    EXPECT_EQ(beyond->negative_cycle, kNoVertex);
  }
}

}  // namespace
}  // namespace rizoma
