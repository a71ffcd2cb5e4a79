// Trees that ranks have of their own vertices alone: together they are the components of the graph.
#include "engine/state/divided_trees.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>

#include "base/random.h"
#include "testing/dying_transport.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::BuildOptions;
using testing::TestEdge;

/// The smallest vertex that edges, in either direction, lead to from each.
std::vector<VertexId> smallest_linked(const GraphView& graph) {
  std::vector<VertexId> least(graph.num_vertices());
  std::iota(least.begin(), least.end(), VertexId{0});
  const std::vector<TestEdge> entries = testing::entries_of(graph);
  for (bool changed = true; changed;) {
    changed = false;
    for (const TestEdge& e : entries) {
      const VertexId both = std::min(least[e.source], least[e.target]);
      changed = changed || least[e.source] != both || least[e.target] != both;
      least[e.source] = least[e.target] = both;
    }
  }
  return least;
}

struct Case {
  std::string name;
  GraphView graph;
};

/// A path whose vertices are numbered at random: no rank has more than a few of them in a row.
std::vector<TestEdge> scattered_path(VertexId n) {
  std::vector<VertexId> order(n);
  std::iota(order.begin(), order.end(), VertexId{0});
  Random random(n);
  for (VertexId i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<TestEdge> edges;
  for (VertexId i = 1; i < n; ++i) edges.push_back({order[i - 1], order[i]});
  return edges;
}

std::vector<Case> cases() {
  const BuildOptions small{.section_bits = 2};
  const BuildOptions directed{.directed = true, .in_edges = true, .section_bits = 6};
  const BuildOptions one_way{.directed = true, .in_edges = false, .section_bits = 3};
  std::vector<Case> all;
  all.push_back({"path", build_graph(1000, testing::path_edges(1000), small)});
  all.push_back({"scattered path", build_graph(2000, scattered_path(2000), small)});
  all.push_back({"scattered path, directed", build_graph(2000, scattered_path(2000), one_way)});
  all.push_back({"sparse", build_graph(3000, testing::uniform_edges(3000, 1500, 1), {.section_bits = 6})});
  all.push_back({"sparse, directed", build_graph(3000, testing::uniform_edges(3000, 2000, 2), directed)});
  all.push_back({"skewed", build_graph(1 << 11, testing::rmat_edges(11, 6000, 3), {.section_bits = 6})});
  all.push_back({"no edges", build_graph(100, std::vector<TestEdge>{}, small)});
  all.push_back({"fewer sections than ranks", build_graph(50, testing::path_edges(50), {.section_bits = 6})});
  return all;
}

/// Links the entries of own lists from the first on, or the first alone.
Status link_lists(Iteration& loop, DividedTrees<std::uint32_t>& trees, bool first_alone) {
  return gather(loop.engine(), loop.graph(), {Direction::out}, [&](VertexId v, const auto& entries, unsigned) {
    if (entries.empty()) return;
    if (first_alone) trees.link(v, entries.source(0));
    else trees.link_all(v, entries.sources());
  });
}

TEST(DividedTrees, AreTheComponentsOfTheGraph) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const std::vector<VertexId> expected = smallest_linked(one.graph);
    for (const bool twice : {false, true}) {
      for (const PlacementPolicy policy : {PlacementPolicy::round_robin, PlacementPolicy::chunk}) {
        for (const unsigned ranks_in_all : {2U, 5U}) {
          run_simulated_cluster(ranks_in_all, 8, [&](Transport& transport) {
            NetworkTransport of_hosts(transport);
            Ranks ranks(of_hosts);
            ranks.set({.partition = policy});
            Engine engine({.threads = 2, .ranks = &ranks});
            Iteration loop(engine, one.graph, "test");
            ASSERT_TRUE(loop.begin());
            ASSERT_TRUE(DividedTrees<std::uint32_t>::serve(loop));
            auto trees = DividedTrees<std::uint32_t>::make(loop);
            ASSERT_TRUE(trees);
            if (twice) {
              ASSERT_TRUE(link_lists(loop, *trees, true));
              ASSERT_TRUE(trees->unite());
              const auto most = trees->frequent_root();
              ASSERT_TRUE(most);
              EXPECT_EQ(*loop.total(*most == *trees->frequent_root() ? 1U : 0U), ranks_in_all);
            }
            ASSERT_TRUE(link_lists(loop, *trees, false));
            ASSERT_TRUE(trees->unite());
            loop.for_own([&](VertexId v) { ASSERT_EQ(trees->root(v), expected[v]) << v; });
            ASSERT_TRUE(trees->unite());  // nothing new
            const auto roots = std::move(*trees).take();
            loop.for_own([&](VertexId v) { ASSERT_EQ(roots[v], expected[v]) << v; });
            ASSERT_TRUE(ranks.finalize({}));
          });
        }
      }
    }
  }
}

TEST(DividedTrees, AreForProcessesThatShareNoMemory) {
  const GraphView graph = build_graph(100, testing::path_edges(100), {.section_bits = 2});
  Engine alone({.threads = 1});
  Iteration of_one(alone, graph, "test");
  EXPECT_FALSE(DividedTrees<std::uint32_t>::serve(of_one));
  run_simulated_cluster(2, 5, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    Iteration loop(engine, graph, "test");
    EXPECT_FALSE(DividedTrees<std::uint32_t>::serve(loop));
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(OwnAndMirrors, HaveNumbersWithoutGaps) {
  for (const bool directed : {false, true}) {
    const GraphView graph = build_graph(1000, testing::uniform_edges(1000, 1500, 4),
                                        {.directed = directed, .in_edges = true, .section_bits = 3});
    run_simulated_cluster(3, 8, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine({.threads = 1, .ranks = &ranks});
      const auto places = OwnAndMirrors::find(engine, ranks, graph);
      ASSERT_TRUE(places);
      VertexId next = 0;
      for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
        for (VertexId v = range.begin; v < range.end; ++v) {
          EXPECT_EQ(places->place(v), next);
          EXPECT_EQ(places->own_vertex(next++), v);
        }
      }
      EXPECT_EQ(places->own(), next);
      places->for_mirrors({0, graph.num_vertices()}, [&](VertexId place, VertexId v) {
        EXPECT_FALSE(ranks.owns(v));
        EXPECT_EQ(place, next++);
        EXPECT_EQ(places->place(v), place);
      });
      EXPECT_EQ(places->size(), next);
      graph.with_both([&](const auto& out, const auto& in) {
        for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
          for (VertexId v = range.begin; v < range.end; ++v) {
            for (const VertexId u : out.neighbors(v)) EXPECT_LT(places->place(u), next);
            for (const VertexId u : in.neighbors(v)) EXPECT_LT(places->place(u), next);
          }
        }
      });
      ASSERT_TRUE(ranks.finalize({}));
    });
  }
}

}  // namespace
}  // namespace rizoma
