// ReorderThread: the thread in which a store gives itself its inner order again, and how far it is.  When:
// reordering_policy.h; the work: reorderer.h.
//
// The thread is made when it is needed first: few stores ever do.  It is not the one of Maintenance, which keeps the
// delay of Durability::group.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "platform/background_thread.h"
#include "platform/clock.h"
#include "platform/mutex.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rizoma {

class ReorderThread {
 public:
  struct State {
    bool running = false;
    std::string phase;
    double progress = 0;  ///< of the phase
    std::uint64_t done = 0;
    unsigned unfinished = 0;                  ///< in a row
    std::chrono::milliseconds since_last{0};  ///< since it ended, or the store was opened
    std::string error;                        ///< of the last one, if it did not finish
  };

  /// Makes the thread run the work, which it keeps, once more.  Throws std::system_error if no thread can start. For
  /// one thread only.
  void run(const BackgroundThread::Work& work);
  /// Asks running work to stop, and returns once it has; no work runs afterwards.
  void stop();
  [[nodiscard]] bool stopping() const noexcept { return stopping_; }

  /// A change was made just now.
  void note_change() noexcept { changed_ = now(); }
  [[nodiscard]] std::chrono::milliseconds idle() const noexcept;

  /// Whether the thread of Checkpointer will check by itself whether it is time.
  [[nodiscard]] bool look_planned() const noexcept { return look_planned_; }
  void plan_look(bool planned) noexcept { look_planned_ = planned; }

  /// The order is new: by this thread, or by a call.
  void renewed();

  void began();
  void progressed(std::string_view phase, double share);
  /// `made`: there is a new order.
  void ended(const Status& outcome, bool made);
  [[nodiscard]] bool running() const;
  [[nodiscard]] State state() const;

 private:
  using Ticks = std::chrono::steady_clock::rep;
  static Ticks now() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }

  std::optional<BackgroundThread> thread_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> look_planned_{false};
  std::atomic<Ticks> changed_{now()};

  mutable Mutex mutex_{LockLevel::last};
  State state_ RIZOMA_GUARDED_BY(mutex_);
  Stopwatch since_last_ RIZOMA_GUARDED_BY(mutex_);
};

}  // namespace rizoma
