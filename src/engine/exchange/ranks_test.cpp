#include <rizoma/detail/gather_columns.h>
#include <rizoma/detail/outbox.h>
#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "base/random.h"
#include "platform/pages.h"
#include "testing/dying_transport.h"
#include "testing/graph_builder.h"
#include "testing/resident_pages.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

EngineOptions on(Ranks& ranks, unsigned threads = 1) { return {.threads = threads, .ranks = &ranks}; }

/// Undirected, skewed: vertex v has edges to smaller numbers mostly.
GraphView some_graph(VertexId n, EdgeCount edges, unsigned section_bits, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<VertexId, VertexId>> pairs;
  for (EdgeCount e = 0; e < edges; ++e) pairs.emplace_back(random.below(n), random.below(1 + random.below(n)));
  return testing::build_graph(n, pairs, {.section_bits = section_bits});
}

TEST(Ranks, EachVertexHasOneOwnerAndTheLoopsOfAllRanksCoverEachOnce) {
  for (const unsigned bits : {2U, 6U, 8U}) {
    const GraphView graph = some_graph(1000, 4000, bits, bits);
    std::vector<std::atomic<int>> visits(1000);
    run_simulated_cluster(5, bits, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine(on(ranks, 2));
      const auto visit = [&](VertexRange block, unsigned) {
        for (VertexId v = block.begin; v < block.end; ++v) {
          EXPECT_TRUE(ranks.owns(v));
          ++visits[v];
        }
      };
      ASSERT_TRUE(engine.for_vertices(graph, visit));
      ASSERT_TRUE(engine.for_edges(graph, Direction::out, visit));
      ASSERT_TRUE(ranks.finalize({}));
    });
    for (const auto& count : visits) EXPECT_EQ(count, 2);
  }
}

TEST(Ranks, AMirrorBringsWhatTheListsLeadToAndOnlyWhatHasChanged) {
  const GraphView graph = some_graph(3000, 9000, 6, 1);
  run_simulated_cluster(4, 8, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine(on(ranks));
    Mirror mirror(engine, ranks, graph, Direction::in, sizeof(std::uint32_t));
    std::uint64_t bytes_before = 0;
    std::vector<std::uint32_t> values(3000, ~0U);  // the same at each refresh
    for (std::uint32_t round = 0; round < 4; ++round) {
      // In round 0 all values are new, in the others one in a hundred.
      const auto value_of = [&](VertexId v) { return static_cast<std::uint32_t>(v * 10 + (v % 100 == 0 ? round : 0)); };
      ASSERT_TRUE(ranks.divide(graph));
      for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
        for (VertexId v = range.begin; v < range.end; ++v) values[v] = value_of(v);
      }
      ASSERT_TRUE(mirror.refresh(values.data()));
      graph.with_out([&](const auto& out) {
        for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
          for (VertexId v = range.begin; v < range.end; ++v) {
            for (const VertexId u : out.neighbors(v)) ASSERT_EQ(values[u], value_of(u));
          }
        }
      });
      ASSERT_TRUE(ranks.finalize({}));
      const std::uint64_t bytes = ranks.traffic().total().bytes;
      if (round > 0) {
        EXPECT_LT(bytes, bytes_before / 4);
      } else {
        bytes_before = bytes;
      }
    }
  });
}

