#include <rizoma/sample.h>

#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::build_graph;

TEST(SampleTest, DrawsEveryNeighbourAboutEquallyOften) {
  const GraphView graph = build_graph(11, testing::star_edges(11));
  const NeighborSampler sampler(graph, Direction::out, 3);
  std::vector<VertexId> drawn(20000, 0);
  sampler.draw(drawn, 0, drawn);
  std::map<VertexId, int> times;
  for (const VertexId v : drawn) ++times[v];
  EXPECT_EQ(times.size(), 10U);
  for (const auto& [v, count] : times) EXPECT_NEAR(count, 2000, 250) << v;  // six standard deviations
}

TEST(SampleTest, DrawsNothingWhereThereIsNothing) {
  const GraphView graph = build_graph(3, {{0, 1, 1}}, {.directed = true});
  const NeighborSampler sampler(graph, Direction::out, 3);
  std::vector<VertexId> to(3);
  sampler.draw(std::vector<VertexId>{0, 1, kNoVertex}, 7, to);
  EXPECT_EQ(to, (std::vector<VertexId>{1, kNoVertex, kNoVertex}));
  std::vector<VertexId> in(3);
  NeighborSampler(graph, Direction::in, 3).draw(std::vector<VertexId>{0, 1, 2}, 7, in);
  EXPECT_EQ(in, (std::vector<VertexId>{kNoVertex, 0, kNoVertex}));
}

TEST(SampleTest, DrawsDifferentNeighboursEachEquallyOften) {
  const GraphView graph = build_graph(21, testing::star_edges(21));
  const NeighborSampler sampler(graph, Direction::out, 9);
  std::map<VertexId, int> times;
  for (std::uint64_t number = 0; number < 8000; ++number) {
    std::vector<VertexId> some{kNoVertex};  // what is there already stays
    sampler.draw_some(0, 5, number, some);
    ASSERT_EQ(some.size(), 6U);
    ASSERT_EQ(some[0], kNoVertex);
    ASSERT_TRUE(std::is_sorted(some.begin() + 1, some.end()));
    ASSERT_EQ(std::adjacent_find(some.begin(), some.end()), some.end());
    for (std::size_t i = 1; i < some.size(); ++i) ++times[some[i]];
  }
  EXPECT_EQ(times.size(), 20U);
  for (const auto& [v, count] : times) EXPECT_NEAR(count, 2000, 250) << v;
  std::vector<VertexId> all;
  sampler.draw_some(0, 20, 0, all);
  EXPECT_EQ(all.size(), 20U);
}

TEST(SampleTest, WalksAreTheSameForEveryNumberOfThreads) {
  const GraphView graph = build_graph(1024, testing::rmat_edges(10, 6000, 4), {.directed = true});
  const NeighborSampler sampler(graph, Direction::out, 17);
  std::vector<VertexId> starts(1024);
  std::iota(starts.begin(), starts.end(), VertexId{0});
  std::vector<VertexId> first;
  for (const unsigned threads : {1U, 2U, 4U}) {
    Engine engine(EngineOptions{.threads = threads});
    const auto walks = random_walks(engine, sampler, starts, 6);
    ASSERT_TRUE(walks.ok());
    if (first.empty()) first = *walks;
    EXPECT_EQ(*walks, first);
  }
  graph.with_out([&](const auto& out) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (i % 7 == 0) {
        EXPECT_EQ(first[i], i / 7);
        continue;
      }
      const VertexId from = first[i - 1];
      if (from == kNoVertex || out.degree(from) == 0) {
        EXPECT_EQ(first[i], kNoVertex);
        continue;
      }
      const auto list = out.neighbors(from);
      EXPECT_NE(std::find(list.begin(), list.end(), first[i]), list.end());
    }
  });
  EXPECT_GT(std::count_if(first.begin(), first.end(), [](VertexId v) { return v != kNoVertex; }), 2000);
}

/// How often each vertex followed each pair of a vertex and the one before it, as shares.
using Shares = std::map<std::vector<VertexId>, double>;

Shares shares_of(const std::vector<VertexId>& walks, std::size_t width) {
  Shares counts;
  std::map<std::vector<VertexId>, double> totals;
  for (std::size_t i = 0; i + width <= walks.size(); i += width) {
    for (std::size_t k = i + 2; k < i + width; ++k) {
      if (walks[k] == kNoVertex) break;
      ++counts[{walks[k - 2], walks[k - 1], walks[k]}];
      ++totals[{walks[k - 2], walks[k - 1]}];
    }
  }
  for (auto& [triple, count] : counts) count /= totals[{triple[0], triple[1]}];
  return counts;
}

