#include <rizoma/ordered_sweep.h>

#include <rizoma/graph_view.h>

#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::BuildOptions;
using testing::entries_of;
using ::testing::HasSubstr;
using testing::TestEdge;

/// Of ways to a vertex the one whose largest weight is the least.
struct Narrowest {
  using Value = std::uint32_t;
  static constexpr Value unreached = ~Value{0};
  Value divisor = 1;             ///< values that share a bucket
  Value greatest = unreached;    ///< weight that passes
  bool greater_is_fault = true;  ///< rather than a reason to give up

  [[nodiscard]] std::uint64_t bucket_of(Value value) const { return value / divisor; }
  [[nodiscard]] Value along(Value value, auto weight) const { return std::max(value, static_cast<Value>(weight)); }
  [[nodiscard]] bool passes(Value, auto weight) const { return static_cast<Value>(weight) <= greatest; }
  [[nodiscard]] std::optional<Error> why_not(VertexId u, VertexId v, auto weight) const {
    if (!greater_is_fault) return std::nullopt;
    return Error{ErrorCode::invalid_argument,
                 std::to_string(u) + " to " + std::to_string(v) + ": " + std::to_string(weight)};
  }
};

/// The contract, word for word: until no edge says more.
std::vector<std::uint32_t> narrowest_ways(const GraphView& graph, VertexId from) {
  std::vector<std::uint32_t> least(graph.num_vertices(), Narrowest::unreached);
  least[from] = 0;
  const std::vector<TestEdge> entries = entries_of(graph);
  for (bool changed = true; changed;) {
    changed = false;
    for (const TestEdge& e : entries) {
      if (least[e.source] == Narrowest::unreached) continue;
      const std::uint32_t way = std::max(least[e.source], static_cast<std::uint32_t>(e.weight));
      if (way >= least[e.target]) continue;
      least[e.target] = way;
      changed = true;
    }
  }
  return least;
}

/// Four threads belong to two synthetic homes.
EngineOptions team_of(unsigned threads) {
  EngineOptions options{.threads = threads};
  if (threads == 4)
    options.fixed = Placement{
        .policy = PlacementPolicy::round_robin, .homes = 2, .home_of_section = {}, .home_of_thread = {0, 1, 0, 1}};
  return options;
}

class PrioritySweeps : public ::testing::TestWithParam<unsigned> {
 protected:
  Engine engine{team_of(GetParam())};
  GraphView graph =
      build_graph(4096, testing::uniform_edges(4096, 9000, 3), {.weights = WeightType::int32, .section_bits = 6});