TEST(Ranks, AMirrorIsFilledByAllThreads) {
  constexpr VertexId kMany = 30'000;
  const GraphView graph = some_graph(kMany, 60'000, 10, 1);
  for (const std::uint64_t seed : {8U, 4U}) {  // without and with shared memory
    run_simulated_cluster(3, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine(on(ranks, 1 + ranks.rank()));
      Mirror mirror(engine, ranks, graph, Direction::in, sizeof(std::uint64_t));
      ASSERT_TRUE(ranks.divide(graph));
      std::vector<std::uint64_t> values(kMany, ~std::uint64_t{0});
      VertexSet active(kMany);
      for (const std::uint64_t apart : {1U, 3U, 50U, 100'000U}) {
        const auto value_of = [&](VertexId v) { return v * 10 + (v % apart == 0 ? apart : 0); };
        for (VertexId v = 0; v < kMany; ++v) {
          if (ranks.owns(v)) values[v] = value_of(v);
        }
        ASSERT_TRUE(mirror.refresh(values.data()));
        const auto expect_here = [&](const auto& expect) {
          graph.with_out([&](const auto& out) {
            for (VertexId v = 0; v < kMany; ++v) {
              if (!ranks.owns(v)) continue;
              for (const VertexId u : out.neighbors(v)) expect(u);
            }
          });
        };
        expect_here([&](VertexId u) { ASSERT_EQ(values[u], value_of(u)); });
        for (VertexId v = 0; v < kMany; ++v) {
          if (ranks.owns(v) && v % apart == 0) active.add(v), values[v] = 1;
        }
        ASSERT_TRUE(mirror.refresh_active(values.data(), active.words()));
        expect_here([&](VertexId u) {
          ASSERT_EQ(active.contains(u), u % apart == 0);
          ASSERT_EQ(values[u], u % apart == 0 ? 1 : value_of(u));
        });
        active.clear();
      }
      ASSERT_TRUE(ranks.finalize({}));
      EXPECT_EQ(ranks.traffic().packed.alone + ranks.traffic().unpacked.alone, 0U);
    });
  }
}

TEST(Ranks, AMirrorOfACallerThatHasTheValuesBeforeKeepsNone) {
  const GraphView graph = some_graph(3000, 9000, 6, 1);
  run_simulated_cluster(4, 8, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine(on(ranks));
    Mirror mirror(engine, ranks, graph, Direction::in, sizeof(std::uint32_t));
    ASSERT_TRUE(ranks.divide(graph));
    std::vector<std::uint32_t> before(3000);
    std::vector<std::uint32_t> values(3000, ~0U);
    std::vector<std::uint64_t> bytes;
    for (std::uint32_t round = 0; round < 6; ++round) {
      const auto value_of = [&](VertexId v) { return static_cast<std::uint32_t>(v * 10 + (v % 100 == 0 ? round : 0)); };
      for (VertexId v = 0; v < 3000; ++v) {
        if (ranks.owns(v)) before[v] = std::exchange(values[v], value_of(v));
      }
      const bool has_them = round != 3;  // as after a step that was no pull
      ASSERT_TRUE(mirror.refresh(values.data(), has_them ? before.data() : nullptr));
      graph.with_out([&](const auto& out) {
        for (VertexId v = 0; v < 3000; ++v) {
          if (!ranks.owns(v)) continue;
          for (const VertexId u : out.neighbors(v)) ASSERT_EQ(values[u], value_of(u));
        }
      });
      ASSERT_TRUE(ranks.finalize({}));
      bytes.push_back(ranks.traffic().total().bytes);
    }
    for (const std::size_t some : {1U, 2U, 4U, 5U}) EXPECT_LT(bytes[some], bytes[0] / 4);
    EXPECT_GT(bytes[3], bytes[1] * 3);
  });
}

TEST(Ranks, AMirrorBringsAllValuesAfterThoseOfTheActive) {
  const GraphView graph = some_graph(3000, 9000, 6, 1);
  run_simulated_cluster(4, 8, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine(on(ranks));
    Mirror mirror(engine, ranks, graph, Direction::in, sizeof(std::uint32_t));
    ASSERT_TRUE(ranks.divide(graph));
    std::vector<std::uint32_t> values(3000, ~0U);
    const auto set_own = [&](std::uint32_t number) {
      for (VertexId v = 0; v < 3000; ++v) {
        if (ranks.owns(v)) values[v] = number;
      }
    };
    VertexSet active(3000);
    for (VertexId v = 0; v < 3000; v += 7) {
      if (ranks.owns(v)) active.add(v);
    }
    set_own(1);
    ASSERT_TRUE(mirror.refresh(values.data()));
    set_own(2);
    ASSERT_TRUE(mirror.refresh_active(values.data(), active.words()));
    set_own(1);  // as the first time: who sends changes alone sends nothing
    ASSERT_TRUE(mirror.refresh(values.data()));
    graph.with_out([&](const auto& out) {
      for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
        for (VertexId v = range.begin; v < range.end; ++v) {
          for (const VertexId u : out.neighbors(v)) ASSERT_EQ(values[u], 1U);
        }
      }
    });
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(Ranks, MirrorsAreTheVerticesOfOthersThatListsLeadTo) {
  const GraphView graph = testing::build_graph(3000, testing::uniform_edges(3000, 4000, 3),
                                               {.directed = true, .in_edges = true, .section_bits = 6});
  run_simulated_cluster(4, 8, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine(on(ranks));
    for (const Direction direction : {Direction::out, Direction::in}) {
      std::vector<VertexId> mirrors;
      ASSERT_TRUE(ranks.for_mirrors(engine, graph, direction, [&](VertexId v) { mirrors.push_back(v); }));
      std::set<VertexId> expected;
      graph.with_both([&](const auto& out, const auto& in) {
        for (VertexId v = 0; v < 3000; ++v) {
          if (!ranks.owns(v)) continue;
          for (const VertexId u : (direction == Direction::out ? out : in).neighbors(v)) {
            if (!ranks.owns(u)) expected.insert(u);
          }
        }
      });
      EXPECT_EQ(mirrors.size(), expected.size());
      EXPECT_EQ(std::set<VertexId>(mirrors.begin(), mirrors.end()), expected);
    }
    ASSERT_TRUE(ranks.finalize({}));
  });
}

