#include <rizoma/algorithms/core_numbers.h>

#include "testing/graph_shapes.h"

#include <algorithm>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class CoreNumbersOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, CoreNumbersOnShapes, testing_shapes());

/// Core numbers by taking away, for k = 1, 2, ..., all vertices of degree below k until none is left.
std::vector<std::uint64_t> oracle(const GraphView& graph) {
  const auto entries = entries_of(graph);
  std::vector<std::uint64_t> cores(graph.num_vertices());
  std::vector<bool> in(graph.num_vertices(), true);
  for (std::uint64_t k = 1; std::find(in.begin(), in.end(), true) != in.end(); ++k) {
    for (bool changed = true; changed;) {
      std::vector<std::uint64_t> degrees(graph.num_vertices());
      for (const testing::TestEdge& edge : entries) {
        if (edge.source == edge.target || !in[edge.source] || !in[edge.target]) continue;
        ++degrees[edge.source];
        if (graph.directed()) ++degrees[edge.target];
      }
      changed = false;
      for (VertexId v = 0; v < in.size(); ++v) {
        if (!in[v] || degrees[v] >= k) continue;
        in[v] = false;
        changed = true;
      }
    }
    for (VertexId v = 0; v < in.size(); ++v) {
      if (in[v]) cores[v] = k;
    }
  }
  return cores;
}

TEST_P(CoreNumbersOnShapes, AgreeWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto result = core_numbers(engine, graph);
    ASSERT_EQ(result.ok(), graph.has_in_edges());
    if (!result.ok()) continue;
    const auto expected = oracle(graph);
    EXPECT_THAT(result->cores.span(), ::testing::ElementsAreArray(expected));
    EXPECT_EQ(result->greatest, *std::max_element(expected.begin(), expected.end()));
  }
}

/// Levels with more vertices than one thread takes off alone, and enough followers that these are shared again.
TEST(CoreNumbers, AgreeWithTheDefinitionWhereThreadsTakeVerticesOffTogether) {
  for (const bool directed : {false, true}) {
    const GraphView sparse = build_graph(20000, testing::uniform_edges(20000, 30000, 5), {.directed = directed});
    const GraphView skewed = build_graph(4096, testing::rmat_edges(12, 20000, 6), {.directed = directed});
    for (const GraphView& graph : {sparse, skewed}) {
      const auto expected = oracle(graph);
      for (const unsigned threads : {1U, 2U, 4U}) {
        Engine engine(EngineOptions{.threads = threads});
        const auto result = core_numbers(engine, graph);
        ASSERT_TRUE(result.ok());
        EXPECT_TRUE(std::ranges::equal(result->cores.span(), expected)) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace rizoma
