// Jobs that die and go on from what they kept, alone and on simulated ranks.
#include <rizoma/algorithms/label_propagation.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "api/checkpoint_file.h"
#include "api/medium_checkpoints.h"
#include "platform/memory_medium.h"
#include "testing/checkpoint_jobs.h"
#include "testing/crafting.h"
#include "testing/fault_medium.h"
#include "testing/graph_builder.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr const char* kName = testing::kJobName;
constexpr double kAlpha = 0.5;  // few iterations: simulated ranks take their time
constexpr double kTol = 1e-4;

using testing::Job;

GraphView some_graph(std::uint64_t seed = 1, unsigned section_bits = 7) {
  return testing::build_graph(1 << 12, testing::rmat_edges(12, 30'000, seed),
                              {.directed = seed % 2 == 1, .section_bits = section_bits});
}

Result<PageRankResult> ranks_of(const Job& job) {
  const auto kernel = [&](Engine& engine) { return pagerank(engine, job.graph, {.alpha = kAlpha, .tol = kTol}); };
  return testing::run_job(job, kernel);
}

TEST(Checkpoints, PageRankGoesOnWithAnyNumberOfRanksToTheSameAnswer) {
  const GraphView graph = some_graph();
  Engine alone({.threads = 2});
  const auto expected = pagerank(alone, graph, {.alpha = kAlpha, .tol = kTol});
  ASSERT_TRUE(expected && expected->iterations > 5);
  for (const unsigned before : {1U, 3U}) {
    for (const unsigned after : {1U, 4U}) {
      const std::shared_ptr<Medium> medium = make_memory_medium();
      const auto died = ranks_of({medium, graph, before, 4});
      ASSERT_FALSE(died);
      EXPECT_NE(died.error().message.find("killed"), std::string::npos) << died.error().message;
      const auto result = ranks_of({medium, graph, after});
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->resumed_after, 4);
      EXPECT_EQ(result->iterations, expected->iterations);
      EXPECT_TRUE(result->converged);
      for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_NEAR(result->scores[v], expected->scores[v], 1e-14);
      EXPECT_FALSE(*medium->exists(kName)) << "a job that has ended keeps nothing";
    }
  }
}

TEST(Checkpoints, LabelPropagationGoesOnWithItsOwnSeed) {
  const GraphView graph = some_graph(2);
  Engine alone({.threads = 2});
  const auto expected = label_propagation(alone, graph, {.max_iter = 6, .seed = 0x7123'4567'89ab'cdef});
  ASSERT_TRUE(expected);
  for (const unsigned after : {1U, 4U}) {
    const std::shared_ptr<Medium> medium = make_memory_medium();
    const auto run = [&](unsigned ranks, int dies_after, std::uint64_t seed) {
      const auto kernel = [&](Engine& engine) {
        return label_propagation(engine, graph, {.max_iter = 6, .seed = seed});
      };
      return testing::run_job(Job{medium, graph, ranks, dies_after}, kernel);
    };
    ASSERT_FALSE(run(2, 2, 0x7123'4567'89ab'cdef));
    const auto result = run(after, 0, 1);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->resumed_after, 2U);
    EXPECT_EQ(result->count, expected->count);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(result->labels[v], expected->labels[v]);
  }
}

TEST(Checkpoints, LabelPropagationGoesOnWithTheVerticesThatAreStillToBeLookedAt) {
  const GraphView graph = some_graph(2);
  const VertexId n = graph.num_vertices();
  Engine alone({.threads = 2});
  std::vector<VertexId> start(n);
  std::iota(start.begin(), start.end(), VertexId{0});
  std::vector<VertexId> changed;
  for (VertexId v = 0; v < n; v += 97) changed.push_back(v);
  const LabelPropagationOptions options{.max_iter = 9, .seed = 5, .start = start, .changed = changed};
  const auto expected = label_propagation(alone, graph, options);
  ASSERT_TRUE(expected && expected->iterations > 1);
  for (const unsigned before : {1U, 3U}) {
    for (const unsigned after : {1U, 4U}) {
      const std::shared_ptr<Medium> medium = make_memory_medium();
      const auto kernel = [&](Engine& engine) { return label_propagation(engine, graph, options); };
      ASSERT_FALSE(testing::run_job(Job{medium, graph, before, 1}, kernel));
      const auto result = testing::run_job(Job{medium, graph, after}, kernel);
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->resumed_after, 1U);
      EXPECT_EQ(result->iterations, expected->iterations);
      for (VertexId v = 0; v < n; ++v) ASSERT_EQ(result->labels[v], expected->labels[v]) << v;
    }
  }
}

TEST(Checkpoints, WhoDoesNotResumeBeginsAnew) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  ASSERT_FALSE(ranks_of({medium, some_graph(), 1, 3}));
  const auto result = ranks_of({.medium = medium, .graph = some_graph(), .resume = false});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->resumed_after, 0);
  EXPECT_EQ(ranks_of({make_memory_medium(), some_graph()})->resumed_after, 0) << "nothing was kept";
}

TEST(Checkpoints, AnotherJobOrGraphIsRefusedOnAllRanks) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const GraphView graph = some_graph();
  ASSERT_FALSE(ranks_of({medium, graph, 2, 3}));
  for (const unsigned ranks : {1U, 3U}) {
    const auto other_job = ranks_of({.medium = medium, .graph = graph, .ranks = ranks, .text = "with other options"});
    ASSERT_FALSE(other_job);
    EXPECT_EQ(other_job.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(other_job.error().message.find("another job (a job, not with other options)"), std::string::npos);
    const auto other_graph = ranks_of({.medium = medium, .graph = some_graph(2), .ranks = ranks});
    ASSERT_FALSE(other_graph);
    EXPECT_NE(other_graph.error().message.find("another state of it"), std::string::npos);
  }
  // The same lists are the same graph, however they are stored.
  EXPECT_TRUE(ranks_of({.medium = medium, .graph = some_graph(1, 9), .ranks = 2}));
}