template <class T>
std::size_t resident_pages(const VertexMap<T>& map) {
  return testing::resident_pages(map.data(), map.size() * sizeof(T));
}

TEST(Ranks, MapsTakeMemoryForOwnVerticesAlone) {
  constexpr VertexId kMany = VertexId{1} << 20;
  const GraphView graph =
      testing::build_graph(kMany, std::vector<testing::TestEdge>{{0, 1}, {kMany - 1, 5}}, {.section_bits = 14});
  for (const auto policy : {PlacementPolicy::chunk, PlacementPolicy::round_robin}) {
    run_simulated_cluster(4, 8, [&](Transport& transport) {
      NetworkTransport of_hosts(transport);
      Ranks ranks(of_hosts);
      ranks.set({.partition = policy});
      Engine engine(on(ranks));
      ASSERT_TRUE(ranks.divide(graph));
      for (int call = 0; call < 2; ++call) {
        const auto write = [&]<class T>(VertexMap<T> map) {
          for (VertexId v = 0; v < kMany; ++v) {
            if (ranks.owns(v)) map[v] = 7;
          }
          map[ranks.owns(0) ? kMany - 1 : 0] = 7;  // of another rank
          EXPECT_LT(resident_pages(map), kMany * sizeof(T) / page_bytes() / 3);
        };
        write(engine.make_unset_map<std::uint32_t>(kMany));
        write(engine.make_map<double>(kMany, 0));
        auto zeros = engine.make_map<double>(kMany, 0);
        EXPECT_LT(resident_pages(zeros), kMany * sizeof(double) / page_bytes() / 3);
        EXPECT_EQ(std::ranges::count(zeros.span(), 0.0), static_cast<std::ptrdiff_t>(kMany));
      }
      ASSERT_TRUE(ranks.finalize({}));
    });
  }
}

TEST(Ranks, ValuesThatManyReadAreReadInMemoryThatRanksShare) {
  const GraphView graph = some_graph(3000, 9000, 6, 1);
  run_simulated_cluster(4, 5, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine(on(ranks));
    Mirror mirror(engine, ranks, graph, Direction::in, sizeof(std::uint32_t));
    ASSERT_TRUE(ranks.divide(graph));
    std::uint64_t before = 0;
    for (std::uint32_t round = 0; round < 6; ++round) {
      std::vector<std::uint32_t> values(3000, ~0U);
      for (VertexId v = 0; v < 3000; ++v) {
        if (ranks.owns(v)) values[v] = static_cast<std::uint32_t>(v * 10 + round);
      }
      ASSERT_TRUE(mirror.refresh(values.data()));
      for (VertexId v = 0; v < 3000; ++v) ASSERT_EQ(values[v], v * 10 + round);
      EXPECT_EQ(ranks.collectives(), round == 0 ? ranks.collectives() : before + 1);
      before = ranks.collectives();
    }
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_GT(ranks.traffic().total().bytes, 6 * 4 * 1500U) << "what others read counts";
  });
}

TEST(Ranks, WhatABoundaryIsStaysKnownWhileSettingsChange) {
  const GraphView graph = some_graph(3000, 9000, 6, 1);
  run_simulated_cluster(3, 8, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine(on(ranks));
    std::vector<std::uint32_t> values(3000, 1);
    const auto rounds_of_a_refresh = [&](const RankSettings& settings) {
      ranks.set(settings);
      EXPECT_TRUE(ranks.divide(graph));
      const std::uint64_t before = ranks.collectives();
      Mirror mirror(engine, ranks, graph, Direction::in, sizeof(std::uint32_t));
      EXPECT_TRUE(mirror.refresh(values.data()));
      const std::uint64_t rounds = ranks.collectives() - before;
      EXPECT_TRUE(ranks.finalize({}));
      return rounds;
    };
    const RankSettings round_robin{.partition = PlacementPolicy::round_robin};
    const RankSettings runs{.partition = PlacementPolicy::chunk, .migration = false};
    EXPECT_EQ(rounds_of_a_refresh(round_robin), 4U);
    EXPECT_EQ(rounds_of_a_refresh(runs), 4U);
    EXPECT_EQ(rounds_of_a_refresh(round_robin), 2U);
    EXPECT_EQ(rounds_of_a_refresh({}), 2U);
  });
}

