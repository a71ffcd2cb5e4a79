// Leiden, and what it has in common with Louvain.
#include <rizoma/algorithms/leiden.h>
#include <rizoma/algorithms/louvain.h>

#include "testing/graph_shapes.h"
#include "testing/partition_oracles.h"

#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;
using Finder = Result<Communities> (*)(Engine&, const GraphView&, const CommunityOptions&);

class LeidenOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, LeidenOnShapes, testing_shapes());

std::vector<std::uint64_t> labels_of(const Communities& found) {
  return {found.labels.span().begin(), found.labels.span().end()};
}

/// Complete graphs of `size`, one after the other in a ring.
std::vector<testing::TestEdge> ring_of_cliques(VertexId cliques, VertexId size) {
  std::vector<testing::TestEdge> edges;
  for (VertexId clique = 0; clique < cliques; ++clique) {
    for (VertexId u = 0; u < size; ++u) {
      for (VertexId v = 0; v < u; ++v) {
        edges.push_back({clique * size + u, clique * size + v, 1});
        edges.push_back({clique * size + v, clique * size + u, 1});
      }
    }
    edges.push_back({clique * size, ((clique + 1) % cliques) * size + 1, 1});
  }
  return edges;
}

TEST_P(LeidenOnShapes, CommunitiesAreConnectedAndDense) {
  for (const WeightType weights : {WeightType::none, WeightType::float64}) {
    options.weights = weights;
    for (const auto& [edges, form] : small_graphs(options)) {
      const GraphView graph = build_graph(150, edges, form);
      for (const int most : {-1, 1, 2}) {
        const auto result = leiden(engine, graph, {.max_levels = most, .seed = 7, .iterations = most == 2 ? 3 : 1});
        ASSERT_EQ(result.ok(), graph.has_in_edges());
        if (!result.ok()) continue;
        VertexId next = 0;
        for (const VertexId v : live_vertices(graph)) {
          ASSERT_LE(result->labels[v], next);
          if (result->labels[v] == next) ++next;
        }
        EXPECT_EQ(result->count, next);
        EXPECT_EQ(connected_parts(graph, result->labels.span()), next);
        EXPECT_NEAR(result->modularity, modularity_oracle(graph, result->labels.span(), 1), 1e-9);
        ASSERT_FALSE(result->levels.empty());
        EXPECT_THAT(result->levels.back().span(), ::testing::ElementsAreArray(result->labels.span()));
      }
    }
  }
}

TEST_P(LeidenOnShapes, FindsCliques) {
  const GraphView graph = build_graph(80, ring_of_cliques(8, 10), options);
  const auto result = leiden(engine, graph);
  ASSERT_EQ(result.ok(), graph.has_in_edges());
  if (!result.ok()) return;
  EXPECT_EQ(result->count, 8U);
  for (VertexId v = 0; v < 80; ++v) EXPECT_EQ(result->labels[v], v / 10);
}

/// Many chunks of vertices, moves that are shared, weights whose sums round: one answer all the same.
TEST(Leiden, TheAnswerDependsOnTheSeedAndNotOnTheThreads) {
  for (const bool directed : {false, true}) {
    testing::BuildOptions form{.directed = directed, .weights = WeightType::float64};
    std::vector<testing::TestEdge> edges = testing::rmat_edges(17, 150000, 3);
    for (testing::TestEdge& edge : edges) edge.weight = 0.1 / edge.weight;
    const GraphView graph = build_graph(1 << 17, edges, form);
    for (const Finder find : {Finder{louvain}, Finder{leiden}}) {
      std::vector<std::uint64_t> first;
      for (const unsigned threads : {1U, 3U}) {
        Engine engine({.threads = threads});
        const auto result = find(engine, graph, {.max_levels = 3, .seed = 9});
        ASSERT_TRUE(result.ok());
        if (first.empty()) first = labels_of(*result);
        EXPECT_EQ(labels_of(*result), first) << threads;
      }
    }
  }
}

TEST(Leiden, BothFindWhatWasPlanted) {
  const GraphView graph = build_graph(30000, ring_of_cliques(3000, 10), {});
  Engine engine;
  for (const Finder find : {Finder{louvain}, Finder{leiden}}) {
    const auto found = find(engine, graph, {.resolution = 300});
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->count, 3000U);
    const auto few = find(engine, graph, {.resolution = 1});
    ASSERT_TRUE(few.ok());
    EXPECT_LT(few->count, 500U);  // at this resolution neighbouring cliques belong together
    EXPECT_GT(few->modularity, 0.95);
  }
}

TEST(Leiden, GoesOnFromFormerCommunities) {
  std::vector<testing::TestEdge> edges = ring_of_cliques(300, 10);
  const GraphView before = build_graph(3000, edges, {});
  edges.push_back({3, 1503, 50});
  for (VertexId v = 20; v < 30; ++v) {
    for (VertexId w = 30; w < 40; ++w) edges.push_back({v, w, 1});  // two cliques become one
  }
  const GraphView after = build_graph(3001, edges, {});  // and a vertex is new
  std::vector<VertexId> changed{3, 1503, 3000};
  for (VertexId v = 20; v < 40; ++v) changed.push_back(v);
  Engine engine;
  for (const Finder find : {Finder{louvain}, Finder{leiden}}) {
    const auto first = find(engine, before, {.resolution = 30});
    ASSERT_TRUE(first.ok());
    std::vector<std::uint64_t> start = labels_of(*first);
    start.push_back(kNoVertex);
    const auto anew = find(engine, after, {.resolution = 30});
    const auto next = find(engine, after, {.resolution = 30, .start = start, .changed = changed});
    ASSERT_TRUE(anew.ok() && next.ok());
    EXPECT_EQ(anew->count, 300U);
    EXPECT_EQ(labels_of(*next), labels_of(*anew));
    EXPECT_EQ(next->levels.back().size(), 3001U);
    EXPECT_NEAR(next->modularity, modularity_oracle(after, next->labels.span(), 30), 1e-9);
  }
}

