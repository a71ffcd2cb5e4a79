// What every Transport promises (src/engine/transport.h), run over each implementation.
#include "base/check.h"
#include "engine/transport.h"
#include "testing/mpi_ranks.h"
#include "testing/simulated_transport.h"
#include "transport/local_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
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

/// What all ranks have, one after the other.
template <class T>
std::vector<T> gathered(Transport& transport, std::span<const T> mine) {
  const std::vector<std::span<const std::byte>> to(transport.size(), std::as_bytes(mine));
  const auto received = transport.exchange(to);
  EXPECT_TRUE(received);
  std::vector<T> all;
  for (const Bytes& of_rank : *received) {
    const std::size_t before = all.size();
    all.resize(before + of_rank.size() / sizeof(T));
    std::copy(of_rank.begin(), of_rank.end(), std::as_writable_bytes(std::span(all).subspan(before)).begin());
  }
  return all;
}

TEST_P(TransportContract, RanksAreNumberedFromZero) {
  run([&](Transport& transport) {
    EXPECT_EQ(transport.size(), ranks());
    const Rank mine = transport.rank();
    std::vector<Rank> expected(ranks());
    std::iota(expected.begin(), expected.end(), 0u);
    EXPECT_EQ(gathered(transport, std::span(&mine, 1)), expected);
  });
}

TEST_P(TransportContract, EachRankGetsWhatEveryOneSentToIt) {
  run([&](Transport& transport) {
    // Lengths differ by sender, target and round; some are none.
    const auto length = [](std::size_t from, std::size_t to, std::size_t round) {
      return (from * 7 + to * 3 + round) % 5 == 0 ? 0 : 1 + from + 1000 * to + 50'000 * (round % 3);
    };
    const Rank me = transport.rank();
    for (std::size_t round = 0; round < 20; ++round) {
      std::vector<Bytes> payloads;
      for (Rank to = 0; to < ranks(); ++to) payloads.emplace_back(length(me, to, round), std::byte(me * 16 + to));
      const std::vector<std::span<const std::byte>> spans(payloads.begin(), payloads.end());
      const auto received = transport.exchange(spans);
      ASSERT_TRUE(received);
      ASSERT_EQ(received->size(), ranks());
      for (Rank from = 0; from < ranks(); ++from) {
        EXPECT_EQ((*received)[from], Bytes(length(from, me, round), std::byte(from * 16 + me))) << from << " " << round;
      }
    }
  });
}

TEST_P(TransportContract, BytesMoveFromPlaceToPlace) {
  run([&](Transport& transport) {
    // Two runs from each to each, some of them empty, some of many pieces.
    const auto length = [](Rank from, Rank to, std::size_t which) {
      return (from + to + which) % 3 == 0 ? 0 : std::size_t{70'000} * (which + 1) * (to % 2 == 0 ? 1 : 20) + from;
    };
    const Rank me = transport.rank();
    for (unsigned round = 0; round < 3; ++round) {
      std::vector<Bytes> sent;
      std::vector<Bytes> places;
      std::vector<Outgoing> out;
      std::vector<Incoming> in;
      for (Rank other = 0; other < std::min<Rank>(ranks(), 6); ++other) {
        for (const std::size_t which : {0U, 1U}) {
          if (other == me || me >= 6) continue;
          sent.emplace_back(length(me, other, which), std::byte(me * 32 + other + which * 8 + round));
          places.emplace_back(length(other, me, which), std::byte(0));
          out.push_back({other, sent.back()});
          in.push_back({other, places.back()});
        }
      }
      ASSERT_TRUE(transport.move(out, in));
      for (std::size_t i = 0; i < in.size(); ++i) {
        const auto expected = std::byte(in[i].from * 32 + me + i % 2 * 8 + round);
        EXPECT_TRUE(std::ranges::all_of(places[i], [&](std::byte byte) { return byte == expected; })) << i;
      }
    }
  });
}

TEST_P(TransportContract, WhoWaitsDoesOtherWorkUntilThereIsNone) {
  run([&](Transport& transport) {
    for (std::size_t round = 0; round < 20; ++round) {
      const Bytes mine(200'000 * (round % 2) + 3, std::byte(transport.rank() + round));
      const std::vector<std::span<const std::byte>> to(transport.size(), mine);
      int calls = 0;
      const auto received = transport.exchange(to, [&] { return ++calls < 5; });
      ASSERT_TRUE(received);
      EXPECT_LE(calls, 5) << "it had said that nothing is left";
      for (Rank from = 0; from < ranks(); ++from) {
        EXPECT_EQ((*received)[from], Bytes(mine.size(), std::byte(from + round)));
      }
    }
  });
}

TEST_P(TransportContract, LettersComeInTheOrderOfEachSender) {
  using namespace std::chrono_literals;
  run([&](Transport& transport) {
    constexpr std::size_t kEach = 12;
    const Rank me = transport.rank();
    // Some are great: those that follow must not overtake them.
    const auto message = [](Rank from, std::size_t i) {
      Bytes bytes(i % 4 == 1 ? 300'000 : 3 + i, std::byte(i));
      bytes.front() = std::byte(from);
      return bytes;
    };
    ASSERT_FALSE(transport.receive(0us)->has_value()) << "no rank has written yet";
    ASSERT_TRUE(transport.barrier());
    const Rank others = std::min<Rank>(ranks() - 1, 5);
    std::vector<std::size_t> got(ranks(), 0);
    std::size_t to_come = kEach * others;
    for (std::size_t i = 0; i < kEach; ++i) {
      for (Rank step = 1; step <= others; ++step) {
        ASSERT_TRUE(transport.send((me + step) % ranks(), message(me, i)));
      }
    }
    while (to_come > 0) {
      auto come = transport.receive(200us);
      ASSERT_TRUE(come);
      if (!*come) continue;
      EXPECT_TRUE((*come)->bytes == message((*come)->from, got[(*come)->from]++)) << (*come)->from;
      --to_come;
    }
    ASSERT_TRUE(transport.barrier());
    EXPECT_FALSE(transport.receive(0us)->has_value());
    ASSERT_TRUE(transport.barrier());
  });
}

TEST_P(TransportContract, RanksHaveNamesAndAreWell) {
  run([&](Transport& transport) {
    EXPECT_TRUE(transport.health());
    for (Rank rank = 0; rank < ranks(); ++rank) {
      EXPECT_TRUE(transport.name_of(rank).starts_with("rank " + std::to_string(rank))) << transport.name_of(rank);
    }
    ASSERT_TRUE(transport.barrier());
  });
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
      ASSERT_TRUE(transport.barrier());  // no rank writes the next round while others look
    }
  });
}

