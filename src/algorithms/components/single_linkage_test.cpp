#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/single_linkage.h>

#include "testing/graph_shapes.h"

#include <map>
#include <set>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class SingleLinkageOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, SingleLinkageOnShapes, testing_shapes());

/// The first vertex of the component of each, by the edges that reach a threshold.
std::vector<VertexId> components_at(const GraphView& graph, double threshold, bool nearest) {
  std::vector<VertexId> name(graph.num_vertices());
  for (VertexId v = 0; v < name.size(); ++v) name[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (const testing::TestEdge& edge : entries_of(graph)) {
      if (nearest ? edge.weight > threshold : edge.weight < threshold) continue;
      const VertexId least = std::min(name[edge.source], name[edge.target]);
      changed = changed || name[edge.source] != least || name[edge.target] != least;
      name[edge.source] = name[edge.target] = least;
    }
  }
  return name;
}

TEST_P(SingleLinkageOnShapes, ComponentsOfThresholdsNeedNoTree) {
  const std::vector<double> thresholds{0, 3, 3.5, 60, 1e9};
  for (const WeightType weights : {WeightType::none, WeightType::float64}) {
    options.weights = weights;
    for (const auto& [edges, form] : small_graphs(options)) {
      const GraphView graph = build_graph(150, edges, form);
      const auto labels = threshold_components(engine, graph, {60, 1e9, 0, 3.5, 3});
      ASSERT_EQ(labels.ok(), !graph.directed());
      if (!labels.ok()) break;
      for (std::size_t i = 0; i < thresholds.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal((*labels)[i].span(), components_at(graph, thresholds[i], false)));
      }
    }
  }
}

TEST_P(SingleLinkageOnShapes, CutsAreTheComponentsOfEachThreshold) {
  options.weights = WeightType::float64;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    for (const bool nearest : {false, true}) {
      const auto linkage = single_linkage(engine, graph, nearest);
      ASSERT_EQ(linkage.ok(), !graph.directed());
      if (!linkage.ok()) break;
      const VertexId n = graph.num_vertices();
      std::set<double> thresholds{-1, 1e9};
      for (const testing::TestEdge& edge : entries_of(graph)) thresholds.insert(edge.weight);
      for (const double threshold : thresholds) {
        VertexId merges = 0;
        while (merges < linkage->weights.size() &&
               (nearest ? linkage->weights[merges] <= threshold : linkage->weights[merges] >= threshold))
          ++merges;
        const auto found = linkage_components(*linkage, n, merges);
        ASSERT_TRUE(found.ok());
        EXPECT_EQ(*found, components_at(graph, threshold, nearest)) << threshold;
      }
    }
  }
}

/// Each cluster is merged once, and its size is the number of vertices below it.
TEST_P(SingleLinkageOnShapes, MergesAreATree) {
  options.weights = WeightType::int32;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto linkage = single_linkage(engine, graph);
    if (!linkage.ok()) continue;
    const VertexId n = graph.num_vertices();
    std::set<VertexId> merged;
    std::map<VertexId, VertexId> sizes;
    for (VertexId v = 0; v < n; ++v) sizes[v] = 1;
    for (VertexId i = 0; i < linkage->first.size(); ++i) {
      ASSERT_LT(linkage->first[i], linkage->second[i]);
      ASSERT_LT(linkage->second[i], n + i);
      EXPECT_TRUE(merged.insert(linkage->first[i]).second);
      EXPECT_TRUE(merged.insert(linkage->second[i]).second);
      sizes[n + i] = sizes[linkage->first[i]] + sizes[linkage->second[i]];
      EXPECT_EQ(linkage->sizes[i], sizes[n + i]);
    }
  }
}

TEST(SingleLinkage, RefusesMergesThatDoNotExist) {
  const SingleLinkage some{{0}, {1}, {1.0}, {2}};
  EXPECT_EQ(*linkage_components(some, 3, 1), (std::vector<VertexId>{0, 0, 2}));
  EXPECT_EQ(linkage_components(some, 3, 2).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(linkage_components({{0}, {3}, {1.0}, {2}}, 3, 1).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace rizoma
