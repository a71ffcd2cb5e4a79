// TimedMutex: a lock whose waiters can give up.
//
// The lock is a flag under a std::mutex, held only to read or set it.  So a waiter
// sleeps on a condition variable and looks up now and then (std::timed_mutex would do; ThreadSanitizer of gcc 12 does
// not know how it waits by the steady clock).  Locks are values, TimedLock, which a function can return.
// Cost: twice that of a std::mutex.  Platform-free; clang's analysis as for Mutex (mutex.h).
#pragma once

#include <rizoma/detail/function_ref.h>

#include "platform/mutex.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace rizoma {

class RIZOMA_THREADS(capability("mutex")) TimedMutex {
 public:
  explicit TimedMutex(LockLevel level = LockLevel::unordered) : place_(level) {}
  /// A child made by fork lacks the waiting threads: destroying what they wait on would wait for them.
  ~TimedMutex() {
    if (waiting_ > 0) static_cast<void>(freed_.release());
  }
  TimedMutex(const TimedMutex&) = delete;
  TimedMutex& operator=(const TimedMutex&) = delete;

  /// Tells the analysis that this thread holds the lock, which it cannot see; debug builds check it.
  void assume_held() const RIZOMA_THREADS(assert_capability(this)) { RIZOMA_DCHECK(place_.held()); }

 private:
  friend class TimedLock;
  std::mutex mutex_;
  std::unique_ptr<std::condition_variable> freed_ = std::make_unique<std::condition_variable>();
  unsigned waiting_ = 0;
  bool held_ = false;
  [[no_unique_address]] LockPlace place_;
};

/// Holds a TimedMutex, or not (`owns_lock`).  `holds` tells the analysis which lock it is.
class TimedLock {
 public:
  /// Waits until `give_up`, which is asked every `pause`, says not to.
  TimedLock(TimedMutex& mutex, FunctionRef<bool()> give_up, std::chrono::milliseconds pause) {
    mutex.place_.expect_next();
    std::unique_lock guard(mutex.mutex_);
    ++mutex.waiting_;
    bool left = false;
    while (mutex.held_ && !(left = give_up())) mutex.freed_->wait_for(guard, pause);
    --mutex.waiting_;
    if (!left) take(mutex);
  }
  /// Does not wait.
  TimedLock(TimedMutex& mutex, std::try_to_lock_t) {
    const std::lock_guard guard(mutex.mutex_);
    if (!mutex.held_) take(mutex);
  }
  TimedLock(TimedLock&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  TimedLock& operator=(TimedLock&&) = delete;
  ~TimedLock() { release(); }

  [[nodiscard]] bool owns_lock() const noexcept { return of_ != nullptr; }
  void holds(const TimedMutex& mutex) const RIZOMA_THREADS(assert_capability(mutex)) { RIZOMA_CHECK(of_ == &mutex); }
  void unlock(const TimedMutex& mutex) RIZOMA_THREADS(release_capability(mutex))
      RIZOMA_THREADS(no_thread_safety_analysis) {
    RIZOMA_CHECK(of_ == &mutex);
    release();
  }

 private:
  /// For a free lock, under its mutex_.
  void take(TimedMutex& mutex) noexcept {
    mutex.held_ = true;
    of_ = &mutex;
    mutex.place_.note_taken();
  }
  void release() noexcept {
    if (of_ == nullptr) return;
    TimedMutex& mutex = *std::exchange(of_, nullptr);
    mutex.place_.note_released();
    bool awaited = false;
    {
      const std::lock_guard guard(mutex.mutex_);
      mutex.held_ = false;
      awaited = mutex.waiting_ > 0;
    }
    if (awaited) mutex.freed_->notify_one();
  }

  TimedMutex* of_ = nullptr;
};

}  // namespace rizoma