TEST(Ranks, MemoryOfAllRanksIsUsedAgainAndLacksWhereTheyShareNone) {
  for (const std::uint64_t seed : {1U, 5U}) {  // of the second they share memory
    run_simulated_cluster(4, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      const std::byte* before = nullptr;
      for (const std::size_t bytes : {400U, 100U, 100U}) {
        auto memory = RankMemory::take(ranks, bytes);
        ASSERT_TRUE(memory);
        ASSERT_EQ(static_cast<bool>(*memory), seed == 5);
        if (!*memory) continue;
        auto other = RankMemory::take(ranks, bytes);
        ASSERT_TRUE(other && *other);
        EXPECT_NE(memory->data(), other->data());
        EXPECT_TRUE(before == nullptr || memory->data() == before);
        before = memory->data();
        memory->data()[ranks.rank()] = std::byte{static_cast<unsigned char>(ranks.rank())};
        ASSERT_TRUE(ranks.barrier());
        for (unsigned rank = 0; rank < 4; ++rank) EXPECT_EQ(std::to_integer<unsigned>(memory->data()[rank]), rank);
      }
      ASSERT_TRUE(ranks.finalize({}));
    });
  }
}

TEST(Ranks, MemoryThatHasBecomeTooSmallIsGivenBack) {
  run_simulated_cluster(3, 5, [&](Transport& transport) {
    Ranks ranks(transport);
    for (const std::size_t most : {100U, 1600U, 6400U}) {
      const std::byte* greatest = nullptr;
      {
        auto memory = RankMemory::take(ranks, most);
        ASSERT_TRUE(memory && *memory);
        greatest = memory->data();
      }
      auto least = RankMemory::take(ranks, 8);
      ASSERT_TRUE(least && *least);
      EXPECT_EQ(least->data(), greatest);  // the only block there is
    }
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(Ranks, GatheredNumbersAreWholeWhereverTheyLie) {
  const GraphView graph = some_graph(1000, 2000, 6, 3);
  for (const std::uint64_t seed : {1U, 5U}) {
    for (const int to : {Ranks::kEveryRank, 2}) {
      run_simulated_cluster(4, seed, [&](Transport& transport) {
        Ranks ranks(transport);
        ASSERT_TRUE(ranks.divide(graph));
        Engine engine(on(ranks));
        for (const std::int64_t factor : {1, 1000, 1'000'000}) {
          std::vector<std::int64_t> values(1000, 77);
          for (VertexId v = 0; v < 1000; ++v) {
            if (ranks.owns(v)) values[v] = static_cast<std::int64_t>(v % 100) * factor - 5;
          }
          ASSERT_TRUE(gather_columns(engine, std::span(values), to));
          const bool receives = to == Ranks::kEveryRank || to == static_cast<int>(ranks.rank());
          for (VertexId v = 0; v < 1000; ++v) {
            if (receives || ranks.owns(v)) {
              ASSERT_EQ(values[v], static_cast<std::int64_t>(v % 100) * factor - 5);
            }
          }
        }
        ASSERT_TRUE(ranks.finalize({}));
        EXPECT_GE(ranks.traffic().total().bytes, (to == Ranks::kEveryRank ? 3 : 1) * 7U * (1000 - 256));
      });
    }
  }
}

TEST(Ranks, AMirrorBringsTheActive) {
  const GraphView graph = some_graph(3000, 9000, 6, 2);
  run_simulated_cluster(3, 8, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine(on(ranks));
    Mirror mirror(engine, ranks, graph, Direction::in, sizeof(double));
    ASSERT_TRUE(ranks.divide(graph));
    for (const VertexId one_in : {2U, 300U, 5000U}) {
      std::vector<double> values(3000, -1);
      VertexSet active(3000);
      for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
        for (VertexId v = range.begin; v < range.end; ++v) {
          values[v] = static_cast<double>(v) / 3;
          if (v % one_in == 1) active.add(v);
        }
      }
      ASSERT_TRUE(mirror.refresh_active(values.data(), active.words()));
      graph.with_out([&](const auto& out) {
        for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
          for (VertexId v = range.begin; v < range.end; ++v) {
            for (const VertexId u : out.neighbors(v)) {
              ASSERT_EQ(active.contains(u), u % one_in == 1);
              if (u % one_in == 1) {
                ASSERT_EQ(values[u], static_cast<double>(u) / 3);
              }
            }
          }
        }
      });
    }
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(Ranks, GatheredValuesAreWholeWhereTheyAreWanted) {
  const GraphView graph = some_graph(1000, 2000, 6, 3);
  run_simulated_cluster(4, 9, [&](Transport& transport) {
    Ranks ranks(transport);
    ASSERT_TRUE(ranks.divide(graph));
    for (const int to : {Ranks::kEveryRank, 2}) {
      std::vector<std::uint16_t> values(1000, 0);
      for (VertexId v = 0; v < 1000; ++v) {
        if (ranks.owns(v)) values[v] = static_cast<std::uint16_t>(v + 1);
      }
      ASSERT_TRUE(ranks.gather(values.data(), sizeof(std::uint16_t), to));
      for (VertexId v = 0; v < 1000; ++v) {
        const bool known = to == Ranks::kEveryRank || static_cast<int>(ranks.rank()) == to || ranks.owns(v);
        EXPECT_EQ(values[v], known ? v + 1 : 0);
      }
    }
  });
}

TEST(Ranks, ValuesThatRanksGiveToOthersAreRefusedOnAll) {
  const GraphView graph = some_graph(1000, 2000, 6, 3);
  run_simulated_cluster(3, 9, [&](Transport& transport) {
    Ranks ranks(transport);
    ASSERT_TRUE(ranks.divide(graph));
    std::vector<std::uint16_t> values(1000, 0);
    const Status gathered =
        ranks.gather(values.data(), sizeof(std::uint16_t), ranks.rank() == 1 ? 1 : Ranks::kEveryRank);
    ASSERT_FALSE(gathered);
    EXPECT_EQ(gathered.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(gathered.error().message.find("answers to other ranks"), std::string::npos) << gathered.error().message;
    EXPECT_TRUE(ranks.gather(values.data(), sizeof(std::uint16_t))) << "which leaves nothing behind";
  });
}

class Batches : public ::testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Ranks, Batches, ::testing::Values(0, 1, 20, 500));

TEST_P(Batches, LettersReachTheOwner) {
  const GraphView graph = some_graph(1000, 2000, 6, 4);
  run_simulated_cluster(4, 10, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set({.batch_bytes = GetParam()});
    ASSERT_TRUE(ranks.divide(graph));
    Engine engine(on(ranks));
    Outbox<std::uint32_t> outbox(engine);
    for (VertexId v = ranks.rank(); v < 1000; v += 3) outbox.add(v, ranks.rank());
    std::vector<int> messages(1000);
    ASSERT_TRUE(outbox.exchange([&](VertexId v, std::uint32_t from) {
      EXPECT_TRUE(ranks.owns(v));
      EXPECT_TRUE(v >= from && (v - from) % 3 == 0);
      ++messages[v];
    }));
    for (VertexId v = 0; v < 1000; ++v) {
      int expected = 0;
      for (VertexId rank = 0; rank < 4; ++rank) expected += v >= rank && (v - rank) % 3 == 0 ? 1 : 0;
      EXPECT_EQ(messages[v], ranks.owns(v) ? expected : 0);
    }
    ASSERT_TRUE(ranks.finalize({}));  // who leaves is lost for those that still wait for a batch of others
  });
}

TEST_P(Batches, LettersOfAnyNumbersInAnyOrderArrive) {
  const GraphView graph = some_graph(1000, 2000, 6, 4);
  run_simulated_cluster(3, 12, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set({.batch_bytes = GetParam()});
    ASSERT_TRUE(ranks.divide(graph));
    const std::vector<VertexId> order = {999, 0, 1, 998, 64, 65, 63, 500, 500};
    const auto value_of = [](VertexId v) { return v % 3 == 0 ? ~std::uint64_t{0} - v : v << (v % 57); };
    Engine engine(on(ranks));
    Outbox<std::uint64_t> outbox(engine);
    for (int again = 0; again < 2; ++again) {  // an outbox may be used once more
      for (const VertexId v : order) outbox.add(v, value_of(v));
      std::vector<VertexId> seen;
      const auto words = outbox.exchange_with(ranks.rank() * 7, [&](unsigned) {
        return [&](VertexId v, std::uint64_t value) {
          EXPECT_EQ(value, value_of(v));
          seen.push_back(v);
        };
      });
      ASSERT_TRUE(words);
      EXPECT_EQ(*words, (std::vector<unsigned>{0, 7, 14}));
      std::vector<VertexId> expected;
      for (unsigned from = 0; from < 3; ++from) {
        for (const VertexId v : order) {
          if (ranks.owns(v)) expected.push_back(v);
        }
      }
      EXPECT_EQ(seen, expected);
    }
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_LT(ranks.traffic().total().bytes, 2U * 3 * 3 * (9 * 11 + 20) + 200) << "in few bytes each";
  });
}

TEST_P(Batches, LettersOfAllThreadsReachTheOwnerFromAllItsThreads) {
  const VertexId n = GetParam() == 0 ? 60'000 : 3000;  // small batches are many
  const GraphView graph = some_graph(n, 2000, 6, 4);
  for (const std::uint64_t seed : {10U, 12U}) {
    run_simulated_cluster(3, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      ranks.set({.batch_bytes = GetParam()});
      ASSERT_TRUE(ranks.divide(graph));
      Engine engine(on(ranks, 3));
      Outbox<std::uint64_t> outbox(engine);
      ASSERT_TRUE(for_vertices_of(engine, Whose::others, [&](VertexRange range, unsigned thread) {
        for (VertexId v = range.begin; v < range.end; ++v) outbox.add(v, v * 7 + ranks.rank(), thread);
      }));
      std::vector<std::uint64_t> sums(n);  // no rank writes to a vertex twice, so no two threads do at once
      ASSERT_TRUE(
          outbox.exchange_by_all([&](unsigned) { return [&](VertexId v, std::uint64_t value) { sums[v] += value; }; }));
      for (VertexId v = 0; v < n; ++v) ASSERT_EQ(sums[v], ranks.owns(v) ? 2 * 7 * v + 3 - ranks.rank() : 0);
      ASSERT_TRUE(ranks.finalize({}));
      const RankTraffic traffic = ranks.traffic();
      EXPECT_GT(traffic.packed.by_all, 2 * n);
      EXPECT_EQ(traffic.packed.by_all, traffic.unpacked.by_all);
      EXPECT_EQ(traffic.packed.alone + traffic.unpacked.alone, 0U);
    });
  }
}

