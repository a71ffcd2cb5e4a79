#include <rizoma/algorithms/bfs.h>

#include "testing/delta_graph.h"
#include "testing/graph_builder.h"
#include "testing/oracles.h"
#include "testing/shared_data.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>
#include <sstream>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::BuildOptions;
using testing::entries_of;
using testing::oracle_levels;
using testing::TestEdge;

/// Levels as the oracle says, and each parent one level lower at the other end of an entry.
void expect_correct(const GraphView& graph, VertexId source, const BfsResult& result) {
  const std::vector<TestEdge> entries = entries_of(graph);
  const VertexId n = graph.num_vertices();
  const std::vector<std::int32_t> levels = oracle_levels(n, entries, source);
  std::set<std::pair<VertexId, VertexId>> pairs;
  for (const TestEdge& e : entries) pairs.emplace(e.source, e.target);
  VertexId reached = 0;
  for (VertexId v = 0; v < n; ++v) {
    ASSERT_EQ(result.levels[v], levels[v]) << v;
    const std::int64_t parent = result.parents[v];
    if (levels[v] <= 0) {
      ASSERT_EQ(parent, v == source ? static_cast<std::int64_t>(source) : -1) << v;
    } else {
      ASSERT_GE(parent, 0) << v;
      ASSERT_EQ(levels[static_cast<VertexId>(parent)], levels[v] - 1) << v;
      ASSERT_TRUE(pairs.contains({static_cast<VertexId>(parent), v})) << v;
    }
    reached += levels[v] >= 0 ? 1 : 0;
  }
  EXPECT_EQ(result.reached, reached);
  EXPECT_EQ(result.depth, *std::max_element(levels.begin(), levels.end()));
}

class BfsOnShapes : public ::testing::TestWithParam<std::tuple<unsigned, bool, bool, unsigned>> {
 protected:
  Engine engine{EngineOptions{.threads = std::get<0>(GetParam())}};
  BuildOptions options{.directed = std::get<1>(GetParam()),
                       .in_edges = std::get<2>(GetParam()),
                       .section_bits = std::get<3>(GetParam()),
                       .wide = std::get<3>(GetParam()) == 3};
};
INSTANTIATE_TEST_SUITE_P(Shapes, BfsOnShapes,
                         ::testing::Combine(::testing::Values(1, 2, 5), ::testing::Bool(), ::testing::Bool(),
                                            ::testing::Values(3, 8, 14)));

TEST_P(BfsOnShapes, AgreesWithTheOracle) {
  const std::vector<std::vector<TestEdge>> graphs{testing::rmat_edges(13, 60000, 1),
                                                  testing::uniform_edges(5000, 6000, 2), testing::grid_edges(40, 70),
                                                  testing::path_edges(3000), testing::star_edges(5000)};
  for (const auto& edges : graphs) {
    const GraphView graph = build_graph(5003, edges, options);
    for (const VertexId source : {VertexId{0}, VertexId{77}, VertexId{4999}}) {
      const auto result = bfs(engine, graph, source);
      ASSERT_TRUE(result.ok());
      expect_correct(graph, source, *result);
    }
  }
  const GraphView changed = testing::with_changed_lists(build_graph(5003, graphs[0], options), 4);
  const auto result = bfs(engine, changed, 0);
  ASSERT_TRUE(result.ok());
  expect_correct(changed, 0, *result);
}