TEST_P(TransportContract, EachTicketIsDrawnOnce) {
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
    std::vector<std::uint64_t> drawn = gathered(transport, std::span<const std::uint64_t>(mine));
    std::sort(drawn.begin(), drawn.end());
    std::vector<std::uint64_t> expected(kTickets);
    std::iota(expected.begin(), expected.end(), 7u);
    EXPECT_EQ(drawn, expected);
  });
}

TEST_P(TransportContract, MemoryOfWindowsIsMadeAndGivenBack) {
  run([&](Transport& transport) {
    WindowId released = 0;
    for (std::uint64_t round = 1; round <= 3; ++round) {
      const std::size_t words = round * 100 + transport.rank();
      const auto made = transport.allocate(words * 8);
      ASSERT_TRUE(made);
      ASSERT_TRUE(*made);
      ASSERT_EQ((*made)->bytes.size(), words * 8);
      auto* const mine = reinterpret_cast<std::uint64_t*>((*made)->bytes.data());
      for (std::size_t i = 0; i < words; ++i) {
        ASSERT_EQ(mine[i], 0u) << i;
        mine[i] = i == 0 ? 0 : round * 1000 + transport.rank();
      }
      ASSERT_TRUE(transport.barrier());
      for (Rank target = 0; target < transport.size(); ++target) {
        std::vector<std::uint64_t> first(3);
        std::vector<std::uint64_t> last(5);
        std::vector<std::uint64_t> none;
        const Wanted wanted[] = {
            {8, bytes_of(first)}, {16, bytes_of(none)}, {(round * 100 + target - 5) * 8, bytes_of(last)}};
        ASSERT_TRUE(transport.read_all(target, (*made)->window, wanted));
        EXPECT_EQ(first, std::vector<std::uint64_t>(3, round * 1000 + target));
        EXPECT_EQ(last, std::vector<std::uint64_t>(5, round * 1000 + target));
        ASSERT_TRUE(transport.fetch_add(target, (*made)->window, 0, round));
      }
      ASSERT_TRUE(transport.barrier());
      EXPECT_EQ(*transport.fetch_add(transport.rank(), (*made)->window, 0, 0), round * transport.size());
      ASSERT_TRUE(transport.release((*made)->window));
      released = (*made)->window;
    }
    std::vector<std::uint64_t> other(2, 3);
    EXPECT_GT(*transport.expose(bytes_of(other)), released) << "numbers are not used again";
    ASSERT_TRUE(transport.barrier());
  });
}

