#include <rizoma/algorithms/path_dependencies.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <numeric>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class PathDependenciesOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, PathDependenciesOnShapes, testing_shapes());

TEST_P(PathDependenciesOnShapes, OfVerticesAgreeWithTheOracle) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    if (graph.may_have_parallel_edges()) continue;
    const std::vector<VertexId> sources = live_vertices(graph);
    const auto expected = testing::oracle_dependencies(graph.num_vertices(), entries_of(graph), sources);
    const auto sums = path_dependencies(engine, graph, sources, {.edges = true});
    ASSERT_TRUE(sums.ok());
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      ASSERT_NEAR(sums->vertices[v], expected[v], 1e-6 * (1 + expected[v]));
    // A path passes through one edge more than inner vertices; a pair that is joined counts 1.
    double pairs = 0;
    for (const VertexId s : sources) {
      for (const std::int32_t level : testing::oracle_levels(graph.num_vertices(), entries_of(graph), s))
        pairs += level > 0 ? 1 : 0;
    }
    const double of_edges = std::accumulate(sums->edges.begin(), sums->edges.end(), 0.0);
    const double of_vertices = std::accumulate(expected.begin(), expected.end(), 0.0);
    ASSERT_NEAR(of_edges, of_vertices + pairs, 1e-6 * (1 + of_edges));
    const auto ends = path_dependencies(engine, graph, sources, {.endpoints = true});
    ASSERT_TRUE(ends.ok());
    ASSERT_NEAR(std::accumulate(ends->vertices.begin(), ends->vertices.end(), 0.0), of_vertices + 2 * pairs,
                1e-6 * (1 + of_edges));
  }
}

TEST_P(PathDependenciesOnShapes, RefuseMorePathsThanANumberHolds) {
  std::vector<testing::TestEdge> edges;  // each diamond doubles the number of paths
  for (VertexId v = 0; v < 3 * 1030; v += 3) {
    for (const VertexId side : {v + 1, v + 2}) {
      edges.push_back({v, side});
      edges.push_back({side, v + 3});
    }
  }
  const auto sums = path_dependencies(engine, build_graph(3 * 1030 + 1, edges, options), std::vector<VertexId>{0});
  ASSERT_FALSE(sums.ok());
  EXPECT_EQ(sums.error().code, ErrorCode::unsupported);
}

TEST_P(PathDependenciesOnShapes, ByWeightFollowTheShorterWay) {
  options.weights = WeightType::float64;
  // Two ways from 0 to 3: 0-1-3 of length 2, 0-2-3 of length 2, and 0-3 of length 5.
  const std::vector<testing::TestEdge> edges{{0, 1, 1}, {1, 3, 1}, {0, 2, 0.5}, {2, 3, 1.5}, {0, 3, 5}};
  const GraphView graph = build_graph(4, edges, options);
  const auto sums = path_dependencies(engine, graph, std::vector<VertexId>{0}, {.weighted = true});
  ASSERT_TRUE(sums.ok());
  EXPECT_THAT(sums->vertices, ::testing::ElementsAre(0, 0.5, 0.5, 0));
  const GraphView zero = build_graph(2, std::vector<testing::TestEdge>{{0, 1, 0}}, options);
  EXPECT_FALSE(path_dependencies(engine, zero, std::vector<VertexId>{0}, {.weighted = true}).ok());
}

}  // namespace
}  // namespace rizoma
