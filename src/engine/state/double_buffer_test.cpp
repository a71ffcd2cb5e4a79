#include <rizoma/detail/double_buffer.h>
#include <rizoma/sweep.h>

#include "testing/dying_transport.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr VertexId kVertices = 3000;
constexpr std::uint64_t kApart = 9;     ///< a seed of ranks that share no memory
constexpr std::uint64_t kTogether = 5;  ///< of ranks that do

GraphView some_graph() {
  return testing::build_graph(kVertices, testing::uniform_edges(kVertices, 3 * kVertices, 7), {.section_bits = 6});
}

TEST(DoubleBuffer, OfOtherRanksAreReadWhereTheyWereWritten) {
  const GraphView graph = some_graph();
  for (const std::uint64_t seed : {kApart, kTogether}) {
    run_simulated_cluster(4, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine({.threads = 1, .ranks = &ranks});
      ASSERT_TRUE(ranks.divide(graph));
      engine_detail::DoubleBuffer<std::uint32_t> values(engine, kVertices);
      const auto write = [&](std::uint32_t* to, std::uint32_t step) {
        for (VertexId v = 0; v < kVertices; ++v) {
          if (ranks.owns(v)) to[v] = static_cast<std::uint32_t>(v * 100) + step;
        }
      };
      write(values.now(), 0);
      for (std::uint32_t step = 0; step < 4; ++step) {
        const auto shared = values.share(ranks);
        ASSERT_TRUE(shared);
        ASSERT_EQ(*shared, seed == kTogether);
        write(values.next(engine), step + 1);  // the others read what is now
        for (VertexId v = 0; v < kVertices; ++v) {
          if (*shared || ranks.owns(v)) {
            ASSERT_EQ(values.now()[v], v * 100 + step);
          }
        }
        ASSERT_TRUE(values.swap(engine, graph));
        ASSERT_TRUE(ranks.barrier());
      }
      write(values.now(), 50);
      values.set_anew();
      const auto shared = values.share(ranks);
      ASSERT_TRUE(shared);
      for (VertexId v = 0; *shared && v < kVertices; ++v) ASSERT_EQ(values.now()[v], v * 100 + 50);
      ASSERT_TRUE(ranks.finalize({}));
    });
  }
}

TEST(DoubleBuffer, KeepsTheValuesOfOwnVerticesAlone) {
  const GraphView graph = some_graph();
  for (const std::uint64_t seed : {kApart, kTogether}) {
    for (const bool last : {false, true}) {
      run_simulated_cluster(4, seed, [&](Transport& transport) {
        Ranks ranks(transport);
        Engine engine({.threads = 1, .ranks = &ranks});
        ASSERT_TRUE(ranks.divide(graph));
        engine_detail::DoubleBuffer<std::uint32_t> values(engine, kVertices);
        ASSERT_TRUE(values.share(ranks));
        for (VertexId v = 0; v < kVertices; ++v) {
          if (!ranks.owns(v)) continue;
          values.now()[v] = static_cast<std::uint32_t>(v);
          values.next(engine)[v] = static_cast<std::uint32_t>(v + 7);
        }
        ASSERT_TRUE(values.swap(engine, graph));
        const auto kept = values.keep_own(engine, graph, last);
        ASSERT_TRUE(kept);
        for (VertexId v = 0; v < kVertices; ++v) {
          if (ranks.owns(v)) {
            ASSERT_EQ((*kept)[v], v + (last ? 0 : 7));
          }
        }
        ASSERT_TRUE(ranks.finalize({}));
      });
    }
  }
}

/// Numbers that come out otherwise if a single value is read too early or too late.
struct Mix {
  using Message = std::uint64_t;
  using Accum = std::uint64_t;
  std::uint64_t* values;
  std::uint64_t step = 0;

