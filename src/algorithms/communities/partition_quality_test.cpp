#include <rizoma/algorithms/partition_quality.h>

#include "testing/graph_shapes.h"
#include "testing/partition_oracles.h"

#include <cmath>
#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class PartitionQualityOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, PartitionQualityOnShapes, testing_shapes());

/// Weight of the edges between communities and the volume of one, edge by edge.
struct Border {
  double crossing = 0;
  double volume = 0;
  double rest = 0;
};

Border border_of(const GraphView& graph, std::span<const std::uint64_t> labels, std::uint64_t community) {
  Border border;
  for (const testing::TestEdge& edge : entries_of(graph)) {
    const double weight = edge.source == edge.target && !graph.directed() ? 2 * edge.weight : edge.weight;
    const bool from = labels[edge.source] == community;
    const bool to = labels[edge.target] == community;
    (from ? border.volume : border.rest) += weight;
    if (from != to) border.crossing += graph.directed() ? weight : weight / 2;  // an edge has two entries
  }
  return border;
}

TEST_P(PartitionQualityOnShapes, IsThatOfTheDefinitions) {
  options.weights = WeightType::int32;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    std::vector<std::uint64_t> labels(graph.num_vertices());
    for (VertexId v = 0; v < labels.size(); ++v) labels[v] = v % 4;
    for (const double resolution : {1.0, 0.3}) {
      const auto quality = partition_quality(engine, graph, labels, resolution);
      ASSERT_EQ(quality.ok(), graph.has_in_edges());
      if (!quality.ok()) continue;
      EXPECT_NEAR(quality->modularity, modularity_oracle(graph, labels, resolution), 1e-9);
      const double expected = modularity_oracle(graph, labels, 0);
      EXPECT_NEAR(quality->coverage, expected, 1e-9);
      for (std::uint64_t community = 0; community < 4; ++community) {
        const Border border = border_of(graph, labels, community);
        const double least = std::min(border.volume, border.rest);
        if (least > 0) {
          EXPECT_NEAR(quality->conductance[community], border.crossing / least, 1e-9);
        } else {
          EXPECT_TRUE(std::isnan(quality->conductance[community]));
        }
      }
    }
  }
}

TEST_P(PartitionQualityOnShapes, RefusesLabelsThatAreNone) {
  const GraphView graph = build_graph(4, testing::path_edges(4), options);
  const std::vector<std::uint64_t> few{0, 1};
  const std::vector<std::uint64_t> great{0, 1, 2, 4};
  EXPECT_FALSE(partition_quality(engine, graph, few).ok());
  EXPECT_FALSE(partition_quality(engine, graph, great).ok());
}

/// Rounding to whole numbers may not lose light edges beside a heavy one.
TEST(PartitionQuality, LightEdgesCount) {
  testing::BuildOptions form;
  form.weights = WeightType::float64;
  const GraphView graph = build_graph(4, {{0, 1, 1e9}, {2, 3, 1e-3}}, form);
  Engine engine;
  const std::vector<std::uint64_t> labels{0, 0, 1, 2};
  const auto quality = partition_quality(engine, graph, labels);
  ASSERT_TRUE(quality.ok());
  EXPECT_NEAR((1 - quality->coverage) / 1e-12, 1, 1e-3);
}

}  // namespace
}  // namespace rizoma