TEST(Ranks, WhatOneThreadPacksForAllIsCountedApart) {
  const GraphView graph = some_graph(1000, 2000, 6, 4);
  run_simulated_cluster(3, 12, [&](Transport& transport) {
    Ranks ranks(transport);
    ASSERT_TRUE(ranks.divide(graph));
    Engine engine(on(ranks, 2));
    Outbox<std::uint32_t> outbox(engine);
    for (VertexId v = 0; v < 1000; ++v) {
      if (!ranks.owns(v)) outbox.add(v, 1);
    }
    ASSERT_TRUE(outbox.exchange([](VertexId, std::uint32_t) {}));
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_GT(ranks.traffic().packed.alone, 2 * 1000U * 5);
    EXPECT_EQ(ranks.traffic().packed.alone, ranks.traffic().unpacked.alone);
    EXPECT_EQ(ranks.traffic().packed.by_all + ranks.traffic().unpacked.by_all, 0U);
  });
}

template <class T>
void expect_gathered(Engine& engine, T least, T most) {
  const Ranks& ranks = *engine.ranks();
  std::vector<T> values(1000, 0);
  const auto value_of = [&](VertexId v) { return v == 7 ? least : v == 993 ? most : static_cast<T>(v % 100); };
  for (VertexId v = 0; v < 1000; ++v) {
    if (ranks.owns(v)) values[v] = value_of(v);
  }
  ASSERT_TRUE(gather_columns(engine, std::span(values), 1));
  for (VertexId v = 0; v < 1000; ++v) EXPECT_EQ(values[v], ranks.rank() == 1 || ranks.owns(v) ? value_of(v) : 0) << v;
}

