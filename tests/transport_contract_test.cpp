// What every Transport promises (src/engine/transport.h), run over each implementation.
#include "base/check.h"
#include "engine/transport.h"
#include "testing/simulated_transport.h"
#include "transport/local.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using Body = FunctionRef<void(Transport&)>;

struct TransportKind {
  const char* name;
  Rank ranks;
  std::function<void(Body)> run;
};

class TransportContract : public testing::TestWithParam<TransportKind> {
 protected:
  static void run(Body body) { GetParam().run(body); }
  static Rank ranks() { return GetParam().ranks; }
};

template <class T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

TEST_P(TransportContract, RanksAreNumberedFromZero) {
  std::mutex mutex;
  std::vector<Rank> seen;
  run([&](Transport& transport) {
    EXPECT_EQ(transport.size(), ranks());
    const std::lock_guard guard(mutex);
    seen.push_back(transport.rank());
  });
  std::sort(seen.begin(), seen.end());
  std::vector<Rank> expected(ranks());
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(seen, expected);
}

TEST_P(TransportContract, AnyRankReadsAnyWindow) {
  run([&](Transport& transport) {
    std::vector<std::uint32_t> mine(100, transport.rank());
    std::vector<std::uint32_t> other(3, transport.rank() + 100);
    EXPECT_EQ(*transport.expose(bytes_of(mine)), 0u);
    EXPECT_EQ(*transport.expose(bytes_of(other)), 1u);
    for (Rank target = 0; target < transport.size(); ++target) {
      std::vector<std::uint32_t> got(5, ~0u);
      ASSERT_TRUE(transport.read(target, 0, 95 * sizeof(std::uint32_t), bytes_of(got)));
      EXPECT_EQ(got, std::vector<std::uint32_t>(5, target));
      got.resize(3);
      ASSERT_TRUE(transport.read(target, 1, 0, bytes_of(got)));
      EXPECT_EQ(got, std::vector<std::uint32_t>(3, target + 100));
    }
    ASSERT_TRUE(transport.barrier());  // the windows must outlive the reads of others
  });
}

TEST_P(TransportContract, WritesAreVisibleAfterABarrier) {
  run([&](Transport& transport) {
    constexpr std::uint64_t kEach = 10;
    std::vector<std::uint64_t> mine(transport.size() * kEach, 0);
    const WindowId window = *transport.expose(bytes_of(mine));
    for (std::uint64_t round = 1; round <= 5; ++round) {
      for (Rank target = 0; target < transport.size(); ++target) {
        for (std::uint64_t i = 0; i < kEach; ++i) {
          std::vector<std::uint64_t> value{round * 1000 + transport.rank()};
          ASSERT_TRUE(transport.write(target, window, (transport.rank() * kEach + i) * 8, bytes_of(value)));
        }
      }
      ASSERT_TRUE(transport.barrier());
      for (std::uint64_t i = 0; i < mine.size(); ++i) EXPECT_EQ(mine[i], round * 1000 + i / kEach);
      ASSERT_TRUE(transport.barrier());  // nobody writes the next round while others look
    }
  });
}

TEST_P(TransportContract, EachTicketIsDrawnOnce) {
  std::mutex mutex;
  std::vector<std::uint64_t> drawn;
  constexpr std::uint64_t kTickets = 1000;
  run([&](Transport& transport) {
    std::vector<std::uint64_t> counter(2, 7);
    const WindowId window = *transport.expose(bytes_of(counter));
    std::vector<std::uint64_t> mine;
    for (;;) {
      const auto ticket = transport.fetch_add(0, window, 8, 1);
      ASSERT_TRUE(ticket);
      if (*ticket >= 7 + kTickets) break;
      mine.push_back(*ticket);
    }
    ASSERT_TRUE(transport.barrier());
    EXPECT_EQ(counter[0], 7u);
    if (transport.rank() == 0) {
      EXPECT_EQ(counter[1], 7 + kTickets + transport.size());
    }
    const std::lock_guard guard(mutex);
    drawn.insert(drawn.end(), mine.begin(), mine.end());
  });
  std::sort(drawn.begin(), drawn.end());
  std::vector<std::uint64_t> expected(kTickets);
  std::iota(expected.begin(), expected.end(), 7u);
  EXPECT_EQ(drawn, expected);
}

TEST_P(TransportContract, APlaceOutsideTheWindowIsABug) {
  run([&](Transport& transport) {
    std::vector<std::uint64_t> mine(2, 0);
    const WindowId window = *transport.expose(bytes_of(mine));
    std::vector<std::uint64_t> two(2);
    EXPECT_THROW((void)transport.read(0, window, 8, bytes_of(two)), InternalError);
    EXPECT_THROW((void)transport.write(0, window, 8, bytes_of(two)), InternalError);
    EXPECT_THROW((void)transport.fetch_add(0, window, 16, 1), InternalError);
    EXPECT_THROW((void)transport.fetch_add(0, window, 4, 1), InternalError);
    EXPECT_THROW((void)transport.read(0, window + 1, 0, bytes_of(two)), InternalError);
    EXPECT_THROW((void)transport.read(transport.size(), window, 0, bytes_of(two)), InternalError);
    ASSERT_TRUE(transport.barrier());
  });
}

TransportKind simulated(const char* name, Rank ranks, std::uint64_t seed) {
  return {name, ranks, [ranks, seed](Body body) { run_simulated_cluster(ranks, seed, body); }};
}

INSTANTIATE_TEST_SUITE_P(Transports, TransportContract,
                         testing::Values(TransportKind{"local", 1, [](Body body) { body(*make_local_transport()); }},
                                         simulated("simulated1", 1, 1), simulated("simulated2", 2, 2),
                                         simulated("simulated5", 5, 3), simulated("simulated5again", 5, 4)),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(SimulatedCluster, AWriteMayArriveLateAndOutOfOrder) {
  bool late = false;
  bool overtaken = false;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    run_simulated_cluster(2, seed, [&](Transport& transport) {
      std::vector<std::uint64_t> mine(2, 0);
      const WindowId window = *transport.expose(bytes_of(mine));
      if (transport.rank() == 0) {
        std::vector<std::uint64_t> one{1};
        ASSERT_TRUE(transport.write(1, window, 0, bytes_of(one)));
        ASSERT_TRUE(transport.write(1, window, 8, bytes_of(one)));
        std::vector<std::uint64_t> seen(2);
        ASSERT_TRUE(transport.read(1, window, 0, bytes_of(seen)));
        late = late || seen[0] == 0 || seen[1] == 0;
        overtaken = overtaken || (seen[0] == 0 && seen[1] == 1);
      }
      ASSERT_TRUE(transport.barrier());
      if (transport.rank() == 1) {
        EXPECT_EQ(mine, (std::vector<std::uint64_t>{1, 1}));
      }
    });
  }
  EXPECT_TRUE(late);
  EXPECT_TRUE(overtaken);
}

TEST(SimulatedCluster, ARankThatLeavesFailsTheBarrierOfTheOthers) {
  const auto body = [](Transport& transport) {
    if (transport.rank() == 1) throw std::runtime_error("rank 1 dies");
    const Status status = transport.barrier();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::io);
  };
  EXPECT_THROW(run_simulated_cluster(3, 1, body), std::runtime_error);
}

}  // namespace
}  // namespace rizoma
