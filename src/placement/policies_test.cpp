#include "placement/policies.h"

#include "base/random.h"
#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace rizoma {
namespace {

using testing::build_graph;
using ::testing::ElementsAre;

/// Nodes with `each` processors, numbered through.
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
  EXPECT_THAT(homes_by_distance(topology),
              ElementsAre(ElementsAre(0, 1, 2), ElementsAre(1, 2, 0), ElementsAre(2, 0, 1)));
  topology.distances = {{10, 31, 17, 21}, {31, 10, 17, 21}, {17, 17, 10, 28}, {21, 21, 28, 10}};
  EXPECT_THAT(homes_by_distance(topology)[0], ElementsAre(0, 2, 1));
}

std::vector<unsigned> place(PlacementPolicy policy, const GraphView& graph, unsigned homes) {
  return place_sections(policy, section_loads(graph), homes);
}

/// Greatest share of the edges that a home has, times the number of homes.
double edge_imbalance(const GraphView& graph, const std::vector<unsigned>& home_of_section, unsigned homes) {
  std::vector<double> edges(homes);
  const std::vector<Load> loads = section_loads(graph);
  for (std::size_t s = 0; s < loads.size(); ++s) edges[home_of_section[s]] += loads[s].edges;
  return *std::max_element(edges.begin(), edges.end()) * homes / static_cast<double>(graph.num_entries());
}

