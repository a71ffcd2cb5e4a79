#include <rizoma/algorithms/triangle_count.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"
#include "testing/shared_data.h"

#include <numeric>
#include <sstream>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class Triangles : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, Triangles, testing_shapes());

TEST_P(Triangles, AgreeWithTheOracle) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const std::vector<std::uint64_t> counts = testing::oracle_triangles(graph.num_vertices(), entries_of(graph));
    const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) / 3;
    const auto each = triangle_count(engine, graph);
    ASSERT_TRUE(each.ok());
    EXPECT_EQ(each->total, total);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(each->counts[v], counts[v]) << v;
    const auto only_total = triangle_count(engine, graph, {.per_vertex = false});
    ASSERT_TRUE(only_total.ok());
    EXPECT_EQ(only_total->total, total);
    EXPECT_EQ(only_total->counts.size(), 0U);
  }
}

TEST_P(Triangles, BeyondTheCoreAreCounted) {
  // Complete graphs of 5 vertices, many more than there are rows of bits, beside a hub.
  std::vector<testing::TestEdge> edges;
  constexpr VertexId kCliques = 9000;
  for (VertexId c = 0; c < kCliques; ++c) {
    for (VertexId i = 0; i < 5; ++i) {
      for (VertexId j = 0; j < i; ++j) edges.push_back({5 * c + i, 5 * c + j, 1});
    }
    edges.push_back({5 * c, 5 * kCliques, 1});
  }
  const auto result = triangle_count(engine, build_graph(5 * kCliques + 1, edges, options));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->total, 10 * kCliques);
  for (VertexId v = 0; v < 5 * kCliques; ++v) ASSERT_EQ(result->counts[v], 6U) << v;
}

TEST(TriangleCount, OfListsInAnyOrder) {
  // A square with a diagonal, its lists as a user might have added their entries.
  const std::vector<std::uint32_t> offsets{0, 3, 5, 8, 10};
  const std::vector<std::uint32_t> targets{3, 1, 2, 2, 0, 1, 0, 3, 0, 2};
  GraphView::Parts parts;
  parts.out = Adjacency<std::uint32_t>(12, 4, {{offsets.data(), targets.data(), nullptr}});
  parts.num_entries = 10;
  Engine engine;
  const auto result = triangle_count(engine, GraphView(std::move(parts)));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->total, 2U);
  EXPECT_EQ(std::vector<std::uint64_t>(result->counts.span().begin(), result->counts.span().end()),
            (std::vector<std::uint64_t>{2, 1, 2, 1}));
}

TEST(TriangleCount, StopsOnRequest) {
  Engine engine;
  engine.request_stop();
  const auto result = triangle_count(engine, build_graph(1000, testing::path_edges(1000)));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

class KnownTriangles : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Graphs, KnownTriangles,
                         ::testing::Values("web-cnr-2000", "road-USA-COL", "soc-gowalla-und", "soc-Slashdot0902",
                                           "cit-HepPh", "soc-ego-twitter-und", "bip-marvel-und", "ca-HepPh-und"));

TEST_P(KnownTriangles, AreCounted) {
  const std::string name = GetParam();
  RIZOMA_SHARED_DATA(file, name + ".el.zst");
  auto known = testing::known_answers(name);
  Engine engine;
  for (const bool directed : {false, true}) {
    const auto result = triangle_count(engine, build_graph(0, testing::read_edges(file), {.directed = directed}));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->total, known["tri"]);
    EXPECT_EQ(std::accumulate(result->counts.data(), result->counts.data() + result->counts.size(), std::uint64_t{0}),
              3 * known["tri"]);
  }
}

TEST(TriangleCount, OfFacebookAsPublished) {
  RIZOMA_SHARED_DATA(file, "expected/emptyheaded-facebook/facebook_pruned.tsv.gz");
  Engine engine;
  const auto result = triangle_count(engine, build_graph(0, testing::read_edges(file)));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->total, 1612010U);
}

/// Edges of a Matrix Market file, numbered from 0.
std::vector<testing::TestEdge> read_matrix(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line) && line.starts_with('%')) {
  }
  std::vector<testing::TestEdge> edges;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    VertexId u = 0;
    VertexId v = 0;
    if (fields >> u >> v) edges.push_back({u - 1, v - 1, 1});
  }
  return edges;
}

TEST(TriangleCount, OfMatricesAsPublished) {
  const std::pair<const char*, std::uint64_t> published[] = {{"karate", 45},
                                                             {"A", 11},
                                                             {"jagmesh7", 2016},
                                                             {"ldbc-cdlp-undirected-example", 6},
                                                             {"ldbc-undirected-example", 4},
                                                             {"ldbc-wcc-example", 5},
                                                             {"bcsstk13", 342300}};
  Engine engine;
  for (const auto& [name, total] : published) {
    RIZOMA_SHARED_DATA(file, std::string("expected/lagraph-small/") + name + ".mtx");
    const auto result = triangle_count(engine, build_graph(0, read_matrix(testing::read_all(file))));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->total, total) << name;
  }
}

TEST(TriangleCount, GivesTheClusteringThatGraphalyticsExpects) {
  RIZOMA_SHARED_DATA(graph_file, "expected/libgrape-p2p31/p2p-31.e.gz");
  RIZOMA_SHARED_DATA(expected_file, "expected/libgrape-p2p31/p2p-31-LCC.gz");
  Engine engine;
  const GraphView graph = build_graph(0, testing::read_edges(graph_file));
  const auto result = triangle_count(engine, graph);
  ASSERT_TRUE(result.ok());
  std::istringstream expected(testing::read_all(expected_file));
  VertexId v = 0;
  std::size_t lines = 0;
  for (double clustering = 0; expected >> v >> clustering; ++lines) {
    const auto degree = graph.with_out([&](const auto& out) { return static_cast<double>(out.degree(v)); });
    const double ours = degree < 2 ? 0 : 2.0 * static_cast<double>(result->counts[v]) / (degree * (degree - 1));
    ASSERT_NEAR(ours, clustering, 1e-12) << v;
  }
  EXPECT_EQ(lines, 62586U);
}

}  // namespace
}  // namespace rizoma
