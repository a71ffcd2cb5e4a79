#include <rizoma/algorithms/pagerank.h>

#include "testing/graph_builder.h"
#include "testing/oracles.h"
#include "testing/shared_data.h"

#include <rizoma/detail/hub_accumulators.h>

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <span>
#include <sstream>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::BuildOptions;
using testing::entries_of;
using testing::oracle_pagerank;
using testing::OraclePageRank;
using testing::TestEdge;

void expect_near(std::span<const double> scores, const std::vector<double>& expected, double relative) {
  ASSERT_EQ(scores.size(), expected.size());
  for (std::size_t v = 0; v < expected.size(); ++v) {
    ASSERT_NEAR(scores[v], expected[v], relative * expected[v] + 1e-300) << "vertex " << v;
  }
}

/// Every way a graph may be in memory, for 1 and 3 threads.
class PageRankOnShapes : public ::testing::TestWithParam<std::tuple<unsigned, bool, bool, WeightType, unsigned>> {
 protected:
  Engine engine{EngineOptions{.threads = std::get<0>(GetParam())}};
  BuildOptions options{.directed = std::get<1>(GetParam()),
                       .in_edges = std::get<2>(GetParam()),
                       .weights = std::get<3>(GetParam()),
                       .section_bits = std::get<4>(GetParam()),
                       .wide = std::get<4>(GetParam()) == 4,
                       .merge = std::get<4>(GetParam()) != 4};
};
INSTANTIATE_TEST_SUITE_P(Shapes, PageRankOnShapes,
                         ::testing::Combine(::testing::Values(1, 3), ::testing::Bool(), ::testing::Bool(),
                                            ::testing::Values(WeightType::none, WeightType::int32, WeightType::float32,
                                                              WeightType::float64),
                                            ::testing::Values(4, 12)));

TEST_P(PageRankOnShapes, AgreesWithTheOracle) {
  const bool weighted = options.weights != WeightType::none;
  for (const std::uint64_t seed : {1, 2}) {
    BuildOptions build = options;
    build.removed = {5, 700};
    const GraphView graph = build_graph(1500, testing::rmat_edges(10, 6000, seed), build);
    std::vector<double> personalization(1500);
    std::vector<double> start(1500);
    for (VertexId v = 0; v < 1500; ++v) {
      personalization[v] = v % 3 == 0 ? static_cast<double>(v % 7) : 0;
      start[v] = static_cast<double>(v % 5);
    }
    for (const bool plain : {true, false}) {
      PageRankOptions run{.alpha = plain ? 0.85 : 0.5, .tol = 0, .max_iter = 12, .use_weights = weighted};
      OraclePageRank expected{.alpha = run.alpha, .iterations = 12, .weighted = weighted, .removed = build.removed};
      if (!plain) {
        run.personalization = expected.personalization = personalization;
        run.start = expected.start = start;
      }
      const auto result = pagerank(engine, graph, run);
      ASSERT_TRUE(result.ok()) << result.error().message;
      EXPECT_EQ(result->iterations, 12);
      EXPECT_FALSE(result->converged);
      expect_near(result->scores.span(), oracle_pagerank(1500, entries_of(graph), expected), 1e-12);
      EXPECT_EQ(result->scores[700], 0);
      EXPECT_NEAR(std::accumulate(result->scores.data(), result->scores.data() + 1500, 0.0), 1, 1e-12);
    }
  }
}

TEST(PageRankTest, StopsAtTheErrorAskedForAndNoLater) {
  Engine engine(EngineOptions{.threads = 2});
  const GraphView graph = build_graph(1024, testing::rmat_edges(10, 8000, 3), {.directed = true});
  const auto exact = oracle_pagerank(1024, entries_of(graph), {.iterations = 400});
  for (const double tol : {1e-5, 1e-8, 1e-12}) {
    const auto result = pagerank(engine, graph, {.tol = tol, .max_iter = 300});
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->converged);
    double distance = 0;
    for (VertexId v = 0; v < 1024; ++v) distance += std::abs(result->scores[v] - exact[v]);
    EXPECT_LE(distance, result->error + 1e-14);
    EXPECT_LT(result->error, tol);

    // One iteration less must not have been enough.
    const auto before = pagerank(engine, graph, {.tol = 0, .max_iter = result->iterations - 1});
    const auto earlier = pagerank(engine, graph, {.tol = 0, .max_iter = result->iterations - 2});
    double change = 0;
    for (VertexId v = 0; v < 1024; ++v) change += std::abs(before->scores[v] - earlier->scores[v]);
    EXPECT_GE(change * 0.85 / 0.15, tol);
  }
}

