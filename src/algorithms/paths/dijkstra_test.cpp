#include <rizoma/algorithms/dijkstra.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class DijkstraTrees : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, DijkstraTrees, testing_shapes());

TEST_P(DijkstraTrees, HaveTheDistancesOfTheOracle) {
  for (const WeightType type : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
    options.weights = type;
    const GraphView graph = build_graph(100, testing::rmat_edges(6, 300, 3), options);
    const std::vector<VertexId> sources{0, 1, 5, 63};
    const auto trees = dijkstra_trees(engine, graph, sources);
    ASSERT_TRUE(trees.ok());
    for (std::size_t s = 0; s < sources.size(); ++s) {
      std::vector<double> distances(graph.num_vertices(), std::numeric_limits<double>::infinity());
      for (std::size_t i = trees->offsets[s]; i < trees->offsets[s + 1]; ++i) {
        distances[trees->order[i]] = trees->distances[i];
        if (i > trees->offsets[s]) {
          EXPECT_LT(distances[trees->parents[i]], std::numeric_limits<double>::infinity());
          EXPECT_LE(trees->distances[i - 1], trees->distances[i]);
        }
      }
      ASSERT_EQ(distances, testing::oracle_distances(graph.num_vertices(), entries_of(graph), sources[s]));
    }
  }
}

TEST_P(DijkstraTrees, StopAtTheCutoffAndTheTarget) {
  const GraphView graph = build_graph(70, testing::path_edges(70), options);
  const auto near = dijkstra_trees(engine, graph, std::vector<VertexId>{10}, {{}, 3.5});
  ASSERT_TRUE(near.ok());
  EXPECT_EQ(near->distances.back(), 3);
  SearchOptions search;
  search.target = 12;
  const auto found = dijkstra_trees(engine, graph, std::vector<VertexId>{10}, {search});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->order.back(), 12U);
}

TEST_P(DijkstraTrees, RefuseNegativeWeights) {
  options.weights = WeightType::float64;
  const std::vector<testing::TestEdge> edges{{0, 1, 1}, {1, 2, -1}};
  const GraphView graph = build_graph(3, edges, options);
  const auto trees = dijkstra_trees(engine, graph, std::vector<VertexId>{0});
  ASSERT_FALSE(trees.ok());
  EXPECT_EQ(trees.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace rizoma
