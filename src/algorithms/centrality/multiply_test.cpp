#include <rizoma/algorithms/multiply.h>

#include "testing/graph_shapes.h"

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class MultiplyOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, MultiplyOnShapes, testing_shapes());

TEST_P(MultiplyOnShapes, AddsUpEntries) {
  options.weights = WeightType::int32;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    std::vector<double> x(graph.num_vertices());
    for (VertexId v = 0; v < x.size(); ++v) x[v] = static_cast<double>(v % 7);
    for (const bool use_weights : {false, true}) {
      std::vector<double> forward(x.size());
      std::vector<double> backward(x.size());
      for (const testing::TestEdge& edge : entries_of(graph)) {
        const double weight = use_weights ? edge.weight : 1;
        forward[edge.source] += weight * x[edge.target];
        backward[edge.target] += weight * x[edge.source];
      }
      const auto y = multiply(engine, graph, x, {.use_weights = use_weights});
      ASSERT_TRUE(y.ok());
      EXPECT_THAT(y->span(), ::testing::ElementsAreArray(forward));
      const auto z = multiply(engine, graph, x, {.transpose = true, .use_weights = use_weights});
      ASSERT_EQ(z.ok(), graph.has_in_edges());
      if (!z.ok()) continue;
      EXPECT_THAT(z->span(), ::testing::ElementsAreArray(backward));
    }
    EXPECT_FALSE(multiply(engine, graph, std::vector<double>(x.size() + 1)).ok());
  }
}

}  // namespace
}  // namespace rizoma