TEST(Ranks, GatheredNumbersAreTheSameInHoweverFewBytesTheyTravel) {
  const GraphView graph = some_graph(1000, 2000, 6, 3);
  run_simulated_cluster(3, 13, [&](Transport& transport) {
    Ranks ranks(transport);
    ASSERT_TRUE(ranks.divide(graph));
    Engine engine(on(ranks, 2));
    for (const int bits : {6, 7, 8, 14, 15, 16, 30, 31, 32, 62}) {
      const std::int64_t most = std::int64_t{1} << bits;
      expect_gathered<std::int64_t>(engine, -1, most - 1);
      expect_gathered<std::int64_t>(engine, -most, most);
      expect_gathered<std::uint64_t>(engine, kNoVertex, static_cast<std::uint64_t>(most));
      if (bits < 31) expect_gathered<std::int32_t>(engine, -1, static_cast<std::int32_t>(most));
      if (bits < 32) expect_gathered<std::uint32_t>(engine, 0, static_cast<std::uint32_t>(most));
    }
    expect_gathered<std::uint32_t>(engine, 1, 0xffffffff);
    expect_gathered<std::uint8_t>(engine, 0, 255);
    constexpr double kFar = std::numeric_limits<double>::infinity();
    for (const double most : {99.0, 127.0, 128.0, 40000.0, 0x1p31 - 1, 0x1p31, 1e300, 0.5, kFar}) {
      expect_gathered<double>(engine, 0, most);
      expect_gathered<double>(engine, kFar, most);
      expect_gathered<double>(engine, -1, most);
    }
    ASSERT_TRUE(ranks.finalize({}));
    const std::uint64_t before = ranks.traffic().total().bytes;
    expect_gathered<std::int64_t>(engine, -1, 127);
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_GT(before, 0U);
    EXPECT_LT(ranks.traffic().total().bytes, 2000U) << "a byte each";
  });
}