TEST(BiasedWalks, GoOnInTheSharesOfNode2vec) {
  std::vector<testing::TestEdge> edges = testing::uniform_edges(7, 11, 3);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].weight = static_cast<double>(i % 4);
  edges.push_back({0, 7, 2});  // 7 leads back alone
  for (const bool directed : {false, true}) {
    for (const Direction direction : {Direction::out, Direction::in}) {
      for (const WeightType type : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
        const GraphView graph = build_graph(8, edges, {.directed = directed, .weights = type});
        Engine engine(EngineOptions{.threads = 3});
        std::vector<VertexId> starts(30000);
        for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = i % 8;
        const WalkOptions options{.seed = 5, .direction = direction, .weighted = true, .p = 50, .q = 0.25};
        const auto walks = random_walks(engine, graph, starts, 6, options);
        ASSERT_TRUE(walks.ok());
        std::map<std::pair<VertexId, VertexId>, double> weights;  // along the walks' direction
        for (const auto& e : testing::entries_of(graph)) {
          if (direction == Direction::out || !directed) weights[{e.source, e.target}] += e.weight;
          else weights[{e.target, e.source}] += e.weight;
        }
        std::map<std::pair<VertexId, VertexId>, double> totals;
        Shares expected;
        for (const auto& [first, w] : weights) {
          for (const auto& [second, weight] : weights) {
            if (second.first != first.second || w == 0) continue;
            const double bias = second.second == first.first                     ? 1 / options.p
                                : weights.contains({first.first, second.second}) ? 1
                                                                                 : 1 / options.q;
            expected[{first.first, first.second, second.second}] = weight * bias;
            totals[first] += weight * bias;
          }
        }
        const Shares seen = shares_of(*walks, 7);
        for (const auto& [triple, share] : seen) ASSERT_TRUE(expected.contains(triple));
        for (const auto& [triple, share] : expected) {
          const double total = totals[{triple[0], triple[1]}];
          if (total == 0) continue;
          const auto found = seen.find(triple);
          if (share == 0) {
            EXPECT_EQ(found, seen.end());
          }
          const bool met = std::any_of(seen.begin(), seen.end(), [&](const auto& each) {
            return each.first[0] == triple[0] && each.first[1] == triple[1];
          });
          if (!met) continue;
          EXPECT_NEAR(found == seen.end() ? 0 : found->second, share / total, 0.06)
              << triple[0] << triple[1] << triple[2];
        }
      }
    }
  }
}

TEST(BiasedWalks, AreTheSameForEveryNumberOfThreadsAndEndWhereNothingLeadsOn) {
  const GraphView graph = build_graph(1024, testing::rmat_edges(10, 6000, 4), {.directed = true});
  std::vector<VertexId> starts(1024);
  std::iota(starts.begin(), starts.end(), VertexId{0});
  const WalkOptions options{.seed = 9, .p = 0.5, .q = 2};
  std::vector<VertexId> first;
  for (const unsigned threads : {1U, 2U, 4U}) {
    Engine engine(EngineOptions{.threads = threads});
    const auto walks = random_walks(engine, graph, starts, 6, options);
    ASSERT_TRUE(walks.ok());
    if (first.empty()) first = *walks;
    EXPECT_EQ(*walks, first);
  }
  graph.with_out([&](const auto& out) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (i % 7 == 0) {
        EXPECT_EQ(first[i], i / 7);
      } else if (first[i - 1] == kNoVertex || out.degree(first[i - 1]) == 0) {
        EXPECT_EQ(first[i], kNoVertex);
      } else {
        const auto list = out.neighbors(first[i - 1]);
        EXPECT_NE(std::find(list.begin(), list.end(), first[i]), list.end());
      }
    }
  });
}

TEST(BiasedWalks, GoBackToTheStart) {
  const GraphView graph = build_graph(10, testing::path_edges(10), {.directed = true});
  Engine engine(EngineOptions{.threads = 2});
  const std::vector<VertexId> starts(20000, 0);
  const auto walks = random_walks(engine, graph, starts, 1, {.seed = 1, .restart = 0.25});
  ASSERT_TRUE(walks.ok());
  EXPECT_NEAR(static_cast<double>(std::count(walks->begin(), walks->end(), 1)), 15000, 300);
  const auto end = random_walks(engine, graph, std::vector<VertexId>{8}, 3, {.restart = 1e-12});
  EXPECT_EQ(*end, (std::vector<VertexId>{8, 9, 8, 9}));
}

TEST(BiasedWalks, RefuseWhatHasNoMeaning) {
  Engine engine;
  const auto weighing = [](double weight) {
    return build_graph(3, {testing::TestEdge{0, 1, weight}}, {.weights = WeightType::float64});
  };
  const std::vector<VertexId> starts{0};
  for (const WalkOptions& options :
       {WalkOptions{.p = 0}, WalkOptions{.q = -1}, WalkOptions{.p = std::nan("")}, WalkOptions{.q = INFINITY},
        WalkOptions{.restart = 1}, WalkOptions{.restart = -0.1}}) {
    EXPECT_FALSE(random_walks(engine, weighing(1), starts, 2, options).ok());
  }
  for (const double weight : {-1.0, std::nan(""), double{INFINITY}}) {
    EXPECT_FALSE(random_walks(engine, weighing(weight), starts, 2, {.weighted = true}).ok());
    EXPECT_TRUE(random_walks(engine, weighing(weight), starts, 2, WalkOptions{}).ok());
    std::vector<VertexId> to;
    EXPECT_FALSE(NeighborSampler(weighing(weight), Direction::out, 1).draw_some_by_weight(0, 1, 0, to).ok());
  }
  EXPECT_FALSE(random_walks(engine, weighing(1), std::vector<VertexId>{3}, 2, WalkOptions{}).ok());
}

TEST(SampleTest, DrawsByWeight) {
  std::vector<testing::TestEdge> edges;
  for (VertexId v = 1; v <= 5; ++v) edges.push_back({0, v, static_cast<double>(v - 1)});
  const GraphView graph = build_graph(6, edges, {.directed = true, .weights = WeightType::int32});
  const NeighborSampler sampler(graph, Direction::out, 4);
  std::map<VertexId, int> times;
  for (std::uint64_t number = 0; number < 20000; ++number) {
    std::vector<VertexId> some;
    ASSERT_TRUE(sampler.draw_some_by_weight(0, 1, number, some).ok());
    ASSERT_EQ(some.size(), 1U);
    ++times[some[0]];
  }
  for (VertexId v = 1; v <= 5; ++v) EXPECT_NEAR(times[v], 2000 * static_cast<int>(v - 1), 300);
  std::vector<VertexId> all;
  ASSERT_TRUE(sampler.draw_some_by_weight(0, 9, 0, all).ok());
  EXPECT_EQ(all, (std::vector<VertexId>{2, 3, 4, 5}));
}

}  // namespace
}  // namespace rizoma
