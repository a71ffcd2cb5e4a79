// Work that moves between ranks: the same answers on any rank.
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "engine/transport.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

/// A graph of which the first of `halves` has all edges.
GraphView uneven_graph(bool by_degree) {
  return testing::build_graph(1 << 13, testing::rmat_edges(12, 30'000, 3), {.section_bits = 7, .by_degree = by_degree});
}

RankSettings halves(std::uint64_t cache_bytes = 1 << 20) {
  return {.partition = PlacementPolicy::halves, .migration = true, .cache_bytes = cache_bytes};
}

std::uint64_t migrated(const RankTraffic& traffic) {
  return std::accumulate(traffic.migrated.begin(), traffic.migrated.end(), std::uint64_t{0});
}

/// A network on which a rank can be met in the midst of its work.
class HookedTransport final : public Transport {
 public:
  explicit HookedTransport(Transport& network) : network_(network) {}

  std::function<Status(std::uint64_t amount)> at_count = [](std::uint64_t) { return Status(); };
  std::function<void()> at_round = [] {};
  std::function<Status()> at_letter = [] { return Status(); };
  bool fits = true;   ///< whether there is memory that ranks can share
  bool reads = true;  ///< whether they read it without each other's help

  [[nodiscard]] Rank rank() const noexcept override { return network_.rank(); }
  [[nodiscard]] Rank size() const noexcept override { return network_.size(); }
  [[nodiscard]] std::string name_of(Rank rank) const override { return network_.name_of(rank); }
  [[nodiscard]] Result<WindowId> expose(std::span<std::byte> bytes) override { return network_.expose(bytes); }
  [[nodiscard]] Result<std::optional<Allocated>> allocate(std::size_t bytes) override {
    return fits ? network_.allocate(bytes) : std::optional<Allocated>();
  }
  Status release(WindowId window) override { return network_.release(window); }
  Status read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) override {
    return network_.read(target, window, offset, out);
  }
  Status write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) override {
    return network_.write(target, window, offset, bytes);
  }
  [[nodiscard]] Result<std::uint64_t> fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                                std::uint64_t amount) override {
    RIZOMA_TRY(at_count(amount));
    return network_.fetch_add(target, window, offset, amount);
  }
  Status barrier() override { return network_.barrier(); }
  using Transport::exchange;
  [[nodiscard]] Result<std::vector<Bytes>> exchange(std::span<const std::span<const std::byte>> to,
                                                    Meanwhile meanwhile) override {
    at_round();
    return network_.exchange(to, meanwhile);
  }
  Status send(Rank target, Bytes bytes) override {
    RIZOMA_TRY(at_letter());
    return network_.send(target, std::move(bytes));
  }
  [[nodiscard]] Result<std::optional<PeerMessage>> receive(std::chrono::microseconds patience) override {
    return network_.receive(patience);
  }
  [[nodiscard]] std::uint64_t on_the_way(Rank target) const noexcept override { return network_.on_the_way(target); }
  [[nodiscard]] bool one_sided() const noexcept override { return reads; }
  [[nodiscard]] Status health() const override { return network_.health(); }
  void abort(const Error& why) noexcept override { network_.abort(why); }

 private:
  Transport& network_;
};

/// Counts on simulated ranks, compares, and returns how many blocks have moved.
std::uint64_t count_on_ranks(
    const GraphView& graph, const TriangleCountResult& expected, Rank size, std::uint64_t seed,
    const RankSettings& settings, const std::function<void(HookedTransport&)>& hook = [](HookedTransport&) {}) {
  std::uint64_t blocks = 0;
  run_simulated_cluster(size, seed, [&](Transport& network) {
    HookedTransport transport(network);
    hook(transport);
    Ranks ranks(transport);
    ranks.set(settings);
    Engine engine({.threads = static_cast<unsigned>(1 + seed % 2), .ranks = &ranks});
    auto result = triangle_count(engine, graph);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_TRUE(ranks.gather(result->counts.data(), sizeof(std::uint64_t)));
    ASSERT_TRUE(ranks.finalize({}));
    EXPECT_EQ(result->total, expected.total);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(result->counts[v], expected.counts[v]) << v;
    if (transport.rank() == 0) blocks = migrated(ranks.traffic());
  });
  return blocks;
}

