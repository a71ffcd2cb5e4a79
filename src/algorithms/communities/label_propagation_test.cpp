#include <rizoma/algorithms/label_propagation.h>

#include "testing/graph_shapes.h"

#include <map>

namespace rizoma {
namespace {

using testing::build_graph;

class LabelPropagationOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, LabelPropagationOnShapes, testing_shapes());

/// Votes for each vertex from entries in either direction.
using Votes = std::vector<std::map<VertexId, double>>;

Votes votes_of(const GraphView& graph, const std::vector<VertexId>& labels, bool weighted) {
  Votes votes(graph.num_vertices());
  for (const testing::TestEdge& edge : testing::entries_of(graph)) {
    const double weight = weighted ? edge.weight : 1;
    votes[edge.source][labels[edge.target]] += weight;
    if (graph.directed()) votes[edge.target][labels[edge.source]] += weight;
  }
  return votes;
}

double most_of(const std::map<VertexId, double>& votes) {
  double most = 0;
  for (const auto& [label, sum] : votes) most = std::max(most, sum);
  return most;
}

/// CDLP by its definition.
std::vector<VertexId> oracle(const GraphView& graph, std::vector<VertexId> labels, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) {
    const Votes votes = votes_of(graph, labels, false);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      const double most = most_of(votes[v]);
      for (const auto& [label, sum] : votes[v]) {
        if (sum == most) {
          labels[v] = label;  // the map is in ascending order
          break;
        }
      }
    }
  }
  return labels;
}

TEST_P(LabelPropagationOnShapes, SynchronousRoundsAreThoseOfTheDefinition) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    std::vector<VertexId> start(graph.num_vertices());
    for (VertexId v = 0; v < start.size(); ++v) start[v] = (v * 7 + 3) % start.size();
    for (const unsigned rounds : {0U, 1U, 5U}) {
      const auto result = label_propagation(engine, graph, {.synchronous = true, .max_iter = rounds, .start = start});
      ASSERT_EQ(result.ok(), graph.has_in_edges());
      if (!result.ok()) continue;
      const std::vector<VertexId> expected = oracle(graph, start, rounds);
      for (const VertexId v : live_vertices(graph)) ASSERT_EQ(result->labels[v], expected[v]) << v;
    }
  }
}

TEST_P(LabelPropagationOnShapes, AtRestEveryVertexAgreesWithMostNeighbours) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    for (const bool weighted : {false, true}) {
      const auto result = label_propagation(engine, graph, {.seed = 5, .use_weights = weighted});
      ASSERT_EQ(result.ok(), graph.has_in_edges());
      if (!result.ok()) continue;
      EXPECT_TRUE(result->converged);
      const std::vector<VertexId> labels(result->labels.span().begin(), result->labels.span().end());
      const bool counts = weighted && graph.weight_type() != WeightType::none;
      const Votes votes = votes_of(graph, labels, counts);
      std::map<VertexId, int> found;
      for (const VertexId v : live_vertices(graph)) {
        ++found[labels[v]];
        if (votes[v].empty()) {
          EXPECT_EQ(labels[v], v);
        } else {
          EXPECT_DOUBLE_EQ(votes[v].count(labels[v]) ? votes[v].at(labels[v]) : -1, most_of(votes[v])) << v;
        }
      }
      EXPECT_EQ(result->count, found.size());
    }
  }
}

TEST(LabelPropagation, TheAnswerDependsOnTheSeedAndNotOnTheThreads) {
  const GraphView graph = build_graph(1 << 14, testing::rmat_edges(14, 60000, 3), {});
  std::vector<VertexId> first;
  for (const unsigned threads : {1U, 2U, 4U}) {
    Engine engine({.threads = threads});
    const auto result = label_propagation(engine, graph, {.seed = 9});
    ASSERT_TRUE(result.ok());
    const std::vector<VertexId> labels(result->labels.span().begin(), result->labels.span().end());
    if (first.empty()) first = labels;
    EXPECT_EQ(labels, first);
  }
}

