#include <rizoma/algorithms/diameter.h>

#include "base/random.h"
#include "testing/delta_graph.h"
#include "testing/graph_shapes.h"
#include "testing/oracles.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::TestEdge;

std::uint64_t oracle(const GraphView& graph) {
  const auto entries = testing::entries_of(graph);
  std::int32_t most = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    const auto levels = testing::oracle_levels(graph.num_vertices(), entries, v);
    most = std::max(most, *std::ranges::max_element(levels));
  }
  return static_cast<std::uint64_t>(most);
}

class Diameter : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, Diameter, testing_shapes());

TEST_P(Diameter, AgreesWithASearchFromEveryVertex) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto found = diameter(engine, graph);
    if (options.directed) {
      ASSERT_EQ(found.error().code, ErrorCode::unsupported);
      continue;
    }
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->diameter, oracle(graph));
  }
}

TEST(DiameterTest, AgreesOnManyRandomGraphs) {
  Engine engine({.threads = 2});
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const VertexId n = 1 + random.below(40);
    std::vector<TestEdge> edges(random.below(2 * n));
    for (TestEdge& e : edges) e = {random.below(n), random.below(n)};
    const GraphView graph = build_graph(n, edges, {.section_bits = 3});
    const auto found = diameter(engine, graph);
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->diameter, oracle(graph)) << i;
  }
}

TEST(DiameterTest, TakesFewSearchesOfLargeGraphs) {
  for (const unsigned threads : {1U, 3U}) {
    Engine engine({.threads = threads});
    const auto grid = diameter(engine, build_graph(0, testing::grid_edges(90, 110)));
    ASSERT_TRUE(grid.ok());
    EXPECT_EQ(grid->diameter, 198U);
    EXPECT_LT(grid->searches, 1000U);
    const auto path = diameter(engine, build_graph(0, testing::path_edges(20'000)));
    EXPECT_EQ(path->diameter, 19'999U);
    EXPECT_LT(path->searches, 10U);
    const GraphView web = testing::with_changed_lists(build_graph(8192, testing::rmat_edges(13, 40'000, 2)), 4);
    EXPECT_EQ(diameter(engine, web)->diameter, oracle(web));
  }
}

TEST(DiameterTest, OfManySmallComponentsTakesLittle) {
  std::vector<TestEdge> edges;
  for (VertexId first = 0; first < 60'000; first += 6) {
    for (VertexId i = 0; i < 6; ++i) edges.push_back({first + i, first + (i + 1) % 6});
  }
  Engine engine({.threads = 2});
  EXPECT_EQ(diameter(engine, build_graph(60'000, edges))->diameter, 3U);
  engine.request_stop();
  EXPECT_EQ(diameter(engine, build_graph(60'000, edges)).error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace rizoma
