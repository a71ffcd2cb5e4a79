#include <rizoma/algorithms/local_efficiency.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class LocalEfficiency : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, LocalEfficiency, testing_shapes());

TEST_P(LocalEfficiency, AgreesWithTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(70, edges, form);
    const auto efficiencies = local_efficiency(engine, graph);
    ASSERT_EQ(efficiencies.ok(), !graph.directed());
    if (!efficiencies.ok()) continue;
    const auto matrix = matrix_of(graph);
    for (VertexId v = 0; v < graph.num_vertices(); v += 3) {
      auto entries = entries_of(graph);
      std::erase_if(entries,
                    [&](const testing::TestEdge& edge) { return !matrix[v][edge.source] || !matrix[v][edge.target]; });
      double sum = 0;
      double members = 0;
      for (VertexId u = 0; u < graph.num_vertices(); ++u) {
        if (!matrix[v][u]) continue;
        members += 1;
        for (const std::int32_t level : testing::oracle_levels(graph.num_vertices(), entries, u))
          sum += level > 0 ? 1.0 / level : 0;
      }
      ASSERT_NEAR((*efficiencies)[v], members > 1 ? sum / (members * (members - 1)) : 0, 1e-12) << v;
    }
  }
}

}  // namespace
}  // namespace rizoma