/// The default means what it says, whatever the number of vertices: it used to be an error of 0.3 in a large graph.
TEST(PageRankTest, DefaultsGiveSixDigits) {
  Engine engine(EngineOptions{.threads = 2});
  const GraphView graph = build_graph(1 << 14, testing::rmat_edges(14, 100000, 3), {.directed = true});
  const auto result = pagerank(engine, graph);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->converged);
  const auto exact = oracle_pagerank(1 << 14, entries_of(graph), {.iterations = 200});
  double distance = 0;
  for (VertexId v = 0; v < exact.size(); ++v) distance += std::abs(result->scores[v] - exact[v]);
  EXPECT_LE(distance, 1e-6);
}

TEST(PageRankTest, LargeGraphsKeepSixDigits) {
  // More than 2^20 vertices: contributions are float32.
  const VertexId n = (VertexId{1} << 20) + 100;
  Engine engine(EngineOptions{.threads = 2});
  const GraphView graph = build_graph(n, testing::uniform_edges(n, 2000000, 4), {.section_bits = 16});
  const auto result = pagerank(engine, graph, {.tol = 0, .max_iter = 30});
  ASSERT_TRUE(result.ok());
  expect_near(result->scores.span(), oracle_pagerank(n, entries_of(graph), {.iterations = 30}), 1e-6);
}

/// In whole units (hub_accumulators.h) each entry is off by more than roundings are: only a run that allows for it may
/// be.
TEST(PageRankTest, SumsAreNotInUnitsWhereErrorsWouldNotSaySo) {
  constexpr VertexId kVertices = VertexId{1} << 21;
  constexpr VertexId kHubs = VertexId{1} << 18;
  std::vector<TestEdge> edges = testing::uniform_edges(kVertices, kVertices / 2, 5);
  for (TestEdge& edge : edges) edge.source %= kHubs;
  GraphView::Parts parts = build_graph(kVertices, std::move(edges), {.section_bits = 16}).parts();
  parts.ordered_by_degree = true;
  const GraphView graph(std::move(parts));
  Engine engine(EngineOptions{.threads = 2});
  ASSERT_EQ(engine_detail::hubs_that_pay(engine, graph), kHubs) << "or nothing is tested";
  std::vector<double> personalization(kVertices);
  for (VertexId v = 0; v < kVertices; ++v) personalization[v] = 1 + static_cast<double>(v % 7);
  const auto result = pagerank(engine, graph, {.tol = 0, .max_iter = 2, .personalization = personalization});
  ASSERT_TRUE(result.ok());
  const OraclePageRank run{.iterations = 2, .personalization = personalization};
  expect_near(result->scores.span(), oracle_pagerank(kVertices, entries_of(graph), run), 1e-13);
}

double distance_of(const PageRankResult& a, const PageRankResult& b) {
  double distance = 0;
  for (VertexId v = 0; v < a.scores.size(); ++v) distance += std::abs(a.scores[v] - b.scores[v]);
  return distance;
}

TEST(PageRankTest, AcceleratedIsNeverBelowZero) {
  // All teleport go to a triangle; ranks of a binary tree that was tied to it are 0 once the tie is gone.
  std::vector<std::pair<VertexId, VertexId>> edges{{0, 1}, {1, 2}, {0, 2}};
  for (VertexId v = 4; v < 260; ++v) edges.emplace_back(v, 3 + (v - 4) / 2);
  std::vector<double> personalization(260);
  personalization[0] = 1;
  Engine engine(EngineOptions{.threads = 1});
  PageRankOptions run{.tol = 1e-8, .max_iter = 400};
  run.personalization = personalization;
  const GraphView apart = build_graph(260, edges);
  edges.emplace_back(2, 3);
  const auto tied = pagerank(engine, build_graph(260, edges), run);
  ASSERT_TRUE(tied.ok());
  run.start = tied->scores.span();
  run.accelerate = true;
  const auto result = pagerank(engine, apart, run);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->converged);
  for (const double score : result->scores.span()) EXPECT_GE(score, 0);
}

