#include "placement/policies.h"

#include "testing/graph_builder.h"

#include <gmock/gmock.h>

namespace rizoma {
namespace {

using ::testing::ElementsAre;
using testing::build_graph;

/// Nodes with so many processors each, numbered through.
Topology machine(const std::vector<unsigned>& processors) {
  Topology topology;
  unsigned next = 0;
  for (unsigned id = 0; id < processors.size(); ++id) {
    TopologyNode node{.id = id};
    for (unsigned i = 0; i < processors[id]; ++i) node.processors.push_back(next++);
    topology.nodes.push_back(node);
  }
  return topology;
}

TEST(PoliciesTest, ThreadsAreSharedOutByProcessors) {
  EXPECT_THAT(place_threads(machine({2, 2}), 5), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(place_threads(machine({4, 0, 2}), 6), ElementsAre(0, 1, 0, 0, 1, 0));
  EXPECT_THAT(place_threads(machine({}), 2), ElementsAre(0, 0));
  EXPECT_THAT(processors_of_threads(machine({2, 2}), {0, 1, 0, 1, 0}), ElementsAre(0, 2, 1, 3, 0));
}

TEST(PoliciesTest, NearestHomesComeFirst) {
  Topology topology = machine({1, 1, 0, 1});
  EXPECT_THAT(homes_by_distance(topology), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(1, 2, 0), ElementsAre(2, 0, 1)));
  topology.distances = {{10, 31, 17, 21}, {31, 10, 17, 21}, {17, 17, 10, 28}, {21, 21, 28, 10}};
  EXPECT_THAT(homes_by_distance(topology)[0], ElementsAre(0, 2, 1));
}

TEST(PoliciesTest, SectionsByPolicy) {
  const GraphView path = build_graph(8 * 64, testing::path_edges(8 * 64), {.section_bits = 6});
  EXPECT_THAT(place_sections(PlacementPolicy::in_place, path, 3), ElementsAre());
  EXPECT_THAT(place_sections(PlacementPolicy::round_robin, path, 3), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1));
  EXPECT_THAT(place_sections(PlacementPolicy::chunk, path, 4), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(place_sections(PlacementPolicy::chunk, path, 1), ElementsAre());
}

TEST(PoliciesTest, ChunksBalanceEdgesWhereVerticesAreUneven) {
  const VertexId n = 1 << 13;
  const GraphView graph = build_graph(n, testing::rmat_edges(13, 200000, 1), {.section_bits = 4, .by_degree = true});
  const auto homes = place_sections(PlacementPolicy::chunk, graph, 2);
  EXPECT_TRUE(std::is_sorted(homes.begin(), homes.end()));
  // By falling degree F is least where the first home has half of the edges, of few vertices.
  EdgeCount first = 0;
  graph.with_out([&](const auto& out) {
    for (VertexId v = 0; v < n; ++v) first += homes[out.section_of(v)] == 0 ? out.degree(v) : 0;
  });
  EXPECT_NEAR(static_cast<double>(first) / static_cast<double>(graph.num_entries()), 0.5, 0.02);
}

}  // namespace
}  // namespace rizoma
