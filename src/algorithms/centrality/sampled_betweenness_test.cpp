#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/sampled_betweenness.h>

#include "testing/delta_graph.h"
#include "testing/graph_shapes.h"

#include <cmath>

namespace rizoma {
namespace {

using testing::build_graph;

double farthest(const VertexMap<double>& a, const VertexMap<double>& b) {
  double most = 0;
  for (VertexId v = 0; v < a.size(); ++v) most = std::max(most, std::abs(a[v] - b[v]));
  return most;
}

void expect_near(Engine& engine, const GraphView& graph, const SampledBetweennessOptions& options) {
  const auto exact = betweenness_centrality(engine, graph, {.normalized = options.normalized});
  const auto found = sampled_betweenness(engine, graph, options);
  ASSERT_TRUE(exact.ok());
  ASSERT_TRUE(found.ok());
  EXPECT_LE(farthest(exact->scores, found->scores), found->error);
  const auto n = static_cast<double>(graph.num_live());
  const double scale = options.normalized ? 1 : (n - 1) * (n - 2) / (graph.directed() ? 1 : 2);
  EXPECT_LE(found->error, options.epsilon * scale * (1 + 1e-9));
}

class SampledBetweenness : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, SampledBetweenness, testing_shapes());

TEST_P(SampledBetweenness, IsAsNearAsItSays) {
  const bool can = !options.directed || options.in_edges;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const SampledBetweennessOptions wanted{
        .epsilon = 0.03, .delta = 1e-6, .normalized = edges.size() % 2 == 0, .seed = 3};
    if (can) expect_near(engine, graph, wanted);
    else EXPECT_EQ(sampled_betweenness(engine, graph, wanted).error().code, ErrorCode::unsupported);
  }
}

TEST(SampledBetweennessTest, DrawsEachShortestPathAsOften) {
  // Two ways of three edges from 0 to 5, of which the first splits in three.
  const std::vector<std::pair<VertexId, VertexId>> edges{{0, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 5},
                                                         {3, 5}, {4, 5}, {0, 6}, {6, 7}, {7, 5}};
  for (const bool directed : {false, true}) {
    Engine engine({.threads = 3});
    const GraphView graph = build_graph(8, edges, {.directed = directed});
    expect_near(engine, graph, {.epsilon = 0.004, .delta = 1e-4, .seed = 8});
  }
  Engine engine({.threads = 2});
  expect_near(engine, testing::with_changed_lists(build_graph(64, testing::rmat_edges(6, 200, 3)), 4),
              {.epsilon = 0.02, .delta = 1e-4});
}

TEST(SampledBetweennessTest, IsTheSameForEveryNumberOfThreadsAndStopsEarly) {
  const GraphView graph = build_graph(4096, testing::rmat_edges(12, 30000, 4));
  std::vector<double> first;
  for (const unsigned threads : {1U, 2U, 4U}) {
    Engine engine({.threads = threads});
    const auto found = sampled_betweenness(engine, graph, {.epsilon = 0.01, .delta = 0.1, .seed = 5});
    ASSERT_TRUE(found.ok());
    const std::vector<double> scores(found->scores.span().begin(), found->scores.span().end());
    if (first.empty()) first = scores;
    EXPECT_EQ(scores, first);
    EXPECT_LT(found->samples, 40'000U);  // 0.5 / epsilon^2 * (levels + log(2 / delta)) and more are never needed here
  }
}

TEST(SampledBetweennessTest, CountsPathsThatNoDoubleHolds) {
  Engine engine({.threads = 2});
  std::vector<std::pair<VertexId, VertexId>>
      edges;  // 600 diamonds in a row: 2^600 shortest paths, squared where they meet
  VertexId last = 0;
  for (VertexId i = 0; i < 600; ++i, last += 3) {
    for (const VertexId middle : {last + 1, last + 2}) {
      edges.emplace_back(last, middle);
      edges.emplace_back(middle, last + 3);
    }
  }
  expect_near(engine, build_graph(last + 1, edges), {.epsilon = 0.05, .delta = 1e-3});
}

TEST(SampledBetweennessTest, SmallAndEmptyGraphsHaveNone) {
  Engine engine;
  for (const VertexId n : {VertexId{0}, VertexId{1}, VertexId{2}, VertexId{5}}) {
    const auto found = sampled_betweenness(engine, build_graph(n, std::vector<testing::TestEdge>()));
    ASSERT_TRUE(found.ok());
    for (const double score : found->scores.span()) EXPECT_EQ(score, 0);
  }
  engine.request_stop();
  EXPECT_EQ(sampled_betweenness(engine, build_graph(9, testing::path_edges(9))).error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace rizoma
