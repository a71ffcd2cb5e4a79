#include <rizoma/algorithms/connected_components.h>

#include "base/random.h"
#include "testing/graph_shapes.h"
#include "testing/oracles.h"
#include "testing/shared_data.h"

#include <algorithm>
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

/// Towns of `size` vertices, all of which know the mayor, the first one; every third one some town's other vertex, if
/// they are tied.
std::vector<testing::TestEdge> towns(VertexId count, VertexId size, bool tied) {
  std::vector<testing::TestEdge> edges;
  Random random(count);
  for (VertexId v = 0; v < count * size; ++v) {
    if (v % size != 0) edges.push_back({v, v / size * size});
    if (tied && v % 3 == 0) edges.push_back({v, random.below(count * size)});
  }
  return edges;
}

TEST_P(Components, AgreeWithTheOracleOnLargerGraphs) {
  for (const auto& edges :
       {testing::rmat_edges(15, 60000, 1), testing::rmat_edges(14, 250000, 1), testing::uniform_edges(40000, 38000, 5),
        testing::grid_edges(150, 90), testing::path_edges(5000), testing::star_edges(20000), towns(100, 300, false),
        towns(4, 8000, true)}) {
    const GraphView graph = build_graph(40001, edges, options);
    const auto result = connected_components(engine, graph);
    ASSERT_TRUE(result.ok());
    expect_correct(graph, *result);
  }
}

/// The edges after some were lost and others came, and the ends of those.
struct Later {
  std::vector<testing::TestEdge> edges;
  std::vector<VertexId> changed;
};

Later after_changes(const std::vector<testing::TestEdge>& edges, VertexId n, std::size_t lost, std::size_t gained) {
  Later later{edges, {}};
  Random random(lost + gained);
  const auto change = [&](const testing::TestEdge& edge) {
    later.changed.push_back(edge.source);
    later.changed.push_back(edge.target);
  };
  for (std::size_t i = 0; i < lost && !later.edges.empty(); ++i) {
    const auto at = later.edges.begin() + static_cast<std::ptrdiff_t>(random.below(later.edges.size()));
    change(*at);
    later.edges.erase(at);
  }
  for (const testing::TestEdge& edge : testing::uniform_edges(n, gained, lost)) {
    change(edge);
    later.edges.push_back(edge);
  }
  return later;
}

TEST_P(Components, FromAFormerStateAreThoseFromScratch) {
  constexpr VertexId kVertices = 150;
  for (const auto& [edges, form] : small_graphs(options)) {
    for (const auto& [lost, gained] : {std::pair(0, 3), std::pair(3, 4)}) {
      const Later later =
          after_changes(edges, kVertices, static_cast<std::size_t>(lost), static_cast<std::size_t>(gained));
      auto former_form = form;
      former_form.by_degree = false;  // numbers stay
      const GraphView before = build_graph(kVertices - 10, edges, former_form);
      auto later_form = former_form;
      later_form.removed.push_back(17);
      const GraphView graph = build_graph(kVertices, later.edges, later_form);
      const auto old = connected_components(engine, before);
      ASSERT_TRUE(old.ok());
      std::vector<std::uint64_t> names(kVertices, kNoVertex);
      std::ranges::copy(old->labels.span(), names.begin());
      for (const GraphView* const seen : {static_cast<const GraphView*>(nullptr), &before}) {
        const auto result = connected_components(engine, graph, {names, later.changed, seen});
        ASSERT_TRUE(result.ok());
        expect_correct(graph, *result);
      }
      for (std::uint64_t& name : names) name = name == kNoVertex ? name : kVertices - 1 - name;  // any names will do
      const auto renamed = connected_components(engine, graph, {names, later.changed, &before});
      ASSERT_TRUE(renamed.ok());
      expect_correct(graph, *renamed);
    }
  }
}

TEST(ConnectedComponents, FromAFormerStateLookAtLittle) {
  // 20 paths of 50 vertices, of which one is cut and two are joined: what is read are these lists alone.
  std::vector<testing::TestEdge> edges;
  for (VertexId v = 0; v + 1 < 1000; ++v) {
    if (v % 50 != 49) edges.push_back({v, v + 1, 1});
  }
  Engine engine;
  const GraphView before = build_graph(1000, edges);
  const auto old = connected_components(engine, before);
  ASSERT_TRUE(old.ok());
  std::erase_if(edges, [](const testing::TestEdge& edge) { return edge.source == 120; });
  edges.push_back({310, 777, 1});
  const GraphView graph = build_graph(1000, edges);
  engine.reset_traffic();
  const std::vector<VertexId> changed = {120, 121, 310, 777};
  const auto result = connected_components(engine, graph, {old->labels.span(), changed, &before});
  ASSERT_TRUE(result.ok());
  expect_correct(graph, *result);
  EXPECT_EQ(result->count, 20U);
  EXPECT_EQ(result->largest, 100U);
  EXPECT_LT(engine.traffic().total().local.edges, 200U);
}

