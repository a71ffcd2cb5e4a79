// BackgroundThread: runs when woken and when it asked to, and ends with the work that is running.
#include "platform/background_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace rizoma {
namespace {

using std::chrono::milliseconds;

/// Counts runs, for others to wait for.
class Runs {
 public:
  void add() {
    const std::lock_guard guard(mutex_);
    ++count_;
    changed_.notify_all();
  }
  void wait_for(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

TEST(BackgroundThread, RunsAtOnceAndWhenWoken) {
  Runs runs;
  BackgroundThread thread([&]() -> std::optional<milliseconds> {
    runs.add();
    return std::nullopt;
  });
  runs.wait_for(1);
  thread.wake();
  runs.wait_for(2);
}

TEST(BackgroundThread, ComesAgainWhenItAskedTo) {
  Runs runs;
  BackgroundThread thread([&]() -> std::optional<milliseconds> {
    runs.add();
    return milliseconds(1);
  });
  runs.wait_for(3);
}

TEST(BackgroundThread, NothingRunsAfterStop) {
  std::atomic<int> count{0};
  BackgroundThread thread([&]() -> std::optional<milliseconds> {
    ++count;
    return std::nullopt;
  });
  thread.stop();
  const int before = count;
  thread.wake();
  thread.stop();
  EXPECT_EQ(count, before);
}

}  // namespace
}  // namespace rizoma