TEST(Checkpoints, ADamagedFileIsRefused) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  const GraphView graph = testing::build_graph(40, testing::path_edges(40));
  ASSERT_FALSE(ranks_of({medium, graph, 1, 3}));
  const auto file = medium->open(kName, FileMode::write);
  ASSERT_TRUE(file);
  const std::uint64_t size = *(*file)->size();
  for (std::uint64_t at = 0; at < size; at += 3) {
    std::array<std::byte, 1> byte{};
    ASSERT_TRUE((*file)->read(at, byte));
    byte[0] ^= std::byte{0x10};
    ASSERT_TRUE((*file)->write(at, byte));
    EXPECT_FALSE(ranks_of({medium, graph})) << at;
    byte[0] ^= std::byte{0x10};
    ASSERT_TRUE((*file)->write(at, byte));
  }
  for (const std::uint64_t shorter : {size - 1, size / 2, std::uint64_t{5}, std::uint64_t{0}}) {
    ASSERT_TRUE((*file)->resize(shorter));
    EXPECT_FALSE(ranks_of({medium, graph})) << shorter;
  }
}

/// Resuming `job` from a state that each of `crafts` has changed is an error that says so.
template <class Job>
void expect_refused(const GraphView& graph, const std::vector<testing::Crafting::Craft>& crafts, Job job) {
  for (std::size_t i = 0; i < crafts.size(); ++i) {
    const std::shared_ptr<Medium> medium = make_memory_medium();
    Engine engine({.threads = 2});
    const auto run = [&](bool resume) {
      const CheckpointOptions options{.name = kName, .job = "a job", .every = 0, .resume = resume};
      const auto kept = checkpoints_in(medium, engine, graph, options);
      testing::Crafting crafting(**kept, crafts[i]);
      engine.set_checkpoints(&crafting);
      return job(engine);
    };
    EXPECT_EQ(run(false).error().message, "killed");
    const auto resumed = run(true);
    ASSERT_FALSE(resumed) << "craft " << i;
    EXPECT_EQ(resumed.error().code, ErrorCode::corrupt) << "craft " << i;
  }
}

TEST(Checkpoints, ACraftedStateOfLabelsIsRefused) {
  const GraphView graph = testing::build_graph(40, testing::path_edges(40));
  const std::vector<testing::Crafting::Craft> crafts = {
      [](const IterationState& state) { static_cast<VertexId*>(state.columns[0].values)[7] = 40; },
      [](const IterationState& state) { static_cast<VertexId*>(state.columns[0].values)[0] = ~VertexId{0}; },
      [](const IterationState& state) { state.figures[0] = 1e300; },
      [](const IterationState& state) { state.figures[1] = -1; },
      [](const IterationState& state) { state.figures[2] = std::nan(""); },
  };
  expect_refused(graph, crafts,
                 [&](Engine& engine) { return label_propagation(engine, graph, {.max_iter = 9, .seed = 3}); });
}

TEST(Checkpoints, ACraftedStateOfRanksIsRefused) {
  const GraphView graph = testing::build_graph(40, testing::path_edges(40));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<testing::Crafting::Craft> crafts = {
      [](const IterationState& state) { static_cast<double*>(state.columns[0].values)[7] = kInfinity; },
      [](const IterationState& state) { static_cast<double*>(state.columns[0].values)[39] = -1e-9; },
      [](const IterationState& state) { static_cast<double*>(state.columns[0].values)[0] = std::nan(""); },
      [](const IterationState& state) { state.figures[0] = 0.5; },
      [](const IterationState& state) { state.figures[1] = kInfinity; },
      [](const IterationState& state) { state.figures[2] = kInfinity; },
  };
  expect_refused(graph, crafts,
                 [&](Engine& engine) { return pagerank(engine, graph, {.alpha = kAlpha, .tol = kTol}); });
}

TEST(Checkpoints, ACrashLeavesTheLastStateOrTheOneBefore) {
  FaultMedium medium;
  const CheckpointOf of{"a job", 1000, 7};
  std::array<std::uint64_t, 3> kept_at{};
  for (std::uint64_t moment = 1; moment < 3; ++moment) {
    std::vector<double> values(1000, static_cast<double>(moment));
    std::array<double, 1> figures{static_cast<double>(moment)};
    ASSERT_TRUE(write_checkpoint(medium, kName, of, {figures, {{values.data(), sizeof(double)}}}));
    kept_at[moment] = medium.position();
  }
  unsigned first = 0;
  unsigned second = 0;
  for (const CrashState& state : medium.crash_states()) {
    if (state.position() < kept_at[1]) continue;
    const std::shared_ptr<Medium> left = state.materialize();
    std::vector<double> values(1000);
    std::array<double, 1> figures{};
    ASSERT_TRUE(read_checkpoint(*left, kName, of, {figures, {{values.data(), sizeof(double)}}})) << state.describe();
    const bool is_first = figures[0] == 1;
    ASSERT_TRUE(is_first || figures[0] == 2);
    ASSERT_EQ(values, std::vector<double>(1000, figures[0])) << state.describe();
    ASSERT_TRUE(state.position() < kept_at[2] || !is_first) << state.describe();
    (is_first ? first : second) += 1;
  }
  EXPECT_GT(first, 0U);
  EXPECT_GT(second, 0U);
}

}  // namespace
}  // namespace rizoma
