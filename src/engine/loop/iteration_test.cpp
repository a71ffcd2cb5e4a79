#include <rizoma/detail/checkpoints.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

namespace rizoma {
namespace {

/// Keeps the last state in memory, of one process.
class InMemory final : public Checkpoints {
 public:
  Result<bool> resume(const IterationState& state) override {
    if (figures.empty()) return false;
    if (figures.size() != state.figures.size() || columns.size() != state.columns.size()) return refused();
    std::copy(figures.begin(), figures.end(), state.figures.begin());
    for (std::size_t i = 0; i < columns.size(); ++i)
      std::memcpy(state.columns[i].values, columns[i].data(), columns[i].size());
    if (!state.sound()) return refused();
    return true;
  }
  Result<bool> due() override { return is_due; }
  Status keep(const IterationState& state) override {
    ++kept;
    figures.assign(state.figures.begin(), state.figures.end());
    columns.clear();
    for (const StateColumn& column : state.columns) {
      const auto* const bytes = static_cast<const std::byte*>(column.values);
      columns.emplace_back(bytes, bytes + vertices * column.value_bytes);
    }
    return {};
  }
  Status finish() override { return {}; }

  std::size_t vertices = 0;
  bool is_due = true;
  int kept = 0;
  std::vector<double> figures;
  std::vector<std::vector<std::byte>> columns;

