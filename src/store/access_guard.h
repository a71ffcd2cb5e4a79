// AccessGuard: who may ask something of a store, and how long they wait for its locks.
//
// Only the process that opened it, and not the user's code that the store itself has called (callback_scope.h).
// Whoever waits for a lock whose holder is at the user's code gives up once that is overdue.
#pragma once

#include <rizoma/result.h>

#include "platform/timed_mutex.h"
#include "store/callback_scope.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace rizoma {

/// Any thread.  Outlives the locks that it is asked for.
class AccessGuard {
 public:
  /// `where` is the store, for messages.
  AccessGuard(std::string where, std::chrono::milliseconds lock_timeout);

  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  [[nodiscard]] bool in_own_process() const noexcept;
  /// Errors: closed (a forked child), invalid_argument (the user's code that a change or a renumbering calls).
  Status check() const;
  /// The same for calls that are allowed to user code, too.
  Status check_process() const;

  /// Waits for the writer's lock, or one that is taken before it.  Errors: locked.
  Result<TimedLock> acquire(TimedMutex& mutex) const;
  /// The same for the publisher's lock, under which renumberings call the user's code.
  Result<TimedLock> acquire_publishers(TimedMutex& mutex);
  /// Threads that wait for the publisher's lock.
  [[nodiscard]] bool publisher_awaited() const noexcept { return publisher_awaited_ > 0; }
  /// Whether the user's code keeps others waiting for longer than they have to.
  [[nodiscard]] bool overdue() const noexcept { return changing.is_overdue() || renumbering.is_overdue(); }

  CallbackScope changing;     ///< that runs under the writer's lock
  CallbackScope renumbering;  ///< that runs under the publisher's lock alone

 private:
  [[nodiscard]] Error refused() const;

  const std::string where_;
  const std::int64_t process_;  ///< that opened the store
  std::atomic<int> publisher_awaited_{0};
};

}  // namespace rizoma
