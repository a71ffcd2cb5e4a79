#include <rizoma/engine.h>

#include "engine/work_lists.h"
#include "testing/graph_builder.h"

#include <gmock/gmock.h>
#include <rizoma/topology.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <numeric>
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
      EXPECT_THAT(visits(size, [&](auto body) { return engine.for_blocks(size, grain, body); }),
                  ::testing::Each(1));
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
      ASSERT_TRUE(engine.for_blocks(256, 8, [&](VertexRange block, unsigned) {
        if (block.begin == 0) unguarded += 1;
        count += block.size();
      }).ok());
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
    if (blocks.fetch_add(1) == 100) engine.request_stop();
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  EXPECT_LT(blocks, 1000000);
  EXPECT_FALSE(engine.stopping());
  EXPECT_TRUE(engine.for_blocks(10, 1, [](VertexRange, unsigned) {}).ok());

  engine.request_stop();
  EXPECT_FALSE(engine.report("phase", 0, 0).ok());
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
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_EQ(calls, 3);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
}

TEST_P(EngineOfThreads, MapsAreFilledAndAligned) {
  for (const VertexId n : {0, 1, 1000, 1000003}) {
    const VertexMap<std::uint64_t> map = engine.make_map<std::uint64_t>(n, 42);
    EXPECT_EQ(map.size(), n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(map.data()) % 4096, 0U);
    EXPECT_THAT(map.span(), ::testing::Each(42U));
  }
}

TEST(EngineOfHomes, VisitEachVertexOnceAndCountWhoseItWas) {
  const GraphView graph = build_graph(20000, testing::rmat_edges(14, 300000, 2), {.section_bits = 8});
  const std::uint64_t work = graph.num_vertices() + graph.num_entries();
  for (const PlacementPolicy policy : {PlacementPolicy::in_place, PlacementPolicy::round_robin, PlacementPolicy::chunk}) {
    Engine engine(EngineOptions{.threads = 4, .placement = policy}, synthetic_topology(2, 2, 1));
    EXPECT_THAT(visits(20000, [&](auto body) { return engine.for_vertices(graph, body); }), ::testing::Each(1));
    EXPECT_THAT(visits(20000, [&](auto body) { return engine.for_edges(graph, Direction::in, body); }),
                ::testing::Each(1));
    EXPECT_EQ(engine.locality().own + engine.locality().others, 2 * work);
    EXPECT_TRUE(policy != PlacementPolicy::in_place || engine.locality().others == 0);
  }
}

TEST(EngineOfHomes, ThreadsBeginAtHome) {
  // The first range each thread gets must be of its home: nobody goes on before all have begun.
  const GraphView graph = build_graph(1 << 14, testing::rmat_edges(14, 200000, 2), {.section_bits = 8});
  Engine engine(EngineOptions{.threads = 2, .placement = PlacementPolicy::round_robin}, synthetic_topology(2, 1));
  std::vector<std::vector<SectionId>> sections(2);
  std::atomic<int> begun = 0;
  ASSERT_TRUE(engine.for_edges(graph, Direction::out, [&](VertexRange range, unsigned thread) {
    if (sections[thread].empty()) {
      ++begun;
      while (begun < 2) std::this_thread::yield();
    }
    sections[thread].push_back(range.begin >> 8);
  }).ok());
  EXPECT_EQ(sections[0].front() % 2, 0U);
  EXPECT_EQ(sections[1].front() % 2, 1U);
}

TEST(WorkListsTest, CutsPartitionEachListAndBalanceIt) {
  const GraphView graph = build_graph(5000, testing::rmat_edges(12, 60000, 9), {.section_bits = 6});
  Placement placement{.homes = 3};
  for (SectionId s = 0; s < (5000 + 63) / 64; ++s) placement.home_of_section.push_back(s % 3);
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

}  // namespace
}  // namespace rizoma