TEST(PoliciesTest, SectionsByPolicy) {
  const GraphView path = build_graph(8 * 64, testing::path_edges(8 * 64), {.section_bits = 6});
  EXPECT_THAT(place(PlacementPolicy::in_place, path, 3), ElementsAre());
  EXPECT_THAT(place(PlacementPolicy::interleave, path, 3), ElementsAre());
  EXPECT_THAT(place(PlacementPolicy::round_robin, path, 3), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1));
  EXPECT_THAT(place(PlacementPolicy::halves, path, 2), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(place(PlacementPolicy::halves, path, 3), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2));
  EXPECT_THAT(place(PlacementPolicy::chunk, path, 4), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(place(PlacementPolicy::adaptive, path, 4), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(place(PlacementPolicy::chunk, path, 1), ElementsAre());
}

TEST(PoliciesTest, DealingOutBalancesEdgesWhateverTheOrder) {
  for (const bool by_degree : {false, true}) {
    const GraphView graph =
        build_graph(1 << 13, testing::rmat_edges(13, 200000, 1), {.section_bits = 4, .by_degree = by_degree});
    for (const unsigned homes : {2U, 4U}) {
      const auto home_of_section = place(PlacementPolicy::round_robin, graph, homes);
      EXPECT_LE(edge_imbalance(graph, home_of_section, homes), 1.02);
      EXPECT_FALSE(std::is_sorted(home_of_section.begin(), home_of_section.end())) << "neighbours are parted";
    }
  }
}

TEST(PoliciesTest, ChunksBalanceEdgesWhereVerticesAreUneven) {
  for (const bool by_degree : {false, true}) {
    const GraphView graph =
        build_graph(1 << 13, testing::rmat_edges(13, 200000, 1), {.section_bits = 2, .by_degree = by_degree});
    for (const unsigned homes : {2U, 4U}) {
      const auto home_of_section = place(PlacementPolicy::chunk, graph, homes);
      EXPECT_TRUE(std::is_sorted(home_of_section.begin(), home_of_section.end()));
      EXPECT_LE(edge_imbalance(graph, home_of_section, homes), 1.02);
    }
  }
}

/// Preferential attachment: each new vertex joins `each` older ones, drawn by degree (Barabasi, Albert, 1999).
std::vector<testing::TestEdge> attached_edges(VertexId n, unsigned each) {
  Random random(7);
  std::vector<VertexId> ends{0};
  std::vector<testing::TestEdge> edges;
  for (VertexId v = 1; v < n; ++v) {
    for (unsigned i = 0; i < each; ++i) {
      const VertexId older = ends[random.below(ends.size())];
      edges.push_back({v, older});
      ends.push_back(older);
      ends.push_back(v);
    }
  }
  return edges;
}

TEST(PoliciesTest, OldVerticesMakeHalvesUnevenAndRoundRobinNot) {  // the finding of the dissertation, section 4.3
  const GraphView graph = build_graph(1 << 15, attached_edges(1 << 15, 8), {.section_bits = 0});  // v mod N
  EXPECT_NEAR(edge_imbalance(graph, place(PlacementPolicy::halves, graph, 2), 2) / 2, 0.67, 0.05);
  EXPECT_NEAR(edge_imbalance(graph, place(PlacementPolicy::round_robin, graph, 2), 2) / 2, 0.50, 0.02);
}

TEST(PoliciesTest, OfRanksVerticesCount) {
  std::vector<Load> sections(9, {.vertices = 1000, .edges = 1000});
  sections[0] = {.vertices = 10, .edges = 8000};
  EXPECT_THAT(place_sections(PlacementPolicy::chunk, sections, 2), ElementsAre(0, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(place_on_ranks(PlacementPolicy::chunk, sections, 2), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 1));
}

TEST(PoliciesTest, RanksHaveRunsOfSmallSectionsInOrderOfDegree) {
  std::vector<Load> sections;
  for (int s = 0; s < 1000; ++s) sections.push_back({.vertices = 1024, .edges = 4e6 / (s + 1.0)});
  for (const unsigned ranks : {2U, 3U, 8U, 64U}) {
    const auto owners = owners_of_sections(PlacementPolicy::round_robin, sections, 10, ranks);
    ASSERT_EQ(owners.size(), sections.size());
    std::vector<double> work(ranks);
    double all = 0;
    std::size_t runs = 1;
    for (std::size_t s = 0; s < sections.size(); ++s) {
      const double of_section = sections[s].edges + kEntriesAVertex * sections[s].vertices;
      work[owners[s]] += of_section;
      all += of_section;
      if (s > 0 && owners[s] != owners[s - 1]) ++runs;
    }
    const double largest = sections[0].edges + kEntriesAVertex * sections[0].vertices;
    EXPECT_LE(*std::ranges::max_element(work), std::max(largest, 1.05 * all / ranks)) << ranks;
    const bool sections_are_small = ranks <= 8;
    EXPECT_TRUE(runs < sections.size() / 2 || !sections_are_small) << ranks;
  }
}

TEST(PoliciesTest, ElsewhereEachSectionMayHaveAnotherRank) {
  const std::vector<Load> even(24, {.vertices = 1024, .edges = 9000});
  const auto owners = owners_of_sections(PlacementPolicy::round_robin, even, 10, 3);
  for (std::size_t s = 0; s < owners.size(); ++s) EXPECT_EQ(owners[s], s % 3);
  const auto words = owners_of_sections(PlacementPolicy::round_robin, even, 4, 3);  // four sections a word
  for (std::size_t s = 0; s < words.size(); ++s) EXPECT_EQ(words[s], s / 4 % 3);
}

TEST(PoliciesTest, SectionsTellWhetherVerticesAreInOrderOfDegree) {
  const auto sections = [](std::initializer_list<double> edges) {
    std::vector<Load> loads;
    for (const double some : edges) loads.push_back({.vertices = 64, .edges = some});
    return loads;
  };
  EXPECT_TRUE(in_degree_order(sections({8000, 900, 400, 400, 50, 0})));
  EXPECT_TRUE(in_degree_order(sections({8000, 900, 400, 420, 50, 5})));  // some edges came later
  EXPECT_FALSE(in_degree_order(sections({8000, 900, 400, 4000, 50, 0})));
  EXPECT_FALSE(in_degree_order(sections({50, 400, 900, 8000})));
  EXPECT_FALSE(in_degree_order(sections({500, 490, 480, 470})));  // even as it is
  EXPECT_FALSE(in_degree_order(sections({700})));
  EXPECT_FALSE(in_degree_order(sections({0, 0})));
  EXPECT_FALSE(in_degree_order({}));
}

TEST(PoliciesTest, EntriesBetweenHomesAreCounted) {
  const GraphView graph = build_graph(1 << 10, testing::rmat_edges(10, 8000, 1), {.directed = true, .section_bits = 3});
  const auto homes = place(PlacementPolicy::round_robin, graph, 3);
  std::vector<EdgeCount> expected(9);
  for (const auto& e : testing::entries_of(graph)) ++expected[homes[e.source >> 3] * 3 + homes[e.target >> 3]];
  EXPECT_EQ(entries_between(graph, homes, 3), expected);
  EXPECT_THAT(entries_between(graph, {}, 2), ElementsAre(graph.num_entries(), 0, 0, 0));
}

TEST(PoliciesTest, ATeamHasHomesWhereTheMachineHasNodes) {
  const Topology two = machine({2, 0, 2});
  const Placement workers = place_workers(PlacementPolicy::chunk, two, 0);
  EXPECT_EQ(workers.homes, 2U);
  EXPECT_THAT(workers.node_of_home, ElementsAre(0, 2));
  EXPECT_THAT(workers.home_of_thread, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(workers.processor_of_thread, ElementsAre(0, 2, 1, 3));
  EXPECT_EQ(workers.tiers, Tiers{});
  EXPECT_EQ(place_workers(PlacementPolicy::in_place, two, 4), Placement{});
  EXPECT_EQ(place_workers(PlacementPolicy::chunk, machine({4}), 4), (Placement{.policy = PlacementPolicy::chunk}));
  EXPECT_EQ(place_workers(PlacementPolicy::interleave, two, 2).tiers[Structure::vertex_state].nodes,
            NodeChoice::interleave);
}

}  // namespace
}  // namespace rizoma