  [[nodiscard]] Message scatter(VertexId v) const { return values[v] * 0x9E3779B97F4A7C15; }
  [[nodiscard]] Accum gather(Accum sum, const auto& entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) sum += entries.message(i);
    return sum;
  }
  [[nodiscard]] Accum combine(Accum a, Accum b) const { return a + b; }
  void apply(VertexId v, Accum sum) { values[v] = (values[v] ^ sum) * 31 + step + v; }
};

struct Mixed {
  std::vector<std::uint64_t> values;
  std::uint64_t least_rounds = ~std::uint64_t{0};  ///< of a step
};

/// Eight steps, and after five of them all show what they have once more.
Result<Mixed> mix(Engine& engine, const GraphView& graph, SweepDirection direction) {
  Mixed mixed{std::vector<std::uint64_t>(kVertices)};
  Mix program{mixed.values.data()};
  Sweep<Mix> sweep(engine, graph, program, {.direction = direction});
  for (program.step = 0; program.step < 8; ++program.step) {
    if (program.step % 5 == 0) RIZOMA_TRY(sweep.start_all());
    const std::uint64_t before = engine.ranks() == nullptr ? 0 : engine.ranks()->collectives();
    RIZOMA_TRY(sweep.step());
    if (engine.ranks() == nullptr) continue;
    mixed.least_rounds = std::min(mixed.least_rounds, engine.ranks()->collectives() - before);
  }
  return mixed;
}

class SweepOfAll : public ::testing::TestWithParam<SweepDirection> {};

INSTANTIATE_TEST_SUITE_P(Ranks, SweepOfAll,
                         ::testing::Values(SweepDirection::automatic, SweepDirection::pull, SweepDirection::push));

TEST_P(SweepOfAll, GivesTheSameNumbersOnRanks) {
  const GraphView graph = some_graph();
  Engine alone({.threads = 2});
  const auto expected = mix(alone, graph, GetParam());
  ASSERT_TRUE(expected);
  for (const std::uint64_t seed : {kApart, kTogether, kTogether + 1}) {
    for (const unsigned threads : {1U, 2U}) {
      run_simulated_cluster(4, seed, [&](Transport& transport) {
        Ranks ranks(transport);
        Engine engine({.threads = threads, .ranks = &ranks});
        const auto mixed = mix(engine, graph, GetParam());
        ASSERT_TRUE(mixed);
        for (VertexId v = 0; v < kVertices; ++v) {
          if (ranks.owns(v)) {
            ASSERT_EQ(mixed->values[v], expected->values[v]) << v;
          }
        }
        ASSERT_TRUE(ranks.finalize({}));
        if (seed == kApart || GetParam() == SweepDirection::push) return;
        EXPECT_EQ(mixed->least_rounds, 1U) << "the counts of a step say that what it showed is there";
        EXPECT_LT(ranks.traffic().total().bytes, 8U * kVertices) << "messages in shared memory are not sent";
      });
    }
  }
}

TEST_P(SweepOfAll, EndsOnAllRanksIfOneIsLost) {
  const GraphView graph = some_graph();
  for (const std::uint64_t seed : {kApart, kTogether}) {
    bool any_lost = true;
    for (std::uint64_t calls = 1; any_lost; ++calls) {
      std::atomic<int> ended = 0;
      run_simulated_cluster(4, seed, [&](Transport& transport) {
        DyingTransport dying(transport, transport.rank() == 2 ? calls : 0);
        Ranks ranks(dying);
        Engine engine({.threads = 1, .ranks = &ranks});
        const auto mixed = mix(engine, graph, GetParam());
        const Status settled = ranks.finalize(mixed ? Status() : Status(mixed.error()));
        if (settled) return;
        ++ended;
        if (ranks.rank() != 2) {
          EXPECT_NE(settled.error().message.find("rank 2"), std::string::npos);
        }
      });
      any_lost = ended > 0;
      EXPECT_TRUE(!any_lost || ended == 4) << ended << " of 4 after " << calls << " calls";
    }
  }
}

}  // namespace
}  // namespace rizoma
