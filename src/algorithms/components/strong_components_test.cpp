#include <rizoma/algorithms/strong_components.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <algorithm>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class StrongComponentsOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, StrongComponentsOnShapes, testing_shapes());

TEST_P(StrongComponentsOnShapes, JoinWhatReachesEachOther) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const VertexId n = graph.num_vertices();
    std::vector<std::vector<std::int32_t>> levels;
    for (VertexId v = 0; v < n; ++v) levels.push_back(testing::oracle_levels(n, entries_of(graph), v));
    for (const bool depth_first_order : {false, true}) {
      const auto result = strong_components(engine, graph, {.depth_first_order = depth_first_order});
      ASSERT_TRUE(result.ok());
      std::vector<bool> used(result->count);
      for (VertexId u = 0; u < n; ++u) {
        ASSERT_EQ(result->labels[u] == kNoVertex, !graph.is_live(u));
        if (!graph.is_live(u)) continue;
        ASSERT_LT(result->labels[u], result->count);
        used[result->labels[u]] = true;
        for (VertexId v = 0; v < n; ++v) {
          if (!graph.is_live(v)) continue;
          ASSERT_EQ(result->labels[u] == result->labels[v], levels[u][v] >= 0 && levels[v][u] >= 0);
          ASSERT_TRUE(levels[u][v] < 0 || result->labels[u] >= result->labels[v]);
        }
      }
      EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
    }
  }
}

TEST_P(StrongComponentsOnShapes, OfUndirectedGraphsAreNumberedByTheirLeastVertices) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    if (graph.directed()) continue;
    const auto result = strong_components(engine, graph);
    ASSERT_TRUE(result.ok());
    std::uint64_t next = 0;
    for (const VertexId v : live_vertices(graph)) {
      ASSERT_LE(result->labels[v], next);
      if (result->labels[v] == next) ++next;
    }
    EXPECT_EQ(result->count, next);
  }
}

/// A cycle through all of 0..ring-1 in a mixed order, and edges that lead from each of ring..n-1 either up or down to a
/// vertex next to it in number or on the cycle; those on one side of the cycle hold small cycles.
std::vector<testing::TestEdge> ring_with_beards(VertexId ring, VertexId n, bool down) {
  std::vector<testing::TestEdge> edges;
  const VertexId step = ring / 2 + 1;  // coprime to an even ring that 4 divides
  for (VertexId i = 0; i < ring; ++i) edges.push_back({i * step % ring, (i + 1) * step % ring});
  for (VertexId v = ring; v < n; ++v) {
    const VertexId inner = v % 3 == 0 || v == ring ? v % ring : v - 1;
    edges.push_back(down ? testing::TestEdge{inner, v} : testing::TestEdge{v, inner});
    if (v % 5 == 0 && v + 1 < n) {
      edges.push_back({v, v + 1});
      edges.push_back({v + 1, v});
    }
  }
  return edges;
}

/// Graphs that threads share: what one search finds, in either order of numbers.
TEST(StrongComponents, AreThoseOfOneSearchWhereThreadsShareTheWork) {
  std::vector<std::pair<VertexId, std::vector<testing::TestEdge>>> graphs{
      {1 << 13, testing::rmat_edges(13, 60000, 1)},     {20000, testing::uniform_edges(20000, 60000, 2)},
      {20000, testing::uniform_edges(20000, 20000, 3)}, {20000, testing::path_edges(20000)},
      {30000, ring_with_beards(16384, 30000, false)},   {30000, ring_with_beards(16384, 30000, true)},
      {30000, ring_with_beards(64, 30000, true)},
  };
  for (const auto& [n, edges] : graphs) {
    const GraphView graph = build_graph(n, edges, {.directed = true, .section_bits = 8, .removed = {n - 100, n - 1}});
    Engine alone(team_of(1, 8));
    const auto searched = strong_components(alone, graph, {.depth_first_order = true});
    ASSERT_TRUE(searched.ok());
    std::vector<std::uint64_t> first;
    for (const unsigned threads : {1U, 2U, 4U}) {
      Engine engine(team_of(threads, 8));
      const auto result = strong_components(engine, graph);
      ASSERT_TRUE(result.ok());
      ASSERT_EQ(result->count, searched->count);
      std::vector<std::uint64_t> name(result->count, kNoVertex);
      for (VertexId v = 0; v < n; ++v) {
        ASSERT_EQ(result->labels[v] == kNoVertex, !graph.is_live(v));
        if (!graph.is_live(v)) continue;
        std::uint64_t& same = name[result->labels[v]];
        ASSERT_TRUE(same == kNoVertex || same == searched->labels[v]) << v;
        same = searched->labels[v];
      }
      for (const testing::TestEdge& edge : entries_of(graph)) {
        ASSERT_GE(result->labels[edge.source], result->labels[edge.target]);
      }
      if (threads == 1) first.assign(result->labels.span().begin(), result->labels.span().end());
      EXPECT_THAT(result->labels.span(), ::testing::ElementsAreArray(first)) << threads;
    }
  }
}

}  // namespace
}  // namespace rizoma