TEST(Leiden, CutsWhatChangesHaveLeftApart) {
  std::vector<testing::TestEdge> edges = testing::path_edges(4000);
  edges.erase(edges.begin() + 1000);
  const GraphView graph = build_graph(4000, edges, {});
  const std::vector<std::uint64_t> start(4000, 7);  // one community, of two parts since that edge is gone
  const std::vector<VertexId> changed{1000, 1001};
  for (const unsigned threads : {1U, 3U}) {
    Engine engine({.threads = threads});
    // At a resolution of 0 no vertex gains by leaving.
    const auto found = leiden(engine, graph, {.resolution = 0, .start = start, .changed = changed});
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->count, 2U);
    EXPECT_EQ(connected_parts(graph, found->labels.span()), 2U);
    EXPECT_EQ(louvain(engine, graph, {.resolution = 0, .start = start, .changed = changed})->count, 1U);
  }
}

/// Removes 2, 10 or 30 of 100 edges from sparse graphs and follows: on every level communities may come apart.
TEST(Leiden, CommunitiesAreConnectedAfterChanges) {
  Engine engine;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const VertexId n = 500 + seed % 11 * 100;
    const std::vector<testing::TestEdge> edges = testing::uniform_edges(n, n * (12 + seed % 13) / 10, seed + 1);
    std::vector<testing::TestEdge> kept;
    std::vector<VertexId> changed;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (i * 37 % 100 >= (seed % 3 == 0 ? 2 : seed % 3 == 1 ? 10 : 30)) {
        kept.push_back(edges[i]);
      } else {
        changed.insert(changed.end(), {edges[i].source, edges[i].target});
      }
    }
    const auto before = leiden(engine, build_graph(n, edges, {}), {.seed = seed});
    ASSERT_TRUE(before.ok());
    const GraphView graph = build_graph(n, kept, {});
    const auto after = leiden(engine, graph, {.seed = seed, .start = before->labels.span(), .changed = changed});
    ASSERT_TRUE(after.ok());
    EXPECT_EQ(connected_parts(graph, after->labels.span()), after->count) << seed;
  }
}

TEST(Leiden, NobodyMovesIfNothingHasChanged) {
  const GraphView graph = build_graph(40, ring_of_cliques(4, 10), {});
  Engine engine;
  std::vector<std::uint64_t> start(40);  // halves of cliques, which would join each other
  for (VertexId v = 0; v < 40; ++v) start[v] = v / 5;
  const std::vector<VertexId> none;
  for (const Finder find : {Finder{louvain}, Finder{leiden}}) {
    const auto found = find(engine, graph, {.start = start, .changed = none, .iterations = 3});
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(labels_of(*found), start);
    EXPECT_EQ(found->levels.size(), 1U);
    EXPECT_NEAR(found->modularity, modularity_oracle(graph, start, 1), 1e-12);
  }
  start[39] = 0;  // where nothing links it
  EXPECT_EQ(louvain(engine, graph, {.start = start, .changed = none})->count, 8U);
  const auto cut = leiden(engine, graph, {.start = start, .changed = none});
  EXPECT_EQ(cut->count, 9U);
  EXPECT_EQ(connected_parts(graph, cut->labels.span()), 9U);
  EXPECT_EQ(leiden(engine, graph, {.changed = none}).error().code, ErrorCode::invalid_argument);
}

TEST(Leiden, IterationsGainWhatOneLeaves) {
  const GraphView graph = build_graph(1 << 12, testing::rmat_edges(12, 40000, 5), {});
  Engine engine;
  double before = 0;
  for (const int iterations : {1, 2, 4}) {
    const auto found = leiden(engine, graph, {.seed = 3, .iterations = iterations});
    ASSERT_TRUE(found.ok());
    EXPECT_GT(found->modularity, before);
    EXPECT_EQ(connected_parts(graph, found->labels.span()), found->count);
    before = found->modularity;
  }
}

TEST(Leiden, RefusesWhatMakesNoSense) {
  const GraphView graph = build_graph(4, testing::path_edges(4), {});
  Engine engine;
  const std::vector<std::uint64_t> few{0, 1};
  const std::vector<std::uint64_t> all{0, 0, 1, 1};
  const std::vector<VertexId> unknown{4};
  const auto code = [&](const CommunityOptions& given) { return leiden(engine, graph, given).error().code; };
  EXPECT_EQ(code({.start = few}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.start = all, .changed = unknown}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.changed = unknown}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.resolution = std::numeric_limits<double>::infinity()}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.threshold = -1}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.iterations = 0}), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace rizoma
