// Kernels on a graph that their limit of memory does not hold: other ways through the lists, the same answers.
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/triangle_count.h>

#include "base/random.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr VertexId kVertices = 50'000;
constexpr EdgeCount kEdges = 2'200'000;  // 17.6 MB of lists: more than Readahead takes for small

/// A graph of three parts: nearly all vertices, some that are reached from none of these, and some without edges.
GraphView three_parts(bool by_degree) {
  constexpr VertexId kGreat = kVertices * 9 / 10;
  constexpr VertexId kOther = kVertices * 95 / 100;
  Random random(7);
  std::vector<testing::TestEdge> edges;
  for (EdgeCount e = 0; e < kEdges; ++e) {
    const bool other = e % 100 == 0;
    const VertexId first = other ? kGreat : 0;
    const VertexId size = other ? kOther - kGreat : kGreat;
    edges.push_back({first + random.below(size), first + random.below(size), 1});
  }
  return testing::build_graph(kVertices, edges, {.section_bits = 8, .by_degree = by_degree});
}

class KernelsInLittleMemory : public ::testing::TestWithParam<bool> {
 protected:
  const GraphView graph_ = three_parts(GetParam());
  Engine free_{EngineOptions{.threads = 2}};
  Engine limited_{EngineOptions{.threads = 2, .memory_limit = 4u << 20}};
};

TEST_P(KernelsInLittleMemory, FindTheSame) {
  auto levels = bfs(free_, graph_, 3);
  auto levels_again = bfs(limited_, graph_, 3);
  ASSERT_TRUE(levels && levels_again);
  EXPECT_EQ(levels->reached, levels_again->reached);
  for (VertexId v = 0; v < kVertices; ++v) ASSERT_EQ(levels->levels[v], levels_again->levels[v]) << v;

  const auto parts = connected_components(free_, graph_);
  const auto parts_again = connected_components(limited_, graph_);
  ASSERT_TRUE(parts && parts_again);
  EXPECT_EQ(parts->count, parts_again->count);
  for (VertexId v = 0; v < kVertices; ++v) ASSERT_EQ(parts->labels[v], parts_again->labels[v]) << v;

  const auto ranks = pagerank(free_, graph_);
  const auto ranks_again = pagerank(limited_, graph_);
  ASSERT_TRUE(ranks && ranks_again);
  for (VertexId v = 0; v < kVertices; ++v) ASSERT_NEAR(ranks->scores[v], ranks_again->scores[v], 1e-12) << v;
}

TEST_P(KernelsInLittleMemory, CountTheSameTriangles) {
  ASSERT_GT(limited_.room_for_lists(graph_), 0) << "or nothing is tested";
  const auto all = triangle_count(free_, graph_);
  const auto again = triangle_count(limited_, graph_);
  const auto total = triangle_count(limited_, graph_, {.per_vertex = false});
  ASSERT_TRUE(all && again && total);
  EXPECT_EQ(all->total, again->total);
  EXPECT_EQ(all->total, total->total);
  for (VertexId v = 0; v < kVertices; ++v) ASSERT_EQ(all->counts[v], again->counts[v]) << v;
}

/// As if edges had come to a graph that was stored by decreasing degree, too few to count as out of order: the last
/// vertices are neighbours of half of all.
GraphView with_late_hubs() {
  constexpr VertexId kHubs = 10;
  std::vector<testing::TestEdge> edges = testing::entries_of(three_parts(true));
  for (VertexId hub = kVertices - kHubs; hub < kVertices; ++hub) {
    for (VertexId v = 0; v < kVertices / 2; ++v) edges.push_back({hub, v, 1});
  }
  GraphView::Parts parts = testing::build_graph(kVertices, std::move(edges), {.section_bits = 8}).parts();
  parts.ordered_by_degree = true;
  return GraphView(std::move(parts));
}

TEST(TrianglesInLittleMemory, OfHubsThatCameLateAreAll) {
  const GraphView graph = with_late_hubs();
  Engine free({.threads = 2});
  const auto expected = triangle_count(free, graph);
  ASSERT_TRUE(expected);
  for (const std::uint64_t limit : {256u << 10, 4u << 20}) {
    Engine limited({.threads = 2, .memory_limit = limit});
    ASSERT_GT(limited.room_for_lists(graph), 0) << "or nothing is tested";
    const auto result = triangle_count(limited, graph);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->total, expected->total);
    for (VertexId v = 0; v < kVertices; ++v) ASSERT_EQ(result->counts[v], expected->counts[v]) << v;
  }
}

/// Edges in one direction and in both, parallel ones and loops, and a vertex that has out-edges alone.
GraphView directed_graph(bool by_degree) {
  constexpr VertexId kFew = 16'000;
  Random random(11);
  std::vector<testing::TestEdge> edges;
  for (EdgeCount e = 0; e < kEdges; ++e) {
    const VertexId u = random.below(kFew);
    const VertexId v = e % 4 == 0 ? random.below(200) : random.below(kFew);
    edges.push_back({u, v, 1});
    if (e % 3 == 0) edges.push_back({v, u, 1});
    if (e % 50 == 0) edges.push_back({u, u, 1});
    if (e % 50 == 1) edges.push_back(edges.back());
    if (e % 100 == 2) edges.push_back({kFew, u, 1});
  }
  return testing::build_graph(kFew + 1, std::move(edges),
                              {.directed = true, .section_bits = 8, .by_degree = by_degree});
}

class DirectedInLittleMemory : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Orders, DirectedInLittleMemory, ::testing::Bool());

TEST_P(DirectedInLittleMemory, CountsTheSameTriangles) {
  const GraphView graph = directed_graph(GetParam());
  Engine free({.threads = 2});
  Engine limited({.threads = 2, .memory_limit = 4u << 20});
  ASSERT_GT(limited.room_for_lists(graph), 0) << "or nothing is tested";
  const auto expected = triangle_count(free, graph);
  const auto result = triangle_count(limited, graph);
  const auto total = triangle_count(limited, graph, {.per_vertex = false});
  ASSERT_TRUE(expected && result && total);
  EXPECT_GT(expected->total, 0U);
  EXPECT_EQ(result->total, expected->total);
  EXPECT_EQ(total->total, expected->total);
  for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(result->counts[v], expected->counts[v]) << v;
}

INSTANTIATE_TEST_SUITE_P(Orders, KernelsInLittleMemory, ::testing::Bool());

}  // namespace
}  // namespace rizoma
