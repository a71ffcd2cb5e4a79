#include "platform/thread_pool.h"

#include "base/check.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

namespace rizoma {
namespace {

class ThreadPoolOf : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolOf, testing::Values(1u, 2u, 3u, 16u));

TEST_P(ThreadPoolOf, RunsTheBodyOnceOnEachThread) {
  ThreadPool pool(GetParam());
  ASSERT_EQ(pool.threads(), GetParam());
  std::vector<int> runs(GetParam(), 0);  // plain ints: each is one thread's own
  const int rounds = 500;
  for (int i = 0; i < rounds; ++i) {
    pool.run([&](unsigned thread) { ++runs[thread]; });
  }
  EXPECT_EQ(runs, std::vector<int>(GetParam(), rounds));
}

TEST_P(ThreadPoolOf, WakesThreadsThatHaveFallenAsleep) {
  ThreadPool pool(GetParam());
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<unsigned> runs{0};
    pool.run([&](unsigned) { runs.fetch_add(1); });
    EXPECT_EQ(runs.load(), GetParam());
  }
}

TEST_P(ThreadPoolOf, RethrowsAnExceptionAfterAllThreadsAreDone) {
  ThreadPool pool(GetParam());
  std::atomic<unsigned> runs{0};
  const auto body = [&](unsigned thread) {
    runs.fetch_add(1);
    if (thread == pool.threads() - 1) throw std::runtime_error("from the last thread");
  };
  EXPECT_THROW(pool.run(body), std::runtime_error);
  EXPECT_EQ(runs.load(), GetParam());
  pool.run([&](unsigned) { runs.fetch_add(1); });  // the pool lives on
  EXPECT_EQ(runs.load(), 2 * GetParam());
}

TEST_P(ThreadPoolOf, PollsWhileItWaitsForTheOthers) {
  ThreadPool pool(GetParam());
  for (int i = 0; i < 3; ++i) {
    std::atomic<int> polls{0};
    const auto poll = [&] { polls.fetch_add(1); };
    pool.run(
        [&](unsigned thread) {
          while (thread != 0 && polls.load() < 2) std::this_thread::yield();
        },
        {poll, 0.001});
    EXPECT_EQ(polls.load() >= 2, pool.threads() > 1);
  }
}

TEST_P(ThreadPoolOf, RethrowsWhatPollingThrewAfterAllThreadsAreDone) {
  if (GetParam() == 1) GTEST_SKIP() << "no thread to wait for";
  ThreadPool pool(GetParam());
  std::atomic<bool> polled{false};
  std::atomic<unsigned> runs{0};
  const auto body = [&](unsigned thread) {
    while (thread != 0 && !polled.load()) std::this_thread::yield();
    runs.fetch_add(1);
  };
  const auto poll = [&] {
    polled.store(true);
    throw std::runtime_error("from polling");
  };
  EXPECT_THROW(pool.run(body, {poll, 0.001}), std::runtime_error);
  EXPECT_EQ(runs.load(), GetParam());
  polled = true;
  pool.run(body);  // the pool lives on
  EXPECT_EQ(runs.load(), 2 * GetParam());
}

TEST(ThreadPool, TheCallerIsThreadZero) {
  ThreadPool pool(2);
  std::vector<std::thread::id> ids(2);
  pool.run([&](unsigned thread) { ids[thread] = std::this_thread::get_id(); });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_NE(ids[1], ids[0]);
}

TEST(ThreadPool, ARunWithinARunIsRefused) {
  ThreadPool pool(1);
  EXPECT_THROW(pool.run([&](unsigned) { pool.run([](unsigned) {}); }), InternalError);
}

TEST(ThreadPool, BindsThreadsToTheirProcessors) {
  const std::vector<unsigned> processors = usable_processors();
  ThreadPool pool(3, {processors.back()});
  std::vector<std::vector<unsigned>> seen(3);
  pool.run([&](unsigned thread) { seen[thread] = usable_processors(); });
  for (const auto& of_thread : seen) EXPECT_EQ(of_thread, std::vector<unsigned>{processors.back()});
}

TEST(ThreadPool, BindsTheCallerWhileItRunsOnly) {
  const std::vector<unsigned> before = usable_processors();
  ThreadPool pool(2, {before.back(), before.front()});
  for (int round = 0; round < 3; ++round) {
    pool.run([&](unsigned thread) {
      if (thread == 0) {
        EXPECT_EQ(usable_processors(), std::vector<unsigned>{before.back()});
      }
    });
    EXPECT_EQ(usable_processors(), before);
  }
  EXPECT_THROW(pool.run([](unsigned thread) {
    if (thread == 0) throw std::runtime_error("x");
  }),
               std::runtime_error);
  EXPECT_EQ(usable_processors(), before);
}

TEST(ThreadPool, WorkersLeaveSignalsToTheCaller) {
  ThreadPool pool(2);
  std::vector<int> blocked(2, -1);
  pool.run([&](unsigned thread) {
    sigset_t set;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &set);
    blocked[thread] = ::sigismember(&set, SIGINT);
  });
  EXPECT_EQ(blocked, (std::vector<int>{0, 1}));
}

#if !defined(__SANITIZE_THREAD__)  // TSan ends a child of a process with threads that starts more
TEST(ThreadPool, WorksInAForkedChild) {
  ThreadPool pool(3);
  pool.run([](unsigned) {});
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::atomic<unsigned> runs{0};
    pool.run([&](unsigned) { runs.fetch_add(1); });
    ::_exit(runs.load() == 3 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::atomic<unsigned> runs{0};
  pool.run([&](unsigned) { runs.fetch_add(1); });
  EXPECT_EQ(runs.load(), 3u);
}
#endif

}  // namespace
}  // namespace rizoma
