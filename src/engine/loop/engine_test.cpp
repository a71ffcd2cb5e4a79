#include <rizoma/engine.h>

#include "engine/loop/work_lists.h"
#include "testing/delta_graph.h"
#include "testing/graph_builder.h"

#include <gmock/gmock.h>
#include <rizoma/topology.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <thread>

namespace rizoma {
namespace {

using rizoma::testing::build_graph;
using rizoma::testing::BuildOptions;

std::vector<int> visits(std::uint64_t size, FunctionRef<Status(FunctionRef<void(VertexRange, unsigned)>)> loop) {
  std::vector<std::atomic<int>> seen(size);
  const Status status = loop([&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) seen[v].fetch_add(1);
  });
  EXPECT_TRUE(status.ok());
  return {seen.begin(), seen.end()};
}

class EngineOfThreads : public ::testing::TestWithParam<unsigned> {
 protected:
  Engine engine{EngineOptions{.threads = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(Threads, EngineOfThreads, ::testing::Values(1, 2, 3, 8));

TEST_P(EngineOfThreads, ForBlocksVisitsEachItemOnce) {
  for (const std::uint64_t size : {0, 1, 63, 64, 1000, 12345}) {
    for (const std::uint64_t grain : {1, 7, 64, 100000}) {
      EXPECT_THAT(visits(size, [&](auto body) { return engine.for_blocks(size, grain, body); }), ::testing::Each(1));
    }
  }
}

TEST_P(EngineOfThreads, VertexAndEdgeLoopsVisitEachVertexOnce) {
  for (const unsigned section_bits : {0U, 2U, 5U, 6U, 7U, 12U}) {
    for (const bool wide : {false, true}) {
      BuildOptions options{.directed = true, .section_bits = section_bits, .wide = wide};
      auto edges = testing::rmat_edges(12, 40000, 5);
      for (VertexId v = 0; v < 3000; ++v) edges.push_back({70, v, 1});  // a hub within a block
      const GraphView graph = build_graph(4099, edges, options);
      EXPECT_THAT(visits(4099, [&](auto body) { return engine.for_vertices(graph, body); }), ::testing::Each(1));
      for (const Direction direction : {Direction::out, Direction::in}) {
        EXPECT_THAT(visits(4099, [&](auto body) { return engine.for_edges(graph, direction, body); }),
                    ::testing::Each(1));
      }
    }
  }
}

TEST_P(EngineOfThreads, VertexBlocksOwnTheirWords) {
  const GraphView graph = build_graph(1000, testing::uniform_edges(1000, 9000, 3), {.section_bits = 3});
  const Status status = engine.for_vertices(graph, [](VertexRange block, unsigned) {
    EXPECT_EQ(block.begin % 64, 0U);
    EXPECT_TRUE(block.size() == 64 || block.end == 1000);
  });
  EXPECT_TRUE(status.ok());
}

TEST_P(EngineOfThreads, ParallelRunsOnEveryThread) {
  std::vector<std::atomic<int>> runs(engine.threads());
  engine.parallel([&](unsigned thread) { runs[thread].fetch_add(1); });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST_P(EngineOfThreads, NestedLoopsRunOnTheirThread) {
  std::atomic<std::uint64_t> sum = 0;
  const Status status = engine.for_blocks(100, 1, [&](VertexRange outer, unsigned thread) {
    const Status inner = engine.for_blocks(50, 3, [&](VertexRange block, unsigned inner_thread) {
      EXPECT_EQ(inner_thread, thread);
      sum += block.size() * outer.begin;
    });
    EXPECT_TRUE(inner.ok());
    VertexMap<int> map = engine.make_map(10, 3);
    EXPECT_EQ(map[9], 3);
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(sum, 50U * 4950U);
}

TEST_P(EngineOfThreads, CallersTakeTurns) {
  std::uint64_t unguarded = 0;  // only safe if loops of different callers do not overlap
  const auto call = [&] {
    for (int i = 0; i < 200; ++i) {
      std::atomic<std::uint64_t> count = 0;
      ASSERT_TRUE(engine
                      .for_blocks(256, 8,
                                  [&](VertexRange block, unsigned) {
                                    if (block.begin == 0) unguarded += 1;
                                    count += block.size();
                                  })
                      .ok());
      ASSERT_EQ(count, 256U);
    }
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(unguarded, 400U);
}

TEST_P(EngineOfThreads, ExceptionsReachTheCallerAndTheEngineGoesOn) {
  const auto loop = [&] {
    (void)engine.for_blocks(100000, 1, [&](VertexRange block, unsigned) {
      if (block.begin == 17) throw std::bad_alloc();
    });
  };
  EXPECT_THROW(loop(), std::bad_alloc);
  engine.set_progress([](const Progress&) { return true; });
  EXPECT_THROW(loop(), std::bad_alloc);
  EXPECT_THROW(engine.parallel([](unsigned) { throw std::runtime_error("x"); }), std::runtime_error);
  EXPECT_THAT(visits(1000, [&](auto body) { return engine.for_blocks(1000, 10, body); }), ::testing::Each(1));
}

TEST_P(EngineOfThreads, RequestStopCancelsOneCall) {
  std::atomic<int> blocks = 0;
  const Status status = engine.for_blocks(1000000, 1, [&](VertexRange, unsigned) {
    if (blocks.fetch_add(1) >= 100) engine.request_stop();  // any thread, so that none runs on alone
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  EXPECT_LE(blocks, 101 + static_cast<int>(engine.threads()));
  EXPECT_FALSE(engine.stopping());
  EXPECT_TRUE(engine.for_blocks(10, 1, [](VertexRange, unsigned) {}).ok());

  engine.request_stop();
  EXPECT_FALSE(engine.report("phase", 0, 0).ok());
  EXPECT_TRUE(engine.report("phase", 0, 0).ok());
}

TEST_P(EngineOfThreads, WhatWasToStopACallThatThrewDoesNotStopTheNext) {
  const auto stop_and_throw = [&] {
    engine.request_stop();
    throw std::bad_alloc();
  };
  EXPECT_THROW((void)engine.for_blocks(1000, 1, [&](VertexRange, unsigned) { stop_and_throw(); }), std::bad_alloc);
  EXPECT_TRUE(engine.report("phase", 0, 0).ok());
  EXPECT_THROW(engine.parallel([&](unsigned) { stop_and_throw(); }), std::bad_alloc);
  EXPECT_TRUE(engine.report("phase", 0, 0).ok());
}

TEST_P(EngineOfThreads, ProgressIsAskedOnTheCallingThreadAlsoWhileOthersWork) {
  const std::thread::id caller = std::this_thread::get_id();
  int calls = 0;
  engine.set_progress([&](const Progress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(progress.phase, "crawl");
    return ++calls < 3;
  });
  ASSERT_TRUE(engine.report("crawl", 1, 2).ok());
  // The caller has nothing to do here, unless it is alone.
  engine.parallel([&](unsigned thread) {
    while (thread != 0 && !engine.stopping()) std::this_thread::yield();
  });
  const Status status = engine.for_blocks(1000, 1, [&](VertexRange, unsigned) {
    // The others leave all but a block each to the caller, however little of the processors that gets.
    while (std::this_thread::get_id() != caller && !engine.stopping()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_EQ(calls, 3);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
}

TEST_P(EngineOfThreads, ALongBodyCanAskWhetherToGoOn) {
  int calls = 0;
  engine.set_progress([&](const Progress&) { return ++calls < 3; });
  std::atomic<bool> told = false;
  const Status status = engine.for_blocks(1, 1, [&](VertexRange, unsigned) {
    for (int i = 0; i < 100000 && !told; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      told = !engine.report("within", 0, 0).ok();
    }
  });
  EXPECT_TRUE(told);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
}

TEST_P(EngineOfThreads, MapsAreFilledAndAligned) {
  for (const VertexId n : {0, 1, 1000, 1000003}) {
    const VertexMap<std::uint64_t> map = engine.make_map<std::uint64_t>(n, 42);
    EXPECT_EQ(map.size(), n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(map.data()) % 64, 0U);  // of a cache line
    EXPECT_THAT(map.span(), ::testing::Each(42U));
  }
}

TEST(EngineOfHomes, VisitEachVertexOnceAndCountWhoseItWas) {
  const GraphView graph = build_graph(20000, testing::rmat_edges(14, 300000, 2), {.section_bits = 8});
  for (const std::string_view name : placement_policy_names()) {
    const PlacementPolicy policy = *parse_policy(name);
    Engine engine(EngineOptions{.threads = 4, .placement = policy}, synthetic_topology(2, 2, 1));
    EXPECT_THAT(visits(20000, [&](auto body) { return engine.for_vertices(graph, body); }), ::testing::Each(1));
    EXPECT_THAT(visits(20000, [&](auto body) { return engine.for_edges(graph, Direction::in, body); }),
                ::testing::Each(1));
    const SweepCount all = engine.traffic().total();
    EXPECT_EQ(all.local.vertices + all.remote.vertices, 2 * graph.num_vertices());
    EXPECT_EQ(all.local.edges + all.remote.edges, graph.num_entries());
    EXPECT_TRUE(policy != PlacementPolicy::in_place || all.remote == WorkCount{});
  }
}

TEST(EngineOfHomes, ThreadsBeginAtHome) {
  // The first range each thread gets must be of its home: no thread goes on before all have begun.
  const GraphView graph = build_graph(1 << 14, testing::rmat_edges(14, 200000, 2), {.section_bits = 8});
  Engine engine(EngineOptions{.threads = 2, .placement = PlacementPolicy::round_robin}, synthetic_topology(2, 1));
  std::vector<std::vector<SectionId>> sections(2);
  std::atomic<int> begun = 0;
  ASSERT_TRUE(engine
                  .for_edges(graph, Direction::out,
                             [&](VertexRange range, unsigned thread) {
                               if (sections[thread].empty()) {
                                 ++begun;
                                 while (begun < 2) std::this_thread::yield();
                               }
                               sections[thread].push_back(range.begin >> 8);
                             })
                  .ok());
  const Placement placement = *engine.placement(graph);
  EXPECT_EQ(placement.home(sections[0].front()), 0U);
  EXPECT_EQ(placement.home(sections[1].front()), 1U);
}

TEST(WorkListsTest, CutsPartitionEachListAndBalanceIt) {
  const GraphView graph = build_graph(5000, testing::rmat_edges(12, 60000, 9), {.section_bits = 6});
  Placement placement{.homes = 3};
  for (SectionId s = 0; s < (5000 + 63) / 64; ++s) placement.home_of_section.push_back(static_cast<unsigned>(s % 3));
  for (const Cut at : {Cut::anywhere, Cut::words}) {
    const WorkLists work(graph.parts().out, placement, at);
    EXPECT_EQ(work.work(), graph.num_vertices() + graph.num_entries());
    std::vector<int> seen(graph.num_vertices());
    for (unsigned home = 0; home < 3; ++home) {
      const WorkList& list = work.lists()[home];
      for (std::uint64_t begin = 0; begin < list.work(); begin += 500) {
        std::uint64_t most = 0;
        list.cut(begin, begin + 500, at, [&](VertexRange range) {
          for (VertexId v = range.begin; v < range.end; ++v) {
            ++seen[v];
            EXPECT_EQ((v / 64) % 3, home);
            graph.with_out([&](const auto& out) { most += 1 + out.degree(v); });
          }
        });
        EXPECT_TRUE(at == Cut::words || most <= 500U + 4096U);
      }
    }
    EXPECT_THAT(seen, ::testing::Each(1));
  }
}

TEST_P(EngineOfThreads, PiecesCoverEachListOnceAndSplitTheGreat) {
  auto edges = testing::rmat_edges(12, 30000, 5);
  for (VertexId v = 0; v < 60000; ++v) edges.push_back({9, v, 1});  // a hub
  for (const unsigned section_bits : {0U, 3U, 10U, 16U}) {
    const GraphView graph = build_graph(60000, edges, {.directed = true, .section_bits = section_bits});
    std::vector<std::atomic<int>> lists(graph.num_vertices());
    std::vector<std::atomic<int>> hub_entries(60000);
    std::atomic<int> pieces = 0;
    const Status status = engine.for_pieces(
        graph, Direction::out,
        [&](VertexRange block, unsigned) {
          for (VertexId v = block.begin; v < block.end; ++v) lists[v].fetch_add(1);
        },
        [&](ListPiece piece, unsigned) {
          EXPECT_EQ(piece.vertex, 9U);
          for (EdgeCount i = piece.begin; i < piece.end; ++i) hub_entries[i].fetch_add(1);
          ++pieces;
        });
    ASSERT_TRUE(status.ok());
    EXPECT_GE(pieces, 3);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) EXPECT_EQ(lists[v], v == 9 ? 0 : 1) << v;
    EXPECT_EQ(std::count(hub_entries.begin(), hub_entries.end(), 1), 60000);
    EXPECT_EQ(engine.traffic().total().local.edges, graph.num_entries());
    engine.reset_traffic();
  }
}

TEST_P(EngineOfThreads, PiecesOfChangedListsCoverThemToo) {
  auto edges = testing::rmat_edges(12, 30000, 5);
  for (VertexId hub = 0; hub < 8; ++hub) {
    for (VertexId v = 0; v < 60000; v += 1 + hub) edges.push_back({1000 * hub, v, 1});
  }
  for (const unsigned section_bits : {0U, 3U, 10U, 16U}) {
    const GraphView graph = testing::with_changed_lists(
        build_graph(60000, edges, {.directed = true, .section_bits = section_bits}), section_bits);
    std::vector<std::atomic<int>> lists(graph.num_vertices());
    std::mutex mutex;
    std::map<VertexId, std::vector<int>> pieces;
    const Status status = engine.for_pieces(
        graph, Direction::out,
        [&](VertexRange block, unsigned) {
          for (VertexId v = block.begin; v < block.end; ++v) lists[v].fetch_add(1);
        },
        [&](ListPiece piece, unsigned) {
          const std::lock_guard guard(mutex);
          auto& entries = pieces[piece.vertex];
          graph.with_out([&](const auto& out) { entries.resize(out.degree(piece.vertex)); });
          ASSERT_LE(piece.end, entries.size());
          for (EdgeCount i = piece.begin; i < piece.end; ++i) ++entries[i];
        });
    ASSERT_TRUE(status.ok());
    for (VertexId v = 0; v < graph.num_vertices(); ++v) EXPECT_EQ(lists[v], pieces.contains(v) ? 0 : 1) << v;
    for (const auto& [vertex, entries] : pieces) {
      EXPECT_EQ(std::count(entries.begin(), entries.end(), 1), std::ssize(entries)) << vertex;
    }
    EXPECT_EQ(engine.traffic().total().local.edges, graph.num_entries());
    engine.reset_traffic();
  }
}

TEST_P(EngineOfThreads, ListsAreVisitedOnceAndCounted) {
  const GraphView graph = build_graph(5000, testing::rmat_edges(12, 60000, 9), {.section_bits = 6});
  std::vector<std::uint32_t> list;
  for (VertexId v = 0; v < 5000; v += 3) list.push_back(static_cast<std::uint32_t>(v));
  EdgeCount entries = 0;
  graph.with_out([&](const auto& out) {
    for (const std::uint32_t v : list) entries += out.degree(v);
  });
  for (const std::string_view policy : placement_policy_names()) {
    for (const std::uint64_t grain : {1, 50, 100000}) {
      for (const bool told : {false, true}) {
        Engine with(EngineOptions{.threads = GetParam(), .placement = *parse_policy(policy)}, synthetic_topology(3, 1));
        std::vector<std::atomic<int>> seen(5000);
        const auto body = [&](std::span<const std::uint32_t> vertices, unsigned) {
          EXPECT_LE(vertices.size(), grain);
          for (const std::uint32_t v : vertices) seen[v].fetch_add(1);
        };
        ASSERT_TRUE(with.for_list(graph, std::span<const std::uint32_t>(list), grain, body,
                                  told ? std::optional(entries) : std::nullopt)
                        .ok());
        for (VertexId v = 0; v < 5000; ++v) EXPECT_EQ(seen[v], v % 3 == 0 ? 1 : 0);
        const SweepCount all = with.traffic().total();
        EXPECT_EQ(all.local.vertices + all.remote.vertices, list.size());
        EXPECT_EQ(all.local.edges + all.remote.edges, entries);
        EXPECT_GT(all.local.blocks + all.remote.blocks, 0U);
      }
    }
  }
}

TEST(EngineOfHomes, TrafficIsThatOfEachSweep) {
  const GraphView graph = build_graph(20000, testing::rmat_edges(14, 300000, 2), {.section_bits = 8});
  Engine engine(EngineOptions{.threads = 2, .placement = PlacementPolicy::halves}, synthetic_topology(2, 1));
  const auto nothing = [](VertexRange, unsigned) {};
  ASSERT_TRUE(engine.for_edges(graph, Direction::out, nothing).ok());
  ASSERT_TRUE(engine.for_words(graph, Direction::in, nothing).ok());
  ASSERT_TRUE(engine.for_vertices(graph, nothing).ok());
  const Traffic traffic = engine.traffic();
  EXPECT_EQ(traffic.num_sweeps, 3U);
  ASSERT_EQ(traffic.sweeps.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    const SweepCount& sweep = traffic.sweeps[static_cast<std::size_t>(i)];
    EXPECT_EQ(sweep.local.edges + sweep.remote.edges, i < 2 ? graph.num_entries() : 0);
    EXPECT_EQ(sweep.local.bytes + sweep.remote.bytes, 4 * (graph.num_vertices() + (i < 2 ? graph.num_entries() : 0)));
  }
  EXPECT_EQ(traffic.homes, 2U);
  EXPECT_GT(traffic.local_share(), 0);
  engine.reset_traffic();
  EXPECT_EQ(engine.traffic().num_sweeps, 0U);
  EXPECT_EQ(engine.traffic().local_share(), 1);
}

TEST_P(EngineOfThreads, LoopsWithinLoopsAreCountedToo) {
  const GraphView graph = build_graph(4000, testing::uniform_edges(4000, 9000, 2), {.section_bits = 8});
  ASSERT_TRUE(engine
                  .for_blocks(3, 1,
                              [&](VertexRange, unsigned) {
                                (void)engine.for_edges(graph, Direction::out, [](VertexRange, unsigned) {});
                              })
                  .ok());
  EXPECT_EQ(engine.traffic().total().local.edges, 3 * graph.num_entries());
}

TEST(EngineOfHomes, InterleavedMemoryIsAtHomeNowhere) {
  const GraphView graph = build_graph(20000, testing::rmat_edges(14, 300000, 2), {.section_bits = 8});
  Engine engine(EngineOptions{.threads = 4, .placement = PlacementPolicy::interleave}, synthetic_topology(4, 1));
  ASSERT_TRUE(engine.for_edges(graph, Direction::out, [](VertexRange, unsigned) {}).ok());
  EXPECT_NEAR(engine.traffic().local_share(), 0.25, 0.001);
}

TEST(EngineOfHomes, AFixedPlacementIsUsedAndMustFit) {
  const GraphView graph = build_graph(1024, testing::uniform_edges(1024, 9000, 2), {.section_bits = 8});
  const Placement wanted{
      .policy = PlacementPolicy::chunk, .homes = 2, .home_of_section = {1, 0, 0, 1}, .home_of_thread = {0, 1}};
  Engine engine(EngineOptions{.fixed = wanted}, synthetic_topology(2, 1));
  EXPECT_EQ(engine.threads(), 2U);
  EXPECT_EQ(*engine.placement(graph), wanted);
  const GraphView other = build_graph(4096, testing::uniform_edges(4096, 9000, 2), {.section_bits = 8});
  const Status status = engine.for_edges(other, Direction::out, [](VertexRange, unsigned) {});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
}

TEST(EngineOfHomes, AFixedPlacementThatIsNoneIsAnError) {
  const GraphView graph = build_graph(1024, testing::uniform_edges(1024, 9000, 2), {.section_bits = 8});
  const std::vector<Placement> wrong{
      {.homes = 2, .home_of_section = {1, 0, 0, 7}, .home_of_thread = {0, 1}},
      {.homes = 2, .home_of_thread = {0, 9}},
      {.homes = 0},
      {.homes = 2, .node_of_home = {0}},
      {.homes = 1, .home_of_thread = {0, 0}, .processor_of_thread = {0}},
  };
  for (const Placement& placement : wrong) {
    Engine engine(EngineOptions{.threads = 2, .fixed = placement}, synthetic_topology(2, 1));
    const Status status = engine.for_edges(graph, Direction::out, [](VertexRange, unsigned) {});
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_FALSE(engine.placement(graph).ok());
    EXPECT_FALSE(engine.working_copy(graph).ok());
  }
}

TEST(EngineOfHomes, AnAdaptivePlacementStaysOneOfTheGraph) {
  const GraphView graph = build_graph(20000, testing::rmat_edges(14, 300000, 2), {.section_bits = 6});
  Engine engine(EngineOptions{.threads = 2, .placement = PlacementPolicy::adaptive}, synthetic_topology(2, 1));
  for (int sweep = 0; sweep < 10; ++sweep) {
    EXPECT_THAT(visits(20000, [&](auto body) { return engine.for_edges(graph, Direction::out, body); }),
                ::testing::Each(1));
  }
  const Placement placement = *engine.placement(graph);
  EXPECT_EQ(placement.home_of_section.size(), (20000U + 63) / 64);
  EXPECT_THAT(placement.home_of_section, ::testing::Each(::testing::Lt(2U)));
}

}  // namespace
}  // namespace rizoma