TEST_P(TransportContract, AllWorkInMemoryThatTheyShare) {
  run([&](Transport& transport) {
    for (const std::size_t words : {1U, 3000U}) {
      const auto made = transport.share(words * sizeof(std::uint64_t));
      ASSERT_TRUE(made) << made.error().message;
      const std::vector<std::uint64_t> have =
          gathered<std::uint64_t>(transport, std::vector<std::uint64_t>{*made ? 1U : 0U});
      ASSERT_EQ(std::ranges::count(have, *made ? 1 : 0), ranks()) << "all have it, or none";
      if (!*made) return;
      ASSERT_EQ((*made)->bytes.size(), words * sizeof(std::uint64_t));
      auto* const shared = reinterpret_cast<std::uint64_t*>((*made)->bytes.data());
      for (std::size_t i = transport.rank(); i < words; i += ranks()) shared[i] = i + words;
      ASSERT_TRUE(transport.exchange(std::vector<std::span<const std::byte>>(ranks())));
      for (std::size_t i = 0; i < words; ++i) ASSERT_EQ(shared[i], i + words);
      ASSERT_TRUE(transport.exchange(std::vector<std::span<const std::byte>>(ranks())));
      for (int i = 0; i < 100; ++i) std::atomic_ref(shared[0]).fetch_add(1);
      ASSERT_TRUE(transport.exchange(std::vector<std::span<const std::byte>>(ranks())));
      EXPECT_EQ(shared[0], words + 100 * ranks());
      ASSERT_TRUE(transport.release((*made)->window));
    }
  });
}

TEST_P(TransportContract, CountersLieWhereTheyCanBeCountedWhateverTheSizesOfOthers) {
  run([&](Transport& transport) {
    for (std::size_t odd = 1; odd <= 5; odd += 2) {
      const auto made = transport.allocate(8 + 4 * (odd + 2 * std::size_t{transport.rank()}));
      ASSERT_TRUE(made);
      ASSERT_TRUE(*made);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*made)->bytes.data()) % sizeof(std::uint64_t), 0u);
      for (Rank target = 0; target < transport.size(); ++target) {
        ASSERT_TRUE(transport.fetch_add(target, (*made)->window, 0, odd));
      }
      ASSERT_TRUE(transport.barrier());
      EXPECT_EQ(*transport.fetch_add(transport.rank(), (*made)->window, 0, 0), odd * transport.size());
      // Nobody counts beyond what was asked for, though more was made.
      EXPECT_THROW((void)transport.fetch_add(transport.rank(), (*made)->window, (*made)->bytes.size() / 8 * 8, 1),
                   InternalError);
      ASSERT_TRUE(transport.release((*made)->window));
    }
  });
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

struct LeavesMpi : testing::Environment {
  void TearDown() override { leave_mpi_ranks(); }
};
[[maybe_unused]] const auto* const leaves_mpi = testing::AddGlobalTestEnvironment(new LeavesMpi);

/// All there are in this process; among ranks started by mpiexec, MPI alone.
std::vector<TransportKind> kinds() {
  if (Transport* const mpi = mpi_ranks()) return {{"mpi", mpi->size(), [mpi](Body body) { body(*mpi); }}};
  return {TransportKind{"local", 1, [](Body body) { body(*make_local_transport()); }},
          simulated("simulated1", 1, 1),
          simulated("simulated2", 2, 2),
          simulated("simulated5", 5, 3),
          simulated("simulated5again", 5, 4),
          simulated("simulated32", 32, 5)};
}

INSTANTIATE_TEST_SUITE_P(Transports, TransportContract, testing::ValuesIn(kinds()),
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
    EXPECT_EQ(status.error().message, "rank 1 is lost: it has left the run");
  };
  EXPECT_THROW(run_simulated_cluster(3, 1, body), std::runtime_error);
}

TEST(SimulatedCluster, ARankThatLeavesFailsTheRoundsOfTheOthers) {
  run_simulated_cluster(4, 1, [](Transport& transport) {
    const std::vector<std::span<const std::byte>> nothing(transport.size());
    ASSERT_TRUE(transport.exchange(nothing));
    if (transport.rank() == 2) return;
    const auto round = transport.exchange(nothing);
    ASSERT_FALSE(round);
    EXPECT_EQ(round.error().message, "rank 2 is lost: it has left the run");
  });
}

TEST(SimulatedCluster, ARankThatGivesUpEndsTheRunOfAll) {
  run_simulated_cluster(3, 1, [](Transport& transport) {
    if (transport.rank() == 1) {
      transport.abort({ErrorCode::out_of_memory, "no memory left"});
    }
    const Status status = transport.barrier();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::out_of_memory);
    EXPECT_EQ(status.error().message, "rank 1 has ended the run: no memory left");
    EXPECT_FALSE(transport.health());
  });
}

}  // namespace
}  // namespace rizoma
