#include <rizoma/sample.h>

#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

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

}  // namespace
}  // namespace rizoma