TEST(Ranks, AnErrorOnOneRankIsEverybodysWithItsName) {
  run_simulated_cluster(4, 11, [&](Transport& transport) {
    Ranks ranks(transport);
    const auto program = [&]() -> Status {
      for (int round = 0; round < 5; ++round) {
        if (ranks.rank() == 2 && round == 3) return Error{ErrorCode::out_of_memory, "no memory left"};
        RIZOMA_TRY(ranks.all(round));
      }
      return {};
    };
    const Status status = ranks.finalize(program());
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::out_of_memory);
    EXPECT_EQ(status.error().message, ranks.rank() == 2 ? "no memory left" : "rank 2: no memory left");
    // And the ranks are together again.
    const auto sum = ranks.reduce(1, 0, [](int a, int b) { return a + b; });
    ASSERT_TRUE(sum);
    EXPECT_EQ(*sum, 4);
    EXPECT_TRUE(ranks.finalize({}));
  });
}

TEST(Ranks, AnotherViewOfTheSameSectionsIsTheSameGraph) {
  const GraphView graph = some_graph(500, 1000, 6, 5);
  run_simulated_cluster(2, 13, [&](Transport& transport) {
    Ranks ranks(transport);
    ASSERT_TRUE(ranks.divide(graph));
    GraphView::Parts parts = graph.parts();
    parts.owner = std::make_shared<GraphView>(graph);
    ASSERT_TRUE(ranks.divide(GraphView(std::move(parts))));
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_EQ(ranks.traffic().rounds, 1U);
    ASSERT_TRUE(ranks.divide(some_graph(500, 1000, 6, 5)));  // equal, but elsewhere
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_EQ(ranks.traffic().rounds, 1U);
  });
}

TEST(Ranks, SectionsWithoutAnEdgeAreTheSameWhereverTheirOffsetsLie) {
  const GraphView graph = some_graph(500, 1000, 6, 5);
  const std::vector<std::uint32_t> here(65, 0);
  const std::vector<std::uint32_t> there(65, 0);
  const auto without_the_second = [&](const std::vector<std::uint32_t>& offsets) {
    GraphView::Parts parts = graph.parts();
    auto& out = std::get<Adjacency<std::uint32_t>>(parts.out);
    std::vector<SectionEdges<std::uint32_t>> sections;
    for (SectionId s = 0; s < out.num_sections(); ++s) sections.push_back(out.section(s));
    sections[1] = {offsets.data(), nullptr, nullptr};
    out = Adjacency<std::uint32_t>(out.section_bits(), out.num_vertices(), std::move(sections));
    parts.owner = std::make_shared<GraphView>(graph);
    return GraphView(std::move(parts));
  };
  run_simulated_cluster(2, 13, [&](Transport& transport) {
    Ranks ranks(transport);
    ASSERT_TRUE(ranks.divide(without_the_second(here)));
    ASSERT_TRUE(ranks.divide(without_the_second(there)));
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_EQ(ranks.traffic().rounds, 1U);
  });
}

TEST(Ranks, RanksWithDifferentGraphsRefuse) {
  run_simulated_cluster(3, 12, [&](Transport& transport) {
    Ranks ranks(transport);
    const GraphView graph = some_graph(500, 1000, 6, transport.rank() == 1 ? 5 : 6);
    const Status status = ranks.finalize(ranks.divide(graph));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(status.error().message.find("another graph"), std::string::npos) << status.error().message;
  });
}