TEST(PageRankTest, AcceleratedIsAsNearAsItSays) {
  std::vector<double> personalization(900);
  for (VertexId v = 0; v < 900; ++v) personalization[v] = static_cast<double>(v % 4);
  // A path with a shortcut has eigenvalues near 1, R-MAT has vertices without edges, a star an eigenvalue of -1.
  auto path = testing::path_edges(800);
  path.push_back({10, 500, 2});
  for (const auto& edges :
       {path, testing::rmat_edges(9, 1500, 3), testing::star_edges(300), testing::grid_edges(30, 30)}) {
    for (const bool plain : {true, false}) {
      Engine engine(EngineOptions{.threads = plain ? 1U : 3U});
      const GraphView graph =
          build_graph(900, edges, {.weights = plain ? WeightType::none : WeightType::int32, .removed = {5, 70}});
      PageRankOptions run{.tol = 1e-13, .max_iter = 400, .use_weights = !plain};
      if (!plain) run.personalization = personalization;
      const auto exact = pagerank(engine, graph, run);
      ASSERT_TRUE(exact.ok());
      run.accelerate = true;
      for (const double tol : {1e-4, 1e-9}) {
        run.tol = tol;
        run.max_iter = 400;
        const auto result = pagerank(engine, graph, run);
        ASSERT_TRUE(result.ok());
        EXPECT_TRUE(result->converged);
        EXPECT_LT(result->error, tol);
        EXPECT_LE(distance_of(*result, *exact), result->error + 2e-13);
        ASSERT_GT(result->iterations, 3);
        run.max_iter = result->iterations - 2;  // the error of an unconverged run is reported, too
        const auto short_of = pagerank(engine, graph, run);
        EXPECT_FALSE(short_of->converged);
        EXPECT_LE(distance_of(*short_of, *exact), short_of->error + 2e-13);
      }
    }
  }
}

/// Most vertices have no edges: one of them stands for all.
TEST(PageRankTest, VerticesWithoutEdgesHaveTheRanksThatTheyHave) {
  constexpr VertexId kVertices = 3000;
  const auto edges = testing::rmat_edges(9, 1500, 3);
  for (const bool weighted : {false, true}) {
    BuildOptions build{.weights = weighted ? WeightType::int32 : WeightType::none, .section_bits = 6};
    build.removed = {0, 1, 700, 2999};
    const GraphView graph = build_graph(kVertices, edges, build);
    for (const unsigned threads : {1U, 3U}) {
      Engine engine(EngineOptions{.threads = threads});
      for (const int iterations : {0, 1, 25}) {
        const auto result =
            pagerank(engine, graph, {.tol = 0, .max_iter = iterations, .use_weights = weighted, .accelerate = false});
        ASSERT_TRUE(result.ok());
        const auto expected = oracle_pagerank(
            kVertices, entries_of(graph), {.iterations = iterations, .weighted = weighted, .removed = build.removed});
        expect_near(result->scores.span(), expected, 1e-12);
      }
      const auto near =
          pagerank(engine, graph, {.tol = 1e-10, .max_iter = 400, .use_weights = weighted, .accelerate = true});
      ASSERT_TRUE(near.ok() && near->converged);
      EXPECT_NEAR(std::accumulate(near->scores.span().begin(), near->scores.span().end(), 0.0), 1, 1e-9);
      EXPECT_EQ(near->scores[2000], near->scores[2998]);
      EXPECT_EQ(near->scores[2999], 0);
    }
  }
}

TEST(PageRankTest, AcceleratedTakesHalfTheIterations) {
  Engine engine(EngineOptions{.threads = 2});
  const GraphView graph = build_graph(0, testing::grid_edges(60, 60));
  const auto plain = pagerank(engine, graph, {.tol = 1e-9, .max_iter = 400});
  const auto result = pagerank(engine, graph, {.tol = 1e-9, .max_iter = 400, .accelerate = true});
  ASSERT_TRUE(plain.ok() && result.ok());
  EXPECT_LT(2 * result->iterations, plain->iterations);
}

TEST(PageRankTest, SmallestGraphs) {
  Engine engine(EngineOptions{.threads = 2});
  const auto none = pagerank(engine, GraphView());
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->scores.size(), 0U);
  EXPECT_TRUE(none->converged);
  const auto alone = pagerank(engine, build_graph(1, std::vector<TestEdge>{}));
  EXPECT_DOUBLE_EQ(alone->scores[0], 1);
  const auto no_edges = pagerank(engine, build_graph(4, std::vector<TestEdge>{}));
  EXPECT_THAT(no_edges->scores.span(), ::testing::Each(0.25));
  EXPECT_TRUE(no_edges->converged);
}

