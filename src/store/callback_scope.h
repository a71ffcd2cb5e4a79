// CallbackScope: what a store knows of user code (a progress function, a signal handler) that an executor may call
// while its caller holds the store's locks.
//
// That code may read the graph.  What needs a lock is refused to its own thread at once, as it would wait for itself.
// Other threads wait, but not for ever, since the code may be waiting for them: once *one call* of it lasts longer than
// the lock timeout of the store, waiting for a lock of the store ends with an Error (AccessGuard::acquire).  A change
// with a progress function that returns may take as long as it likes.
//
// How.  An Executor does not say when it calls the user's code, but it does so in its own calls only, and not within
// the bodies that it runs.  So WatchedExecutor counts the threads that are at the store's work: its caller's outside of
// the executor's calls, and those in a body.  While there is none, the user's code may be running.
// Cost.  Two atomic operations and a look at the clock for each call and each body.
#pragma once

#include <rizoma/executor.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace rizoma {

/// At most one WatchedExecutor at a time: that of the thread that holds the lock under which it is used.
class CallbackScope {
 public:
  explicit CallbackScope(std::chrono::milliseconds lock_timeout) noexcept
      : lock_timeout_(std::clamp(lock_timeout, std::chrono::milliseconds(0), kLongestLockTimeout)) {}

  [[nodiscard]] bool is_called_by_this_thread() const noexcept { return caller_ == std::this_thread::get_id(); }
  [[nodiscard]] std::chrono::milliseconds lock_timeout() const noexcept { return lock_timeout_; }
  /// Whether one call lasts longer than the lock timeout.
  [[nodiscard]] bool is_overdue() const noexcept;
  /// How often a waiting thread looks whether it is.
  [[nodiscard]] std::chrono::milliseconds pause() const noexcept;

 private:
  friend class WatchedExecutor;
  class Work;
  class Call;

  /// A year; a longer time could overflow the clock's ticks.
  static constexpr std::chrono::milliseconds kLongestLockTimeout = std::chrono::hours(24 * 365);

  const std::chrono::milliseconds lock_timeout_;
  std::atomic<std::thread::id> caller_;
  std::atomic<int> working_{1};         ///< threads at the store's work; one where nothing is called
  std::atomic<std::int64_t> since_{0};  ///< when a thread stopped to be one of them, in ticks of the steady clock
};

/// Marks that the user's executor runs, for other threads to see.  Made by the thread that holds that lock.
class WatchedExecutor final : public Executor {
 public:
  WatchedExecutor(CallbackScope& code, Executor& executor) noexcept;
  WatchedExecutor(const WatchedExecutor&) = delete;
  WatchedExecutor& operator=(const WatchedExecutor&) = delete;
  ~WatchedExecutor() override;

  [[nodiscard]] unsigned threads() const noexcept override { return executor_.threads(); }
  [[nodiscard]] bool stopping() const noexcept override { return executor_.stopping(); }
  Status report(std::string_view phase, double done, double total) override;
  void parallel(FunctionRef<void(unsigned thread)> body) override;
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override;

 private:
  CallbackScope& code_;
  Executor& executor_;
};

}  // namespace rizoma
