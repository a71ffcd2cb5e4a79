#include "ingest/ordered_pipeline.h"

#include "platform/pool_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

std::atomic<int> buffers = 0;

struct Buffer {
  Buffer() { ++buffers; }
  ~Buffer() { --buffers; }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
};

struct BufferOfPiece {
  std::unique_ptr<Buffer> buffer;
  int number = 0;
  void recycle() { number = 0; }
};

TEST(OrderedPipeline, KeepsNoMoreThanOneSpareOutputAThread) {
  constexpr unsigned kThreads = 4;
  constexpr int kPieces = 2 * kThreads + 1;  // as many as may wait for the first one
  PoolExecutor executor(kThreads);
  int taken = 0;
  std::atomic<int> transformed = 0;
  std::vector<int> delivered;
  auto next = [&](int& input) -> Result<bool> {
    input = taken;
    return taken++ < kPieces;
  };
  auto transform = [&](int& input, BufferOfPiece& output) -> Status {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (input == 0 && transformed < kPieces - 1 && std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    if (!output.buffer) output.buffer = std::make_unique<Buffer>();
    output.number = input;
    ++transformed;
    return {};
  };
  auto deliver = [&](BufferOfPiece&& output) -> Status {
    delivered.push_back(output.number);
    return {};
  };
  {
    OrderedPipeline<int, BufferOfPiece, decltype(next), decltype(transform), decltype(deliver)> pipeline(
        executor, next, transform, deliver);
    ASSERT_TRUE(pipeline.run("pieces", [] { return 0.0; }, 0));
    EXPECT_EQ(delivered, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_GE(buffers, 1);
    EXPECT_LE(buffers, static_cast<int>(kThreads));
  }
  EXPECT_EQ(buffers, 0);
}

}  // namespace
}  // namespace rizoma
