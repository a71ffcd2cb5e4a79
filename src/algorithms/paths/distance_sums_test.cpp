#include <rizoma/algorithms/distance_sums.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class DistanceSumsOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, DistanceSumsOnShapes, testing_shapes());

TEST_P(DistanceSumsOnShapes, AgreeWithTheOracle) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const std::vector<VertexId> sources = live_vertices(graph);
    const auto sums = distance_sums(engine, graph, sources);
    ASSERT_TRUE(sums.ok());
    for (std::size_t s = 0; s < sources.size(); ++s) {
      std::uint64_t reached = 0;
      std::uint64_t sum = 0;
      double harmonic = 0;
      std::uint64_t greatest = 0;
      for (const std::int32_t level : testing::oracle_levels(graph.num_vertices(), entries_of(graph), sources[s])) {
        if (level < 0) continue;
        const auto distance = static_cast<std::uint64_t>(level);
        ++reached;
        sum += distance;
        if (distance > 0) harmonic += 1.0 / static_cast<double>(distance);
        greatest = std::max(greatest, distance);
      }
      ASSERT_EQ(sums->reached[s], reached);
      ASSERT_EQ(sums->sums[s], sum);
      ASSERT_NEAR(sums->harmonic[s], harmonic, 1e-9);
      ASSERT_EQ(sums->eccentricity[s], greatest);
    }
  }
}

TEST_P(DistanceSumsOnShapes, FollowEitherDirection) {
  const GraphView graph = build_graph(70, testing::path_edges(70), options);
  const std::vector<VertexId> sources{10};
  const auto back = distance_sums(engine, graph, sources, Direction::in);
  ASSERT_EQ(back.ok(), graph.has_in_edges());
  if (!back.ok()) return;
  EXPECT_EQ(back->eccentricity[0], options.directed ? 10U : 59U);
}

}  // namespace
}  // namespace rizoma
