#include <rizoma/algorithms/strong_components.h>

#include "algorithms/test_shapes.h"
#include "testing/oracles.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class StrongComponentsOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, StrongComponentsOnShapes, testing_shapes());

TEST_P(StrongComponentsOnShapes, JoinWhatReachesEachOther) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto result = strong_components(engine, graph);
    ASSERT_TRUE(result.ok());
    const VertexId n = graph.num_vertices();
    std::vector<std::vector<std::int32_t>> levels;
    for (VertexId v = 0; v < n; ++v) levels.push_back(testing::oracle_levels(n, entries_of(graph), v));
    for (VertexId u = 0; u < n; ++u) {
      ASSERT_EQ(result->labels[u] == kNoVertex, !graph.is_live(u));
      if (!graph.is_live(u)) continue;
      ASSERT_LT(result->labels[u], result->count);
      for (VertexId v = 0; v < n; ++v) {
        if (!graph.is_live(v)) continue;
        ASSERT_EQ(result->labels[u] == result->labels[v], levels[u][v] >= 0 && levels[v][u] >= 0);
        ASSERT_TRUE(levels[u][v] < 0 || result->labels[u] >= result->labels[v]);
      }
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

}  // namespace
}  // namespace rizoma