  /// f(sweep) with a sweep by a program.
  template <class F>
  auto with_sweep(const Narrowest& program, F f) {
    return read_lists<true>(engine, graph, Direction::out, [&]<class Lists>(Lists& out) {
      PrioritySweep<Narrowest, Lists> sweep(engine, graph, out, program);
      return f(sweep);
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Threads, PrioritySweeps, ::testing::Values(1, 2, 4));

TEST_P(PrioritySweeps, FindTheLeastValuesWhateverABucketHolds) {
  const std::vector<std::uint32_t> expected = narrowest_ways(graph, 7);
  for (const std::uint32_t divisor : {1U, 3U, 1000U}) {
    with_sweep({.divisor = divisor}, [&](auto& sweep) {
      ASSERT_TRUE(sweep.start(7, 0));
      std::uint64_t last = 0;
      while (sweep.waiting()) {
        ASSERT_GE(sweep.bucket(), last);
        last = sweep.bucket();
        ASSERT_TRUE(sweep.step());
      }
      EXPECT_THAT(std::vector(sweep.values().span().begin(), sweep.values().span().end()), expected) << divisor;
      EXPECT_FALSE(sweep.gave_up());
      EXPECT_FALSE(sweep.reached_few());
    });
  }
}

TEST_P(PrioritySweeps, GoOnWhereOthersWere) {
  const std::vector<std::uint32_t> expected = narrowest_ways(graph, 7);
  std::vector<std::uint32_t> half_way;
  std::uint64_t bucket = 0;
  with_sweep({}, [&](auto& sweep) {
    ASSERT_TRUE(sweep.start(7, 0));
    for (int step = 0; step < 3 && sweep.waiting(); ++step) ASSERT_TRUE(sweep.step());
    ASSERT_TRUE(sweep.waiting());
    half_way.assign(sweep.values().span().begin(), sweep.values().span().end());
    bucket = sweep.bucket();
  });
  ASSERT_NE(half_way, expected);
  with_sweep({}, [&](auto& sweep) {
    const auto reached = sweep.start_again(bucket, [&](VertexId v) { return half_way[v]; });
    ASSERT_TRUE(reached.ok());
    EXPECT_EQ(*reached, 4096U - static_cast<VertexId>(std::ranges::count(half_way, Narrowest::unreached)));
    while (sweep.waiting()) ASSERT_TRUE(sweep.step());
    EXPECT_THAT(std::vector(sweep.values().span().begin(), sweep.values().span().end()), expected);
    EXPECT_FALSE(sweep.reached_few());
  });
}

TEST_P(PrioritySweeps, KnowWhomTheyReachedIfTheseAreFew) {
  graph = build_graph(4096, testing::path_edges(20), {.weights = WeightType::int32, .section_bits = 6});
  with_sweep({}, [&](auto& sweep) {
    ASSERT_TRUE(sweep.start(3, 0));
    while (sweep.waiting()) ASSERT_TRUE(sweep.step());
    ASSERT_TRUE(sweep.reached_few());
    VertexSet reached(4096);
    ASSERT_TRUE(sweep.for_reached([&](VertexId v) { reached.add(v); }));
    EXPECT_EQ(reached.count(), 20U);
  });
}

TEST_P(PrioritySweeps, EndAtAnEdgeThatDoesNotPass) {
  auto edges = testing::path_edges(20);
  edges[11].weight = 500;
  graph = build_graph(20, edges, {.directed = true, .weights = WeightType::int32, .section_bits = 6});
  with_sweep({.greatest = 400}, [&](auto& sweep) {
    ASSERT_TRUE(sweep.start(3, 0));
    Status status;
    while (status && sweep.waiting()) status = sweep.step();
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().message, HasSubstr("11 to 12: 500"));
  });
  with_sweep({.greatest = 400, .greater_is_fault = false}, [&](auto& sweep) {
    ASSERT_TRUE(sweep.start(3, 0));
    while (!sweep.gave_up() && sweep.waiting()) ASSERT_TRUE(sweep.step());
    EXPECT_TRUE(sweep.gave_up());
  });
  with_sweep({.greatest = 400}, [&](auto& sweep) {  // out of reach
    ASSERT_TRUE(sweep.start(13, 0));
    while (sweep.waiting()) ASSERT_TRUE(sweep.step());
  });
}

TEST_P(PrioritySweeps, CountTheListsThatTheyRead) {
  std::uint64_t entries = 0;
  engine.reset_traffic();
  with_sweep({}, [&](auto& sweep) {
    ASSERT_TRUE(sweep.start(7, 0));
    while (sweep.waiting()) ASSERT_TRUE(sweep.step());
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      if (sweep.values()[v] != Narrowest::unreached) entries += Degrees(graph)[v];
  });
  const SweepCount counted = engine.traffic().total();
  EXPECT_GE(counted.local.edges + counted.remote.edges, entries);
}

/// Runs `check(sweep, ranks)` with a sweep on each of `count` ranks, which share memory.
template <class F>
void with_ranks_together(Rank count, unsigned threads, const GraphView& graph, const Narrowest& program, F check) {
  constexpr std::uint64_t kShares = 4;
  run_simulated_cluster(count, kShares, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = threads, .ranks = &ranks});
    read_lists<true>(engine, graph, Direction::out, [&]<class Lists>(Lists& out) {
      PrioritySweep<Narrowest, Lists> sweep(engine, graph, out, program);
      check(sweep, ranks);
    });
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(PrioritySweepsOfRanks, FindTheLeastValuesInMemoryThatTheyShare) {
  const GraphView graph =
      build_graph(4096, testing::uniform_edges(4096, 9000, 3), {.weights = WeightType::int32, .section_bits = 6});
  const std::vector<std::uint32_t> expected = narrowest_ways(graph, 7);
  for (const Rank count : {2U, 5U, 16U}) {
    for (const std::uint32_t divisor : {10U, 1000U}) {
      if (count == 16 && divisor == 10) continue;  // hundreds of rounds
      with_ranks_together(count, 1 + count % 2, graph, {.divisor = divisor}, [&](auto& sweep, Ranks&) {
        ASSERT_TRUE(sweep.start(7, 0));
        while (sweep.waiting()) ASSERT_TRUE(sweep.step());
        EXPECT_THAT(std::vector(sweep.values().span().begin(), sweep.values().span().end()), expected) << divisor;
        EXPECT_FALSE(sweep.reached_few());
      });
    }
  }
}

TEST(PrioritySweepsOfRanks, GoOnWhereOthersWere) {
  const GraphView graph =
      build_graph(4096, testing::uniform_edges(4096, 9000, 3), {.weights = WeightType::int32, .section_bits = 6});
  const std::vector<std::uint32_t> expected = narrowest_ways(graph, 7);
  with_ranks_together(3, 2, graph, {}, [&](auto& sweep, Ranks& ranks) {
    ASSERT_TRUE(sweep.start(7, 0));
    for (int step = 0; step < 2 && sweep.waiting(); ++step) ASSERT_TRUE(sweep.step());
    ASSERT_TRUE(sweep.waiting());
    ASSERT_TRUE(sweep.notify_owners());
    const std::vector<std::uint32_t> half_way(sweep.values().span().begin(), sweep.values().span().end());
    const std::uint64_t bucket = sweep.bucket();
    ASSERT_TRUE(ranks.barrier());
    ASSERT_TRUE(sweep.start_again(bucket, [&](VertexId v) { return half_way[v]; }));
    while (sweep.waiting()) ASSERT_TRUE(sweep.step());
    EXPECT_THAT(std::vector(sweep.values().span().begin(), sweep.values().span().end()), expected);
  });
}

TEST(PrioritySweepsOfRanks, AllKnowWhomTheyReachedIfTheseAreFew) {
  const GraphView graph = build_graph(4096, testing::path_edges(20), {.weights = WeightType::int32, .section_bits = 3});
  with_ranks_together(4, 1, graph, {}, [&](auto& sweep, Ranks& ranks) {
    ASSERT_TRUE(sweep.start(3, 0));
    while (sweep.waiting()) ASSERT_TRUE(sweep.step());
    ASSERT_TRUE(sweep.reached_few());
    VertexSet reached(4096);
    ASSERT_TRUE(sweep.for_reached([&](VertexId v) { reached.add(v); }));
    EXPECT_EQ(reached.count(), 20U);
    EXPECT_LT(ranks.collectives(), 10U) << "the first rank goes on alone";
  });
}

TEST(PrioritySweepsOfRanks, EndOnAllAtAnEdgeThatDoesNotPass) {
  auto edges = testing::path_edges(20);
  edges[11].weight = 500;
  const GraphView graph = build_graph(20, edges, {.directed = true, .weights = WeightType::int32, .section_bits = 3});
  with_ranks_together(3, 1, graph, {.greatest = 400, .greater_is_fault = false}, [&](auto& sweep, Ranks&) {
    ASSERT_TRUE(sweep.start(3, 0));
    while (!sweep.gave_up() && sweep.waiting()) ASSERT_TRUE(sweep.step());
    EXPECT_TRUE(sweep.gave_up());
  });
}

}  // namespace
}  // namespace rizoma
