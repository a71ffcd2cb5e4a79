#include "query/run/row_worker.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace rizoma::query {
namespace {

/// Is told to stop while it reads.
struct Stopped {
  bool work(Engine& engine, MatchRows&, std::size_t, int) {
    engine.request_stop();
    return false;
  }
};

TEST(RowWorker, AStopIsTheErrorOfTheCallThatItMeets) {
  Engine engine({.threads = 2});
  std::vector<std::unique_ptr<Stopped>> workers;
  workers.push_back(std::make_unique<Stopped>());
  std::vector<MatchRows> found;
  const RowColumns wanted;
  const auto left = read_side_by_side(engine, workers, wanted, 10, 0, found);
  ASSERT_FALSE(left);
  EXPECT_EQ(left.error().code, ErrorCode::cancelled);
  int blocks = 0;
  EXPECT_TRUE(engine.for_blocks(1, 1, [&](VertexRange, unsigned) { ++blocks; })) << "the next loop is not stopped";
  EXPECT_EQ(blocks, 1);
}

}  // namespace
}  // namespace rizoma::query