/// From `edges` without those that lead along or from 'removed' and with others, against the oracle.
void expect_followed(std::vector<testing::TestEdge> edges, VertexId n, const ChangedEdges& changes,
                     std::vector<VertexId> gone = {}) {
  for (const bool directed : {false, true}) {
    Engine engine({.threads = 2});
    const GraphView before = build_graph(n, edges, {.directed = directed});
    const auto old = connected_components(engine, before);
    ASSERT_TRUE(old.ok());
    auto later = edges;
    const auto& removed = changes.removed;
    for (std::size_t i = 0; i < removed.size(); i += 2) {
      std::erase_if(later, [&](const testing::TestEdge& edge) {
        return (edge.source == removed[i] && edge.target == removed[i + 1]) ||
               (edge.target == removed[i] && edge.source == removed[i + 1]);
      });
    }
    for (std::size_t i = 0; i < changes.added.size(); i += 2)
      later.push_back({changes.added[i], changes.added[i + 1], 1});
    testing::BuildOptions form{.directed = directed};
    form.removed = gone;
    const GraphView graph = build_graph(n, later, form);
    const WarmStartComponents former{.names = old->labels.span(), .edges = &changes};
    const auto result = connected_components(engine, graph, former);
    ASSERT_TRUE(result.ok());
    expect_correct(graph, *result);
  }
}

TEST(ConnectedComponents, WhatTheRemovedConnectedIsAskedForAgain) {
  const auto path = testing::path_edges(7);
  expect_followed(path, 7, {{}, {2, 3, 3, 4}});              // both sides of 3: they are apart, too
  expect_followed(path, 7, {{2, 4}, {2, 3, 3, 4}});          // they have another way
  expect_followed(path, 7, {{}, {1, 2, 2, 3, 3, 4, 4, 5}});  // three in a row
  expect_followed(path, 7, {{1, 5}, {1, 2, 2, 3, 4, 5}});    // two of them stay together
  expect_followed(path, 7, {{}, {0, 1}});                    // the first one leaves: others have its name
  expect_followed(path, 7, {{0, 6}, {0, 1}});
  expect_followed(path, 7, {{}, {2, 3, 3, 4}}, {3});  // a vertex goes
  expect_followed(path, 7, {{2, 4}, {0, 1, 2, 3, 3, 4}}, {0, 3});
  expect_followed(testing::star_edges(6), 6, {{1, 2, 4, 5}, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5}}, {0});
  expect_followed(testing::grid_edges(60, 60), 3600, {{}, {0, 1, 0, 60, 61, 62, 61, 121, 61, 60, 61, 1, 1800, 1801}});
}

TEST(ConnectedComponents, ManyRandomChangesAreFollowed) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const VertexId n = 200;
    const auto edges = testing::uniform_edges(n, 100 + 5 * seed, seed);
    Random random(seed);
    ChangedEdges changes;
    for (int i = 0; i < 20; ++i) {
      const testing::TestEdge& edge = edges[random.below(edges.size())];
      if (edge.source != edge.target) changes.removed.insert(changes.removed.end(), {edge.source, edge.target});
    }
    for (const testing::TestEdge& edge : testing::uniform_edges(n, seed % 12, seed + 1000))
      changes.added.insert(changes.added.end(), {edge.source, edge.target});
    expect_followed(edges, n, changes);
  }
}

TEST(ConnectedComponents, TwoGreatHalvesAreFoundFromScratch) {
  std::vector<testing::TestEdge> edges = testing::grid_edges(100, 100);
  for (testing::TestEdge edge : testing::grid_edges(100, 100))
    edges.push_back({edge.source + 10000, edge.target + 10000, 1});
  edges.push_back({9999, 10000, 1});
  expect_followed(edges, 20000, {{}, {9999, 10000}});
}

TEST(ConnectedComponents, RefuseStrangeFormerStates) {
  Engine engine;
  const GraphView graph = build_graph(3, testing::path_edges(3));
  const std::vector<std::uint64_t> names = {0, 0, 0};
  const auto code = [&](const WarmStartComponents& former) {
    const auto result = connected_components(engine, graph, former);
    return result.ok() ? ErrorCode::closed : result.error().code;
  };
  EXPECT_EQ(code({std::span(names).first(2), {}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({names, std::vector<VertexId>{3}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({std::vector<std::uint64_t>{0, 3, 0}, {}}), ErrorCode::invalid_argument);
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