TEST(Migration, ARankWithoutWorkTakesSomeOfAnothers) {
  for (const bool by_degree : {false, true}) {
    const GraphView graph = uneven_graph(by_degree);
    Engine alone({.threads = 1});
    const auto expected = triangle_count(alone, graph);
    ASSERT_TRUE(expected);
    ASSERT_GT(expected->total, 1000U);
    // Without a cache, with one that is too small, and with one that has room for all.
    std::uint64_t blocks = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const std::uint64_t cache = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 20'000 : 1 << 24;
      blocks += count_on_ranks(graph, *expected, static_cast<Rank>(2 + seed % 4), seed, halves(cache));
    }
    EXPECT_GT(blocks, 0u);
  }
}

TEST(Migration, NothingMovesUnlessItIsWanted) {
  const GraphView graph = uneven_graph(true);
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  RankSettings settings = halves();
  settings.migration = false;
  EXPECT_EQ(count_on_ranks(graph, *expected, 3, 1, settings), 0u);
}

TEST(Migration, WithoutMemoryThatRanksShareWorkMovesByRequest) {
  const GraphView graph = uneven_graph(true);
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  std::uint64_t blocks = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto lacks = [](HookedTransport& transport) { transport.fits = false; };
    blocks += count_on_ranks(graph, *expected, 3, seed, halves(), lacks);
  }
  EXPECT_GT(blocks, 0u);
}

TEST(Migration, WhereRanksDoNotReadEachOthersMemoryTheyAsk) {
  const auto asks = [](HookedTransport& transport) {
    transport.reads = false;
    transport.at_count = [](std::uint64_t) { return Error{ErrorCode::unsupported, "it needs help"}; };
  };
  for (const bool by_degree : {false, true}) {
    const GraphView graph = uneven_graph(by_degree);
    Engine alone({.threads = 1});
    const auto expected = triangle_count(alone, graph);
    ASSERT_TRUE(expected);
    std::uint64_t blocks = 0;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
      const std::uint64_t cache = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 20'000 : 1 << 24;
      blocks += count_on_ranks(graph, *expected, static_cast<Rank>(2 + seed % 6), seed, halves(cache), asks);
    }
    EXPECT_GT(blocks, 0u);
  }
}

TEST(Migration, ManyRanksAskFew) {
  const GraphView graph =
      testing::build_graph(1 << 16, testing::rmat_edges(12, 30'000, 3), {.section_bits = 8, .by_degree = true});
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  const auto asks = [](HookedTransport& transport) { transport.reads = false; };
  for (const Rank ranks : {64U, 256U}) {
    RankSettings settings = halves();
    settings.owners.assign(256, 0);  // nearly all is the first rank's
    for (Rank section = 200; section < 256; ++section) settings.owners[section] = section % ranks;
    EXPECT_GT(count_on_ranks(graph, *expected, ranks, ranks, settings, asks), 0u);
  }
}

TEST(Migration, EveryPartitionGivesTheSameAnswer) {
  const GraphView graph = uneven_graph(false);
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  for (const PlacementPolicy partition :
       {PlacementPolicy::chunk, PlacementPolicy::halves, PlacementPolicy::round_robin}) {
    RankSettings settings = halves();
    settings.partition = partition;
    count_on_ranks(graph, *expected, 5, 7, settings);
  }
}

TEST(Migration, ManyRanksOfWhichMostHaveNothing) {
  const GraphView graph =
      testing::build_graph(1 << 16, testing::rmat_edges(12, 30'000, 3), {.section_bits = 12, .by_degree = true});
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  std::uint64_t blocks = 0;  // in one run the busy ranks may be done before another asks
  for (std::uint64_t seed = 1; seed <= 8; ++seed) blocks += count_on_ranks(graph, *expected, 16, seed, halves());
  EXPECT_GT(blocks, 0u);
}

TEST(Migration, ARankThatIsStoppedAmidItsWorkStopsAll) {
  const GraphView graph = uneven_graph(true);
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto stops = static_cast<Rank>(seed % 3);
    std::atomic<unsigned> phase = 0;  // 1: a rank is asked to stop, 2: it has ended and says so
    std::atomic<unsigned> taken = 0;  // since then
    run_simulated_cluster(3, seed, [&](Transport& network) {
      std::optional<Engine> engine;
      HookedTransport transport(network);
      unsigned counts = 0;
      transport.at_count = [&](std::uint64_t amount) -> Status {
        if (network.rank() != stops) {
          while (phase != 2) std::this_thread::yield();  // the others do not outrun who ends
          if (amount == 8) ++taken;
        } else if (++counts == 1) {
          phase = 1;
          engine->request_stop();
        }
        return {};
      };
      transport.at_round = [&] {
        if (network.rank() == stops && phase == 1) phase = 2;
      };
      Ranks ranks(transport);
      ranks.set(halves());
      engine.emplace(EngineOptions{.threads = 1, .ranks = &ranks});
      auto result = triangle_count(*engine, graph);
      const Status status = ranks.finalize(result ? Status() : Status(result.error()));
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::cancelled) << status.error().message;
      if (network.rank() != stops) {
        EXPECT_TRUE(status.error().message.starts_with("rank " + std::to_string(stops))) << status.error().message;
      }
      // The ranks go on as if nothing had been.
      transport.at_count = [](std::uint64_t) { return Status(); };
      result = triangle_count(*engine, graph);
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->total, expected->total);
      ASSERT_TRUE(ranks.gather(result->counts.data(), sizeof(std::uint64_t)));
      ASSERT_TRUE(ranks.finalize({}));
      for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(result->counts[v], expected->counts[v]) << v;
    });
    EXPECT_EQ(phase, 2u);
    EXPECT_EQ(taken, 0u) << "blocks of a call that has ended";
  }
}

TEST(Migration, ARankThatIsStoppedAmidItsWorkStopsThoseThatAsk) {
  const GraphView graph = uneven_graph(true);
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto stops = static_cast<Rank>(seed % 3);
    run_simulated_cluster(3, seed, [&](Transport& network) {
      std::optional<Engine> engine;
      HookedTransport transport(network);
      transport.reads = false;
      unsigned messages = 0;
      transport.at_letter = [&] {
        if (network.rank() == stops && ++messages == 1 + seed / 3) engine->request_stop();
        return Status();
      };
      Ranks ranks(transport);
      ranks.set(halves());
      engine.emplace(EngineOptions{.threads = static_cast<unsigned>(1 + seed % 2), .ranks = &ranks});
      auto result = triangle_count(*engine, graph);
      const bool stopped = messages >= 1 + seed / 3;
      const Status status = ranks.finalize(result ? Status() : Status(result.error()));
      if (stopped) {
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ErrorCode::cancelled) << status.error().message;
      }
      // The ranks go on as if nothing had been: no message of the call before is in the way.
      transport.at_letter = [] { return Status(); };
      result = triangle_count(*engine, graph);
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->total, expected->total);
      ASSERT_TRUE(ranks.finalize({}));
    });
  }
}