TEST(LabelPropagation, TwoCliquesAndABridgeAreTwoCommunities) {
  std::vector<testing::TestEdge> edges{{0, 8, 1}};
  for (VertexId a = 0; a < 8; ++a) {
    for (VertexId b = 0; b < a; ++b) {
      edges.push_back({a, b, 1});
      edges.push_back({a + 8, b + 8, 1});
    }
  }
  const GraphView graph = build_graph(16, edges, {});
  Engine engine;
  const auto result = label_propagation(engine, graph, {.seed = 2});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->count, 2);
  for (VertexId v = 0; v < 16; ++v) EXPECT_EQ(result->labels[v], result->labels[v < 8 ? 0 : 8]);
}

TEST_P(LabelPropagationOnShapes, WhatChangedIsLookedAtAsIfAllWere) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    if (!graph.has_in_edges()) continue;
    const auto former = label_propagation(engine, graph, {.seed = 5});
    ASSERT_TRUE(former.ok());
    std::vector<VertexId> start(former->labels.span().begin(), former->labels.span().end());
    const std::vector<VertexId> none;
    const auto kept = label_propagation(engine, graph, {.seed = 6, .start = start, .changed = none});
    ASSERT_TRUE(kept.ok());
    EXPECT_TRUE(std::ranges::equal(kept->labels.span(), start));
    std::vector<VertexId> torn;  // some are alone again: who sees them has a reason to look
    const std::vector<VertexId> everyone = live_vertices(graph);
    for (const VertexId v : everyone) {
      if (v % 7 != 0 || v >= 84) continue;
      start[v] = v;
      torn.push_back(v);
    }
    for (const testing::TestEdge& edge : testing::entries_of(graph)) {
      if (edge.source % 7 == 0 && edge.source < 84) torn.push_back(edge.target);
      if (edge.target % 7 == 0 && edge.target < 84) torn.push_back(edge.source);
    }
    for (const bool synchronous : {false, true}) {
      const LabelPropagationOptions all{.synchronous = synchronous, .max_iter = 20, .seed = 6, .start = start};
      LabelPropagationOptions few = all;
      few.changed = synchronous ? everyone : torn;  // one that is at rest in one mode may move in the other
      const auto expected = label_propagation(engine, graph, all);
      const auto found = label_propagation(engine, graph, few);
      ASSERT_TRUE(expected.ok() && found.ok());
      EXPECT_TRUE(std::ranges::equal(found->labels.span(), expected->labels.span())) << synchronous;
      EXPECT_EQ(found->iterations, expected->iterations);
    }
  }
}

TEST(LabelPropagation, RefusesFirstLabelsThatAreNone) {
  const GraphView graph = build_graph(4, testing::path_edges(4), {});
  Engine engine;
  const std::vector<VertexId> few{0, 1};
  const std::vector<VertexId> great{0, 1, 2, 4};
  EXPECT_EQ(label_propagation(engine, graph, {.start = few}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(label_propagation(engine, graph, {.start = great}).error().code, ErrorCode::invalid_argument);
  const std::vector<VertexId> fine{0, 1, 2, 3};
  EXPECT_FALSE(label_propagation(engine, graph, {.start = fine, .changed = great}).ok());
  EXPECT_FALSE(label_propagation(engine, graph, {.changed = fine}).ok());
}

TEST(LabelPropagation, RefusesNegativeWeights) {
  testing::BuildOptions form;
  form.weights = WeightType::float64;
  const GraphView graph = build_graph(3, {{0, 1, 1}, {1, 2, -1}}, form);
  Engine engine;
  EXPECT_EQ(label_propagation(engine, graph, {.use_weights = true}).error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(label_propagation(engine, graph).ok());
}

}  // namespace
}  // namespace rizoma