 private:
  static Error refused() { return {ErrorCode::corrupt, "refused"}; }
};

class IterationTest : public ::testing::Test {
 protected:
  IterationTest() { saved.vertices = graph.num_vertices(); }
  GraphView graph = testing::build_graph(100, testing::path_edges(100), {.section_bits = 6});
  Engine engine{EngineOptions{.threads = 2}};
  InMemory saved;
};

/// What a kernel lives on in these tests.
struct Kernel {
  Kernel(Engine& engine, const GraphView& graph) : loop(engine, graph, "test"), values(loop, -1), late(loop) {
    loop.keep(steps, flag, big, real, small);
  }
  Iteration loop;
  VertexState<std::int32_t> values;
  VertexState<double> late;
  unsigned steps = 0;
  bool flag = false;
  std::uint64_t big = 0;
  double real = 0;
  std::uint8_t small = 0;
};

TEST_F(IterationTest, RestoresScalarsAndColumnsThatWereSaved) {
  {
    engine.set_checkpoints(&saved);
    Kernel kernel(engine, graph);
    ASSERT_FALSE(*kernel.loop.begin());
    kernel.flag = true;
    kernel.big = ~std::uint64_t{0} - 7;
    kernel.real = -0.1;
    kernel.small = 255;
    kernel.loop.update_by([&] {
      for (VertexId v = 0; v < 100; ++v) kernel.late.data()[v] = 0.5 * static_cast<double>(v);
      return Status();
    });
    const auto step = [&]() -> Result<bool> {
      kernel.values[7] = static_cast<std::int32_t>(++kernel.steps);
      return kernel.steps < 3;
    };
    ASSERT_TRUE(kernel.loop.run(step));
    EXPECT_EQ(saved.kept, 2) << "not after the last step";
  }
  engine.set_checkpoints(&saved);
  Kernel kernel(engine, graph);
  ASSERT_TRUE(*kernel.loop.begin());
  EXPECT_EQ(kernel.steps, 2U);
  EXPECT_TRUE(kernel.flag);
  EXPECT_EQ(kernel.big, ~std::uint64_t{0} - 7);
  EXPECT_EQ(kernel.real, -0.1);
  EXPECT_EQ(kernel.small, 255);
  EXPECT_EQ(kernel.values[7], 2);
  EXPECT_EQ(kernel.values[8], -1);
  EXPECT_EQ(kernel.late.span()[99], 49.5);
}

TEST_F(IterationTest, RefusesScalarsThatTheirTypesDoNotHold) {
  engine.set_checkpoints(&saved);
  {
    Kernel kernel(engine, graph);
    ASSERT_FALSE(*kernel.loop.begin());
    ASSERT_TRUE(kernel.loop.save_if_due());
  }
  const std::vector<double> sound = saved.figures;
  ASSERT_EQ(sound.size(), 6U);  // `big` has two halves
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sound.size(); ++i) {
    for (const double wrong : {-1.0, 0.5, 1e10, 1e300, kInfinity, std::nan("")}) {
      if (i == 4 && !std::isnan(wrong)) continue;  // any number is real
      saved.figures = sound;
      saved.figures[i] = wrong;
      engine.set_checkpoints(&saved);
      Kernel kernel(engine, graph);
      EXPECT_FALSE(kernel.loop.begin()) << "figure " << i << " is " << wrong;
    }
  }
  saved.figures = sound;
  for (const bool valid : {false, true}) {
    engine.set_checkpoints(&saved);
    Kernel kernel(engine, graph);
    kernel.loop.valid_if([valid] { return valid; });
    EXPECT_EQ(kernel.loop.begin().ok(), valid);
  }
}

TEST_F(IterationTest, TheOutermostIterationTakesTheCheckpoints) {
  engine.set_checkpoints(&saved);
  Kernel outer(engine, graph);
  Kernel inner(engine, graph);
  EXPECT_TRUE(outer.loop.survives());
  EXPECT_FALSE(inner.loop.survives());
  ASSERT_FALSE(*inner.loop.begin());
  ASSERT_TRUE(inner.loop.save_if_due());
  EXPECT_EQ(saved.kept, 0);
  saved.is_due = false;
  ASSERT_TRUE(outer.loop.save_if_due());
  EXPECT_EQ(saved.kept, 0) << "none was due";
  outer.loop.forgo();
  saved.is_due = true;
  ASSERT_TRUE(outer.loop.save_if_due());
  EXPECT_EQ(saved.kept, 0);
}

TEST_F(IterationTest, AnErrorOfAStepEndsTheLoop) {
  Kernel kernel(engine, graph);
  ASSERT_FALSE(*kernel.loop.begin());
  int steps = 0;
  const auto step = [&]() -> Result<bool> {
    if (++steps == 3) return Error{ErrorCode::io, "lost"};
    return true;
  };
  EXPECT_EQ(kernel.loop.run(step).error().message, "lost");
  EXPECT_EQ(steps, 3);
}

TEST_F(IterationTest, ProcessesExchangeWhatBelongsToTheVerticesOfOthers) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {  // ranks of some share memory
    run_simulated_cluster(3, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine mine({.threads = 1, .ranks = &ranks});
      Iteration loop(mine, graph, "test");
      VertexState<VertexId> labels(loop, 0);
      ASSERT_FALSE(*loop.begin());
      EXPECT_FALSE(loop.is_alone());
      std::uint64_t number = ranks.rank() + 5;
      ASSERT_TRUE(loop.agree_on(number));
      EXPECT_EQ(number, 5U);
      std::vector<VertexId> list(ranks.rank() + std::size_t{2}, ranks.rank());
      ASSERT_TRUE(loop.agree_on(list));
      EXPECT_EQ(list, (std::vector<VertexId>{0, 0}));
      EXPECT_EQ(*loop.total(ranks.rank() + 1), 6U);
      const auto shared = loop.share({std::byte{static_cast<unsigned char>(ranks.rank())}});
      ASSERT_TRUE(shared && shared->size() == 3);
      EXPECT_EQ((*shared)[2], std::vector{std::byte{2}});
      const auto home = loop.bring_home({0, 50, 99});
      ASSERT_TRUE(home);
      for (const VertexId v : *home) EXPECT_TRUE(loop.is_here(v));
      EXPECT_EQ(*loop.total(home->size()), 9U);
      VertexMap<std::uint64_t> counts = mine.make_map<std::uint64_t>(100, 1);
      ASSERT_TRUE(loop.reduce(counts));
      loop.for_own([&](VertexId v) { EXPECT_EQ(counts[v], 3U) << v; });
      loop.for_others([&](VertexId v) { EXPECT_EQ(counts[v], 0U) << v; });
      loop.for_own([&](VertexId v) { labels[v] = v / 10 * 10; });
      labels.set_elsewhere(77);
      loop.for_others([&](VertexId v) { EXPECT_EQ(labels[v], 77U); });
      EXPECT_EQ(*count_distinct(loop, labels), 10U);
      ASSERT_TRUE(labels.refresh());
      loop.for_own([&](VertexId v) { EXPECT_EQ(labels[v + 1 < 100 ? v + 1 : v], (v + (v < 99 ? 1 : 0)) / 10 * 10); });
      const auto next_is = [&](const char* when, auto expected) {
        loop.for_own([&](VertexId v) {
          if (v == 99) return;
          EXPECT_EQ(labels[v + 1], expected(v + 1)) << when << ' ' << v;
        });
      };
      const auto tens = [](VertexId v) { return v / 10 * 10; };
      ASSERT_TRUE(labels.set_mirrors(99));
      next_is("mirrors are set", [&](VertexId v) { return loop.is_here(v) ? tens(v) : 99; });
      ASSERT_TRUE(labels.refresh());
      next_is("again from others", tens);
      loop.for_own([&](VertexId v) { labels[v] = 5; });
      ASSERT_TRUE(labels.complete());
      for (VertexId v = 0; v < 100; ++v) EXPECT_EQ(labels[v], 5U);
      loop.for_own([&](VertexId v) { labels[v] = tens(v); });
      ASSERT_TRUE(labels.refresh());
      next_is("as before all were known", tens);
      VertexMap<VertexId> column = std::move(labels).take();
      ASSERT_TRUE(loop.gather(column));
      for (VertexId v = 0; v < 100; ++v) EXPECT_EQ(column[v], v / 10 * 10);
      ASSERT_TRUE(ranks.finalize({}));
    });
  }
}

}  // namespace
}  // namespace rizoma
