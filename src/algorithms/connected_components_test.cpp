#include <rizoma/algorithms/connected_components.h>

#include "algorithms/test_shapes.h"
#include "testing/oracles.h"
#include "testing/shared_data.h"

#include <map>
#include <set>
#include <sstream>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

void expect_correct(const GraphView& graph, const ConnectedComponentsResult& result) {
  const std::vector<VertexId> labels = testing::oracle_components(graph.num_vertices(), entries_of(graph));
  std::map<VertexId, VertexId> sizes;
  VertexId largest = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    ASSERT_EQ(result.labels[v], labels[v]) << v;
    if (graph.is_live(v)) largest = std::max(largest, ++sizes[labels[v]]);
  }
  EXPECT_EQ(result.count, sizes.size());
  EXPECT_EQ(result.largest, largest);
}

class Components : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, Components, testing_shapes());

TEST_P(Components, AgreeWithTheOracleOnSmallGraphs) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto result = connected_components(engine, graph);
    ASSERT_TRUE(result.ok());
    expect_correct(graph, *result);
  }
}

TEST_P(Components, AgreeWithTheOracleOnLargerGraphs) {
  for (const auto& edges :
       {testing::rmat_edges(15, 60000, 1), testing::rmat_edges(14, 250000, 1), testing::uniform_edges(40000, 38000, 5),
        testing::grid_edges(150, 90), testing::path_edges(5000), testing::star_edges(20000)}) {
    const GraphView graph = build_graph(40001, edges, options);
    const auto result = connected_components(engine, graph);
    ASSERT_TRUE(result.ok());
    expect_correct(graph, *result);
  }
}

TEST(ConnectedComponents, OfNoVertices) {
  Engine engine;
  const auto result = connected_components(engine, build_graph(0, std::vector<testing::TestEdge>{}));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->count, 0U);
  EXPECT_EQ(result->largest, 0U);
}

TEST(ConnectedComponents, StopOnRequest) {
  Engine engine;
  engine.request_stop();
  const auto result = connected_components(engine, build_graph(1000, testing::path_edges(1000)));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

class KnownComponents : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Graphs, KnownComponents,
                         ::testing::Values("web-cnr-2000", "road-USA-COL", "soc-gowalla-und", "fin-panama-papers-und",
                                           "cit-HepTh", "email-Enron"));

TEST_P(KnownComponents, AreFound) {
  const std::string name = GetParam();
  RIZOMA_SHARED_DATA(file, name + ".el.zst");
  auto known = testing::known_answers(name);
  const bool directed = name.find("-und") == std::string::npos && name.find("road") == std::string::npos;
  Engine engine;
  const auto result = connected_components(engine, build_graph(0, testing::read_edges(file), {.directed = directed}));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->count, known["wcc"] + known["ids"] - known["nonisolated"]);
  EXPECT_EQ(result->largest, known["bigwcc"]);
}

TEST(ConnectedComponents, PartitionAsGraphalyticsExpects) {
  RIZOMA_SHARED_DATA(graph_file, "expected/libgrape-p2p31/p2p-31.e.gz");
  RIZOMA_SHARED_DATA(expected_file, "expected/libgrape-p2p31/p2p-31-WCC.gz");
  Engine engine;
  const auto result = connected_components(engine, build_graph(0, testing::read_edges(graph_file), {.directed = true}));
  ASSERT_TRUE(result.ok());
  std::istringstream expected(testing::read_all(expected_file));
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::set<std::uint64_t> labels;
  std::size_t lines = 0;
  for (std::uint64_t v = 0, label = 0; expected >> v >> label; ++lines) {
    pairs.emplace(label, result->labels[v]);
    labels.insert(label);
  }
  EXPECT_EQ(lines, 62586U);
  EXPECT_EQ(pairs.size(), labels.size());
  EXPECT_EQ(labels.size() + 1, result->count);  // ids begin at 1: vertex 0 has no edges
}

}  // namespace
}  // namespace rizoma