TEST_P(BfsOnShapes, FromSeveralSourcesIsTheNearest) {
  const std::vector<std::vector<TestEdge>> graphs{testing::rmat_edges(11, 9000, 5), testing::grid_edges(30, 40),
                                                  testing::path_edges(1200), testing::uniform_edges(1300, 900, 6)};
  const std::vector<std::vector<VertexId>> groups{{7}, {0, 900, 41}, {5, 5, 6, 5}, {1199, 0, 600, 601, 3}};
  for (const auto& edges : graphs) {
    const GraphView graph = build_graph(2048, edges, options);
    const auto entries = entries_of(graph);
    for (const auto& sources : groups) {
      const auto result = bfs(engine, graph, sources);
      ASSERT_TRUE(result.ok());
      std::vector<std::vector<std::int32_t>> levels;
      for (const VertexId s : sources) levels.push_back(oracle_levels(2048, entries, s));
      VertexId reached = 0;
      for (VertexId v = 0; v < 2048; ++v) {
        std::int32_t nearest = -1;
        for (const auto& each : levels) {
          if (each[v] >= 0 && (nearest < 0 || each[v] < nearest)) nearest = each[v];
        }
        ASSERT_EQ(result->levels[v], nearest) << v;
        reached += nearest >= 0 ? 1 : 0;
        const std::int64_t parent = result->parents[v];
        if (nearest <= 0) {
          ASSERT_EQ(parent, nearest == 0 ? static_cast<std::int64_t>(v) : -1);
        } else {
          ASSERT_EQ(result->levels[static_cast<VertexId>(parent)], nearest - 1);
        }
      }
      EXPECT_EQ(result->reached, reached);
    }
  }
}

TEST(BfsTest, DoesNotPullWhereMostListsLeadToNobodyActive) {
  constexpr VertexId kHubs = 40;  // of each of five components, in which each hub leads to each of the others
  constexpr VertexId kOthers = 500;
  constexpr VertexId kSize = 1 + kHubs + kOthers;
  std::vector<TestEdge> edges;
  for (VertexId first = 0; first < 5 * kSize; first += kSize) {
    for (VertexId hub = first + 1; hub <= first + kHubs; ++hub) {
      edges.push_back({first, hub});
      for (VertexId v = first + kHubs + 1; v < first + kSize; ++v) edges.push_back({hub, v});
    }
  }
  const GraphView graph = build_graph(5 * kSize, edges);
  for (const unsigned threads : {1U, 3U}) {
    Engine engine(EngineOptions{.threads = threads});
    const auto result = bfs(engine, graph, 0);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->reached, kSize);
    EXPECT_LE(engine.traffic().total().local.edges, graph.num_entries() / 5);  // its own component's, each of them once
  }
}

TEST(BfsTest, StopsAtTheGreatestDepthAskedFor) {
  Engine engine(EngineOptions{.threads = 2});
  const GraphView graph = build_graph(4096, testing::rmat_edges(12, 50000, 8));
  const auto levels = oracle_levels(4096, entries_of(graph), 0);
  for (const std::int64_t depth : {0, 1, 2, 100}) {
    const auto result = bfs(engine, graph, 0, {.max_depth = depth});
    ASSERT_TRUE(result.ok());
    VertexId reached = 0;
    for (VertexId v = 0; v < 4096; ++v) {
      ASSERT_EQ(result->levels[v], levels[v] <= depth ? levels[v] : -1);
      reached += result->levels[v] >= 0 ? 1 : 0;
    }
    EXPECT_EQ(result->reached, reached);
  }
}

TEST(BfsTest, RefusesASourceThatIsNotThere) {
  Engine engine(EngineOptions{.threads = 1});
  const GraphView graph = build_graph(10, testing::path_edges(10), {.removed = {4}});
  for (const VertexId source : {VertexId{4}, VertexId{10}, kNoVertex}) {
    const auto result = bfs(engine, graph, source);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  }
  const auto result = bfs(engine, graph, 0);
  EXPECT_EQ(result->reached, 4U);
}

TEST(BfsTest, RefusesSourcesOfWhichOneIsNotThere) {
  Engine engine(EngineOptions{.threads = 1});
  const GraphView graph = build_graph(10, testing::path_edges(10), {.removed = {4}});
  for (const auto& sources : std::vector<std::vector<VertexId>>{{}, {0, 4}, {10}}) {
    const auto result = bfs(engine, graph, sources);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  }
}

TEST(BfsTest, CanBeCancelled) {
  Engine engine(EngineOptions{.threads = 2});
  engine.request_stop();
  const auto result = bfs(engine, build_graph(100, testing::path_edges(100)), 0);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

class BfsOnRealGraphs : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Known, BfsOnRealGraphs,
                         ::testing::Values("road-USA-FLA", "soc-gowalla-und", "web-cnr-2000", "cit-HepPh",
                                           "fin-panama-papers-und", "small/road-luxembourg-osm-und",
                                           "soc-fbA-facebook100-und", "p2p-Gnutella31", "bip-marvel-und"));

