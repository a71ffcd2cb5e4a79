#include <rizoma/algorithms/spanning_forest.h>

#include "testing/graph_shapes.h"

#include <algorithm>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class SpanningForestOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, SpanningForestOnShapes, testing_shapes());

/// Weight of a largest or least forest by Prim's algorithm on a matrix.
double oracle(const GraphView& graph, bool maximum) {
  const VertexId n = graph.num_vertices();
  constexpr double kNone = 1e18;
  std::vector<std::vector<double>> weights(n, std::vector<double>(n, kNone));
  for (const testing::TestEdge& edge : entries_of(graph)) {
    weights[edge.source][edge.target] =
        std::min(weights[edge.source][edge.target], maximum ? -edge.weight : edge.weight);
  }
  std::vector<double> near(n, kNone);
  std::vector<bool> in(n);
  double sum = 0;
  for (VertexId step = 0; step < n; ++step) {
    VertexId best = kNoVertex;
    for (VertexId v = 0; v < n; ++v) {
      if (!in[v] && (best == kNoVertex || near[v] < near[best])) best = v;
    }
    in[best] = true;
    if (near[best] < kNone) sum += near[best];
    for (VertexId v = 0; v < n; ++v) near[v] = std::min(near[v], weights[best][v]);
  }
  return maximum ? -sum : sum;
}

TEST_P(SpanningForestOnShapes, WeighsAsMuchAsTheOracles) {
  options.weights = WeightType::float64;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    for (const bool maximum : {false, true}) {
      const auto forest = spanning_forest(engine, graph, maximum);
      ASSERT_EQ(forest.ok(), !graph.directed());
      if (!forest.ok()) break;
      double sum = 0;
      for (const double weight : forest->weights) sum += weight;
      EXPECT_DOUBLE_EQ(sum, oracle(graph, maximum));
      const auto entries = entries_of(graph);
      for (std::size_t i = 0; i < forest->entries.size(); ++i) {
        EXPECT_EQ(entries[forest->entries[i]],
                  (testing::TestEdge{forest->sources[i], forest->targets[i], forest->weights[i]}));
      }
    }
  }
}

/// The entries that the greedy choice takes, one after the other, with a label for each tree.
std::vector<EdgeCount> greedy_choice(const GraphView& graph, bool maximum) {
  const auto entries = entries_of(graph);
  std::vector<EdgeCount> order;
  for (EdgeCount i = 0; i < entries.size(); ++i) {
    if (entries[i].source < entries[i].target) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](EdgeCount a, EdgeCount b) {
    return maximum ? entries[a].weight > entries[b].weight : entries[a].weight < entries[b].weight;
  });
  std::vector<VertexId> trees(graph.num_vertices());
  for (VertexId v = 0; v < trees.size(); ++v) trees[v] = v;
  std::vector<EdgeCount> chosen;
  for (const EdgeCount i : order) {
    const VertexId from = trees[entries[i].source];
    const VertexId to = trees[entries[i].target];
    if (from == to) continue;
    std::replace(trees.begin(), trees.end(), from, to);
    chosen.push_back(i);
  }
  return chosen;
}

TEST_P(SpanningForestOnShapes, AreTheGreedyChoiceInItsOrder) {
  for (const WeightType weights : {WeightType::none, WeightType::int32}) {
    options.weights = weights;
    for (const auto& [edges, form] : small_graphs(options)) {
      const GraphView graph = build_graph(150, edges, form);
      if (graph.directed()) continue;
      for (const bool maximum : {false, true}) {
        const auto forest = spanning_forest(engine, graph, maximum);
        ASSERT_TRUE(forest.ok());
        EXPECT_EQ(forest->entries, greedy_choice(graph, maximum));
      }
    }
  }
}

/// So many edges that they are chosen in two parts, and few that are all sorted at once; more than a comparison sorts.
TEST(SpanningForest, IsTheGreedyChoiceWhereThreadsShareTheWork) {
  for (const auto& [n, m] :
       {std::pair<VertexId, std::size_t>(6000, 80000), std::pair<VertexId, std::size_t>(8000, 14000)}) {
    auto edges = testing::uniform_edges(n, m, 11);
    for (testing::TestEdge& edge : edges) {
      edge.weight = edge.weight == 100 ? -0.0 : edge.weight < 100 ? (edge.weight - 50) / 3 : edge.weight - 170;
    }
    for (const WeightType weights : {WeightType::none, WeightType::float64}) {
      const GraphView graph = build_graph(n, edges, {.weights = weights, .section_bits = 8});
      for (const bool maximum : {false, true}) {
        const std::vector<EdgeCount> chosen = greedy_choice(graph, maximum);
        for (const unsigned threads : {1U, 2U, 4U}) {
          Engine engine(team_of(threads, 8));
          const auto forest = spanning_forest(engine, graph, maximum);
          ASSERT_TRUE(forest.ok());
          EXPECT_EQ(forest->entries, chosen) << n << " vertices, " << threads << " threads";
        }
      }
    }
  }
}

/// The lightest edges are all in one corner, and the others do not join into few trees: they are thinned out.
TEST(SpanningForest, IsTheGreedyChoiceWhereManyEdgesJoinTrees) {
  std::vector<testing::TestEdge> edges;
  const VertexId n = 600;
  for (VertexId u = 0; u < n; ++u) {
    for (VertexId v = 0; v < u; ++v) {
      const bool corner = u < 60;
      edges.push_back(
          {u, v, corner ? 1 + static_cast<double>(v % 3) : 10 + static_cast<double>((u * 31 + v * 17) % 97)});
    }
  }
  for (const unsigned bits : {4U, 10U}) {
    const GraphView graph = build_graph(n, edges, {.weights = WeightType::float64, .section_bits = bits});
    for (const bool maximum : {false, true}) {
      const std::vector<EdgeCount> chosen = greedy_choice(graph, maximum);
      for (const unsigned threads : {1U, 3U}) {
        Engine engine(team_of(threads, 8));
        const auto forest = spanning_forest(engine, graph, maximum);
        ASSERT_TRUE(forest.ok());
        EXPECT_EQ(forest->entries, chosen) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace rizoma