TEST(Ranks, LettersThatNobodyReadsInTimeAreThrownAway) {
  using namespace std::chrono_literals;
  run_simulated_cluster(3, 4, [](Transport& transport) {
    Ranks ranks(transport);
    const unsigned next = (ranks.rank() + 1) % 3;
    const auto message = [](std::size_t i) { return std::vector<std::byte>(i + 1, std::byte(i)); };
    const auto none = [&] { return !ranks.receive(0us)->has_value(); };
    ASSERT_TRUE(ranks.send(next, message(0)));  // not read before the next round
    ASSERT_TRUE(ranks.all(1));
    ASSERT_TRUE(ranks.send(next, message(1)));
    for (bool here = false; !here;) {
      const auto come = ranks.receive(1ms);
      ASSERT_TRUE(come);
      if (!*come) continue;
      here = true;
      EXPECT_EQ((*come)->from, (ranks.rank() + 2) % 3);
      EXPECT_EQ((*come)->bytes, message(1));
    }
    ASSERT_TRUE(ranks.send(next, message(2)));  // not read in this program
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_EQ(ranks.traffic().between[ranks.rank() * 3 + next].batches, 3u + 1);
    ASSERT_TRUE(none());
    ASSERT_TRUE(ranks.all(1));
    ASSERT_TRUE(none());
    ASSERT_TRUE(ranks.all(1));
    // Of a program that ends badly, too.
    ASSERT_TRUE(ranks.send(next, message(3)));
    ASSERT_FALSE(ranks.finalize(Error{ErrorCode::invalid_argument, "no"}));
    ASSERT_TRUE(none());
    ASSERT_TRUE(ranks.finalize({}));
    ASSERT_TRUE(transport.barrier());
  });
}

TEST(Ranks, BatchesLeaveBeforeTheirSweepHasEnded) {
  const GraphView graph = some_graph(1000, 2000, 6, 4);
  const auto batches = [&](std::optional<std::uint64_t> batch_bytes) {
    std::uint64_t sent = 0;
    run_simulated_cluster(2, 10, [&](Transport& transport) {
      Ranks ranks(transport);
      ranks.set({.batch_bytes = batch_bytes});
      ASSERT_TRUE(ranks.divide(graph));
      Engine engine(on(ranks));
      Outbox<std::uint64_t> outbox(engine);
      for (VertexId v = 0; v < 1000; ++v) {
        if (!ranks.owns(v)) outbox.add(v, v);
      }
      std::vector<VertexId> seen;
      ASSERT_TRUE(outbox.exchange([&](VertexId v, std::uint64_t value) {
        EXPECT_EQ(v, value);
        seen.push_back(v);
      }));
      std::vector<VertexId> mine;
      for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
        for (VertexId v = range.begin; v < range.end; ++v) mine.push_back(v);
      }
      EXPECT_EQ(seen, mine) << "in the order in which they were sent";
      ASSERT_TRUE(ranks.finalize({}));
      if (ranks.rank() == 0) sent = ranks.traffic().total().batches;
    });
    return sent;
  };
  const std::uint64_t at_the_end = batches(0);
  EXPECT_EQ(batches(std::nullopt), at_the_end) << "ranks that share memory";
  EXPECT_GT(batches(100), at_the_end + 10);
}

TEST(Ranks, ManyRanksSendManyBatches) {
  const GraphView graph = some_graph(20'000, 2000, 6, 4);
  run_simulated_cluster(256, 10, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set({.batch_bytes = 40});
    ASSERT_TRUE(ranks.divide(graph));
    Engine engine(on(ranks));
    Outbox<std::uint32_t> outbox(engine);
    for (int again = 0; again < 2; ++again) {  // some are ahead of the others then
      for (VertexId v = ranks.rank() % 50; v < 20'000; v += 50) outbox.add(v, ranks.rank());
      std::uint32_t last = 0;
      std::uint64_t messages = 0;
      ASSERT_TRUE(outbox.exchange([&](VertexId, std::uint32_t from) {
        EXPECT_GE(from, std::exchange(last, from)) << "rank by rank";
        ++messages;
      }));
      std::uint64_t expected = 0;
      for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
        for (VertexId v = range.begin; v < range.end; ++v) expected += 5 + (v % 50 < 6 ? 1 : 0);
      }
      EXPECT_EQ(messages, expected);
    }
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(Ranks, WhoFailsOverTheFirstBatchKeepsNobodyWaiting) {
  const GraphView graph = some_graph(20'000, 2000, 6, 4);
  run_simulated_cluster(3, 11, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set({.batch_bytes = 40});
    ASSERT_TRUE(ranks.divide(graph));
    Engine engine(on(ranks));
    Outbox<std::uint32_t> outbox(engine);
    for (VertexId v = 0; v < 20'000; ++v) outbox.add(v, ranks.rank());
    const auto exchange = [&] {
      return outbox.exchange([&](VertexId, std::uint32_t) {
        if (ranks.rank() == 0) throw std::bad_alloc();
      });
    };
    if (ranks.rank() == 0) {
      EXPECT_THROW(static_cast<void>(exchange()), std::bad_alloc);
      EXPECT_FALSE(ranks.finalize(Error{ErrorCode::out_of_memory, "none left"}));
      return;
    }
    ASSERT_TRUE(exchange());
    const Status ended = ranks.finalize({});
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::out_of_memory);
  });
}

}  // namespace
}  // namespace rizoma