TEST_P(BfsOnRealGraphs, AgreesWithKnownFigures) {
  const std::string name = GetParam();
  RIZOMA_SHARED_DATA(file, name + ".el.zst");
  auto known = testing::known_answers(name);
  ASSERT_GT(known["reach"], 0U);
  const bool directed =
      known["maxdeg"] != 0 && (name == "web-cnr-2000" || name.starts_with("cit-") || name.starts_with("p2p"));
  const VertexId source = known["src"];
  for (const bool by_degree : {false, true}) {
    const std::vector<TestEdge> edges = testing::read_edges(file);
    const GraphView graph =
        build_graph(known["ids"], edges, {.directed = directed, .section_bits = 14, .by_degree = by_degree});
    for (const unsigned threads : {1U, 2U}) {
      Engine engine(EngineOptions{.threads = threads});
      const auto result = bfs(engine, graph, by_degree ? testing::degree_order(known["ids"], edges)[source] : source);
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->reached, known["reach"]);
      EXPECT_EQ(result->depth, static_cast<std::int32_t>(known["ecc"]));
      std::uint64_t sum = 0;
      for (VertexId v = 0; v < result->levels.size(); ++v) {
        if (result->levels[v] > 0) sum += static_cast<std::uint64_t>(result->levels[v]);
      }
      EXPECT_EQ(sum, known["sumdist"]);
    }
  }
}

TEST(BfsTest, WhatAnEarlierSearchLeftInMemoryIsNotSeen) {
  // Two components; the greater one is searched first, and what is found there stays in memory that is used again.
  std::vector<TestEdge> edges = testing::uniform_edges(5000, 40000, 3);
  for (VertexId v = 5000; v < 5020; ++v) edges.push_back({v, v + 1});
  const VertexId n = 5030;  // with some vertices that have no edges
  for (const unsigned threads : {1U, 2U}) {
    Engine engine(EngineOptions{.threads = threads});
    const GraphView graph = build_graph(n, edges, {.section_bits = 8});
    for (int round = 0; round < 3; ++round) {
      const auto whole = bfs(engine, graph, 0);
      ASSERT_TRUE(whole.ok());
      expect_correct(graph, 0, *whole);
    }
    auto few = bfs(engine, graph, 5010);
    ASSERT_TRUE(few.ok());
    EXPECT_EQ(few->reached, VertexId{21});
    expect_correct(graph, 5010, *few);
    std::vector<std::int32_t> levels;
    for (VertexId v = 0; v < n; ++v) levels.push_back(few->levels[v]);
    const VertexMap<std::int32_t>& all = few->levels.all();
    EXPECT_THAT(levels, ::testing::ElementsAreArray(all.span()));
    few->parents.all();
    expect_correct(graph, 5010, *few);
  }
}

TEST(BfsTest, AgreesWithGrapeOnP2p31) {
  RIZOMA_SHARED_DATA(graph_file, "p2p-Gnutella31.el.zst");
  const std::vector<TestEdge> edges = testing::read_edges(graph_file);
  Engine engine(EngineOptions{.threads = 2});
  for (const bool directed : {false, true}) {
    const std::string name = directed ? "p2p-31-BFS-directed.gz" : "p2p-31-BFS.gz";
    RIZOMA_SHARED_DATA(expected_file, "expected/libgrape-p2p31/" + name);
    const auto result = bfs(engine, build_graph(62586, edges, {.directed = directed}), 5);  // their ids begin at 1
    ASSERT_TRUE(result.ok());
    std::istringstream lines(testing::read_all(expected_file));
    VertexId count = 0;
    for (VertexId id = 0; lines >> id; ++count) {
      std::int64_t level = 0;
      lines >> level;
      ASSERT_EQ(result->levels[id - 1], level == std::numeric_limits<std::int64_t>::max() ? -1 : level) << id;
    }
    EXPECT_EQ(count, 62586U);
  }
}

}  // namespace
}  // namespace rizoma
