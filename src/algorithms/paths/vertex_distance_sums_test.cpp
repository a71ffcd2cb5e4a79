#include <rizoma/algorithms/distance_sums.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

namespace rizoma {
namespace {

using testing::build_graph;

class VertexDistances : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, VertexDistances, testing_shapes());

TEST_P(VertexDistances, AgreeWithOneSearchAfterTheOther) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    std::vector<VertexId> sources = live_vertices(graph);
    for (const std::size_t k : {std::size_t{1}, std::size_t{70}, sources.size()}) {
      sources.resize(std::min(k, sources.size()));
      const auto found = vertex_distance_sums(engine, graph, sources);
      ASSERT_TRUE(found.ok());
      std::vector<std::uint64_t> reached(150, 0);
      std::vector<std::uint64_t> sums(150, 0);
      std::vector<double> harmonic(150, 0);
      std::uint64_t farthest = 0;
      for (const VertexId s : sources) {
        const auto levels = testing::oracle_levels(150, testing::entries_of(graph), s);
        for (VertexId v = 0; v < 150; ++v) {
          if (levels[v] < 0) continue;
          ++reached[v];
          sums[v] += static_cast<std::uint64_t>(levels[v]);
          if (levels[v] > 0) harmonic[v] += 1.0 / levels[v];
          farthest = std::max(farthest, static_cast<std::uint64_t>(levels[v]));
        }
      }
      EXPECT_EQ(found->farthest, farthest);
      for (VertexId v = 0; v < 150; ++v) {
        ASSERT_EQ(found->reached[v], reached[v]);
        ASSERT_EQ(found->sums[v], sums[v]);
        ASSERT_NEAR(found->harmonic[v], harmonic[v], 1e-9);
      }
      sources = live_vertices(graph);
    }
  }
}

}  // namespace
}  // namespace rizoma