TEST(PageRankTest, RefusesWhatHasNoMeaning) {
  Engine engine(EngineOptions{.threads = 1});
  const GraphView graph = build_graph(3, testing::path_edges(3), {.weights = WeightType::float64});
  const auto refused = [&](const PageRankOptions& options, const GraphView& on) {
    const auto result = pagerank(engine, on, options);
    return !result.ok() && result.error().code == ErrorCode::invalid_argument;
  };
  const std::vector<double> short_vector{1, 2};
  const std::vector<double> negative{1, -1, 3};
  const std::vector<double> zero{0, 0, 0};
  EXPECT_TRUE(refused({.alpha = 1}, graph));
  EXPECT_TRUE(refused({.alpha = -0.1}, graph));
  EXPECT_TRUE(refused({.max_iter = -1}, graph));
  EXPECT_TRUE(refused({.personalization = short_vector}, graph));
  EXPECT_TRUE(refused({.personalization = negative}, graph));
  EXPECT_TRUE(refused({.start = zero}, graph));
  EXPECT_TRUE(refused({.use_weights = true}, build_graph(3, testing::path_edges(3))));
  EXPECT_TRUE(refused({.use_weights = true},
                      build_graph(2, std::vector<TestEdge>{{0, 1, -2}}, {.weights = WeightType::float32})));
}

/// Ranks do not depend on the unit that weights, or shares of teleport, are given in.
TEST_P(PageRankOnShapes, AllFiniteValuesAreAlike) {
  if (options.weights == WeightType::int32 || options.weights == WeightType::none) GTEST_SKIP() << "no great weights";
  const bool small = options.weights == WeightType::float32;
  const auto run = [&](double unit, double jump) {
    std::vector<TestEdge> edges = testing::rmat_edges(8, 1000, 4);
    for (TestEdge& edge : edges) edge.weight = unit;
    std::vector<double> teleport(256, 0);
    teleport[3] = teleport[7] = jump;
    auto result =
        pagerank(engine, build_graph(256, edges, options),
                 {.tol = 0, .max_iter = 30, .use_weights = true, .personalization = teleport, .dangling = teleport});
    EXPECT_TRUE(result.ok());
    return *std::move(result);
  };
  const PageRankResult expected = run(1, 1);
  const std::vector<double> scores(expected.scores.span().begin(), expected.scores.span().end());
  for (const double unit : small ? std::vector{3e38, 1e-45} : std::vector{1.7e308, 1e200, 1e-290, 1e-310, 5e-324})
    expect_near(run(unit, 1).scores.span(), scores, 1e-12);
  expect_near(run(1, 5e-324).scores.span(), scores, 1e-12);
  expect_near(run(1, 8e307).scores.span(), scores, 1e-12);
}

TEST(PageRankTest, RefusesWeightsThatLieTooFarApart) {
  Engine engine(EngineOptions{.threads = 1});
  const std::vector<TestEdge> edges{{0, 1, 1e300}, {1, 2, 1e-300}, {2, 0, 1}};
  const auto result = pagerank(engine, build_graph(3, edges, {.directed = true, .weights = WeightType::float64}),
                               {.use_weights = true});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
}

TEST(PageRankTest, CanBeCancelled) {
  Engine engine(EngineOptions{.threads = 2});
  engine.request_stop();
  const auto result = pagerank(engine, build_graph(100, testing::path_edges(100)));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

TEST(PageRankTest, AgreesWithGrapeOnP2p31) {
  RIZOMA_SHARED_DATA(expected_file, "expected/libgrape-p2p31/p2p-31-PR.gz");
  RIZOMA_SHARED_DATA(graph_file, "p2p-Gnutella31.el.zst");
  const GraphView graph = build_graph(62586, testing::read_edges(graph_file));
  Engine engine(EngineOptions{.threads = 2});
  const auto result = pagerank(engine, graph, {.tol = 0, .max_iter = 10});
  ASSERT_TRUE(result.ok());
  std::istringstream lines(testing::read_all(expected_file));
  VertexId count = 0;
  for (VertexId id = 0; lines >> id; ++count) {
    double rank = 0;
    lines >> rank;
    ASSERT_NEAR(result->scores[id - 1], rank, 1e-12 * rank) << id;  // their ids begin at 1
  }
  EXPECT_EQ(count, 62586U);
}

}  // namespace
}  // namespace rizoma
