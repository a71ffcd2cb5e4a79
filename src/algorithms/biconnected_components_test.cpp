#include <rizoma/algorithms/biconnected_components.h>

#include "algorithms/test_shapes.h"
#include "testing/oracles.h"

#include <set>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class Biconnected : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, Biconnected, testing_shapes());

/// Components of the graph without one vertex, that vertex not counted.
std::size_t components_without(const GraphView& graph, VertexId gone) {
  auto entries = entries_of(graph);
  std::erase_if(entries, [gone](const testing::TestEdge& edge) { return edge.source == gone || edge.target == gone; });
  const auto labels = testing::oracle_components(graph.num_vertices(), entries);
  return std::set<VertexId>(labels.begin(), labels.end()).size() - 1;
}

TEST_P(Biconnected, PointsAreThoseWhoseRemovalSplits) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    if (graph.may_have_parallel_edges()) continue;
    const auto result = biconnected_components(engine, graph);
    ASSERT_EQ(result.ok(), !graph.directed());
    if (!result.ok()) continue;
    const std::set<VertexId> points(result->articulation_points.begin(), result->articulation_points.end());
    ASSERT_EQ(points.size(), result->articulation_points.size());
    const auto labels = testing::oracle_components(graph.num_vertices(), entries_of(graph));
    const std::size_t whole = std::set<VertexId>(labels.begin(), labels.end()).size();
    std::vector<std::set<std::size_t>> components_of(graph.num_vertices());
    for (std::size_t c = 0; c + 1 < result->offsets.size(); ++c) {
      for (std::size_t i = result->offsets[c]; i < result->offsets[c + 1]; ++i) {
        components_of[result->sources[i]].insert(c);
        components_of[result->targets[i]].insert(c);
      }
    }
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      const bool splits = components_without(graph, v) > whole;
      ASSERT_EQ(points.contains(v), splits) << v;
      ASSERT_EQ(components_of[v].size() > 1, points.contains(v)) << v;
    }
  }
}

}  // namespace
}  // namespace rizoma
