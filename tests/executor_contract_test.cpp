// What every Executor promises (include/rizoma/executor.h), run over each implementation.
#include <rizoma/engine.h>
#include <rizoma/executor.h>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace rizoma {
namespace {

struct ExecutorKind {
  std::string name;
  unsigned threads;
  std::function<std::unique_ptr<Executor>()> make;
};

ExecutorKind engine_with(unsigned threads) {
  return {"engine" + std::to_string(threads), threads,
          [threads] { return std::make_unique<Engine>(EngineOptions{.threads = threads}); }};
}

class ExecutorContract : public testing::TestWithParam<ExecutorKind> {
 protected:
  std::unique_ptr<Executor> executor_ = GetParam().make();
};

TEST_P(ExecutorContract, ParallelRunsOnceOnEachThread) {
  EXPECT_EQ(executor_->threads(), GetParam().threads);
  std::vector<int> runs(executor_->threads(), 0);
  executor_->parallel([&](unsigned thread) { ++runs[thread]; });
  EXPECT_EQ(runs, std::vector<int>(executor_->threads(), 1));
}

TEST_P(ExecutorContract, BlocksPartitionTheRange) {
  for (const std::uint64_t size : {0, 1, 63, 64, 65, 1000, 4096}) {
    for (const std::uint64_t grain : {1, 64, 100, 5000}) {
      std::vector<std::atomic<int>> seen(size);
      std::atomic<bool> well_formed{true};
      const Status status = executor_->for_blocks(size, grain, [&](VertexRange block, unsigned thread) {
        const bool whole = block.size() == grain || block.end == size;
        if (block.empty() || block.begin % grain != 0 || !whole || thread >= executor_->threads()) well_formed = false;
        for (VertexId i = block.begin; i < block.end; ++i) seen[i].fetch_add(1);
      });
      EXPECT_TRUE(status);
      EXPECT_TRUE(well_formed) << size << " by " << grain;
      for (const std::atomic<int>& count : seen) ASSERT_EQ(count.load(), 1) << size << " by " << grain;
    }
  }
}

TEST_P(ExecutorContract, ExceptionsReachTheCallerAndDoNoHarm) {
  EXPECT_THROW(executor_->parallel([](unsigned) { throw std::runtime_error("body"); }), std::runtime_error);
  EXPECT_THROW((void)executor_->for_blocks(1000, 10, [](VertexRange, unsigned) { throw std::runtime_error("body"); }),
               std::runtime_error);
  std::atomic<std::uint64_t> items{0};
  EXPECT_TRUE(executor_->for_blocks(1000, 10, [&](VertexRange block, unsigned) { items += block.size(); }));
  EXPECT_EQ(items.load(), 1000u);
}

TEST_P(ExecutorContract, NobodyAskedItToStop) {
  EXPECT_FALSE(executor_->stopping());
  EXPECT_TRUE(executor_->report("phase", 1, 2));
}

INSTANTIATE_TEST_SUITE_P(Executors, ExecutorContract,
                         testing::Values(ExecutorKind{"serial", 1, [] { return std::make_unique<SerialExecutor>(); }},
                                         engine_with(1), engine_with(2), engine_with(5)),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace rizoma
