#include "platform/timed_mutex.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace rizoma {
namespace {

TEST(TimedMutex, MayBeDestroyedInAForkedChildWhileAThreadWaitsInTheParent) {
  auto mutex = std::make_unique<TimedMutex>();
  const TimedLock held(*mutex, std::try_to_lock);
  ASSERT_TRUE(held.owns_lock());
  std::atomic<int> looks = 0;
  std::atomic<bool> give_up = false;
  std::thread waiter([&] {
    const auto look = [&] {
      ++looks;
      return give_up.load();
    };
    const TimedLock lock(*mutex, look, std::chrono::milliseconds(1));
    EXPECT_FALSE(lock.owns_lock());
  });
  while (looks < 2) std::this_thread::yield();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // rather than wait for ever
    mutex.reset();
    ::_exit(0);
  }
  give_up = true;
  waiter.join();
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(TimedMutex, IsHeldByOneThreadAtATime) {
  TimedMutex mutex;
  int count = 0;
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) {
      const TimedLock lock(mutex, [] { return false; }, std::chrono::hours(1));
      ++count;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(count, 2000);
}

}  // namespace
}  // namespace rizoma