TEST(Migration, ARankThatIsLostAmidItsWorkEndsTheWaitOfThoseThatAsk) {
  const GraphView graph = uneven_graph(true);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto leaves = static_cast<Rank>(seed % 4);
    run_simulated_cluster(4, seed, [&](Transport& network) {
      HookedTransport transport(network);
      transport.reads = false;
      transport.at_letter = [&]() -> Status {
        if (network.rank() == leaves) return Error{ErrorCode::io, "the network is gone"};
        return {};
      };
      Ranks ranks(transport);
      ranks.set(halves());
      Engine engine({.threads = 1, .ranks = &ranks});
      const auto result = triangle_count(engine, graph);
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().code, ErrorCode::io);
      if (network.rank() == leaves) {
        EXPECT_EQ(result.error().message, "the network is gone");
      } else {
        EXPECT_TRUE(result.error().message.starts_with("rank " + std::to_string(leaves))) << result.error().message;
      }
    });
  }
}

TEST(Migration, ARankThatIsLostAmidItsWorkEndsTheCountOfTheOthers) {
  const GraphView graph = uneven_graph(true);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto leaves = static_cast<Rank>(seed % 4);
    run_simulated_cluster(4, seed, [&](Transport& network) {
      HookedTransport transport(network);
      unsigned counts = 0;
      transport.at_count = [&](std::uint64_t) -> Status {
        if (network.rank() == leaves && ++counts >= (leaves == 0 ? 3 : 1))
          return Error{ErrorCode::io, "the network is gone"};
        return {};
      };
      Ranks ranks(transport);
      ranks.set(halves());
      Engine engine({.threads = 1, .ranks = &ranks});
      const auto result = triangle_count(engine, graph);
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().code, ErrorCode::io);
      if (network.rank() == leaves) {
        EXPECT_EQ(result.error().message, "the network is gone");
      } else {
        EXPECT_TRUE(result.error().message.starts_with("rank " + std::to_string(leaves))) << result.error().message;
      }
    });
  }
}

TEST(Migration, RanksThatShareTheWorkInDifferentWaysAreRefused) {
  const GraphView graph = uneven_graph(true);
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    if (transport.rank() == 1) ranks.set(halves());
    const Status status = ranks.divide(graph);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(status.error().message.find("same partition, migration, rank_cache and rank_batch"), std::string::npos);
  });
}

}  // namespace
}  // namespace rizoma
