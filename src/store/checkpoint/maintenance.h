// Maintenance: the thread that moves logs into sections, who waits for it, and what it ran into.
//
// Without `start` there is no thread, and no caller waits: the store then does the work within a change.
// A failure (a full disk, say) stops no change: changes go on while the log can grow, and the next attempt comes
// a second later.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "platform/background_thread.h"
#include "platform/clock.h"
#include "platform/mutex.h"

#include <atomic>
#include <chrono>
#include <optional>

namespace rizoma {

class Maintenance {
 public:
  static constexpr std::chrono::milliseconds kRetry{1000};
  static constexpr std::chrono::milliseconds kBusy{20};  ///< it is looked again whether the work can be done now

  /// Throws std::system_error if the system gives no more threads.
  void start(BackgroundThread::Work work);
  /// Lets running work end; waiting threads continue.
  void stop();
  [[nodiscard]] bool running() const noexcept { return running_; }

  /// Wakes the thread, once until it has woken (`arrived`).
  void call();
  void arrived() noexcept { called_ = false; }
  /// Whether the thread will wake by itself to sync visible changes that are not durable.
  [[nodiscard]] bool sync_planned() const noexcept { return sync_planned_; }
  void plan_sync(bool planned) noexcept { sync_planned_ = planned; }

  /// Returns once it is enough, which is asked every `pause` at least, or work has failed, or the thread was stopped.
  void wait_for(FunctionRef<bool()> enough, std::chrono::milliseconds pause);
  /// There may be room now.
  void look_again();
  /// The outcome of a checkpoint.
  void note(Status outcome);
  /// Why the last checkpoint failed.
  [[nodiscard]] std::optional<Error> error() const;
  [[nodiscard]] bool failed() const;
  /// False within kRetry of a failure.
  [[nodiscard]] bool may_try() const;

 private:
  std::optional<BackgroundThread> thread_;  ///< made by `start`, and there until the end
  std::atomic<bool> running_{false};
  std::atomic<bool> called_{false};
  std::atomic<bool> sync_planned_{false};

  mutable Mutex mutex_{LockLevel::maintenance};
  Condition changed_;
  bool stopped_ RIZOMA_GUARDED_BY(mutex_) = false;
  std::optional<Error> error_ RIZOMA_GUARDED_BY(mutex_);
  Stopwatch since_error_ RIZOMA_GUARDED_BY(mutex_);
};

}  // namespace rizoma
