#include <rizoma/algorithms/katz_centrality.h>

#include "testing/graph_shapes.h"

#include <cmath>
#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;

class KatzOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, KatzOnShapes, testing_shapes());

TEST_P(KatzOnShapes, SolvesItsEquation) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    for (const bool weighted : {false, true}) {
      const auto result = katz_centrality(
          engine, graph, {.alpha = 0.004, .beta = 2, .tol = 1e-12, .normalized = false, .use_weights = weighted});
      ASSERT_EQ(result.ok(), graph.has_in_edges());
      if (!result.ok()) continue;
      EXPECT_TRUE(result->converged);
      std::vector<double> expected(graph.num_vertices(), 2);
      for (const testing::TestEdge& edge : testing::entries_of(graph)) {
        expected[edge.target] += 0.004 * (weighted ? edge.weight : 1) * result->scores[edge.source];
      }
      for (const VertexId v : live_vertices(graph)) ASSERT_NEAR(result->scores[v], expected[v], 1e-9) << v;
    }
  }
}

TEST(Katz, NormalizedScoresHaveNormOne) {
  const GraphView graph = build_graph(30, testing::star_edges(30), {});
  Engine engine;
  const auto result = katz_centrality(engine, graph);
  ASSERT_TRUE(result.ok());
  double squares = 0;
  for (const double score : result->scores.span()) squares += score * score;
  EXPECT_NEAR(squares, 1, 1e-12);
}

TEST(Katz, SaysThatAlphaIsTooGreatAndWhatIsNoNumber) {
  const GraphView graph = build_graph(30, testing::star_edges(30), {});
  Engine engine;
  const auto grown = katz_centrality(engine, graph, {.alpha = 5, .max_iter = 100000});
  ASSERT_FALSE(grown.ok());
  EXPECT_THAT(grown.error().message, ::testing::HasSubstr("without bound"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(katz_centrality(engine, graph, {.alpha = nan}).error().code, ErrorCode::invalid_argument);
  const auto few = katz_centrality(engine, graph, {.max_iter = 2, .tol = 0});
  ASSERT_TRUE(few.ok());
  EXPECT_FALSE(few->converged);
  EXPECT_EQ(few->iterations, 2U);
}

}  // namespace
}  // namespace rizoma
