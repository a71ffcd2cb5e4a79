#include "store/access_guard.h"

#include "platform/process.h"

#include <utility>

namespace rizoma {

AccessGuard::AccessGuard(std::string where, std::chrono::milliseconds lock_timeout)
    : changing(lock_timeout), renumbering(lock_timeout), where_(std::move(where)), process_(process_id()) {}

bool AccessGuard::in_own_process() const noexcept { return process_id() == process_; }

Status AccessGuard::check() const {
  if (changing.is_called_by_this_thread() || renumbering.is_called_by_this_thread()) {
    return Error{ErrorCode::invalid_argument, "the graph at " + where_ +
                                                  " cannot be changed, flushed or closed from a progress function or "
                                                  "signal handler of a change to it; do it after the change"};
  }
  return check_process();
}

Status AccessGuard::check_process() const {
  if (in_own_process()) return {};
  return Error{ErrorCode::closed,
               "the graph at " + where_ + " belongs to process " + std::to_string(process_) +
                   ", from which this one was forked; open it again here, for reading only while it is open there"};
}

Result<TimedLock> AccessGuard::acquire(TimedMutex& mutex) const {
  const auto give_up = [this] { return changing.is_overdue(); };
  TimedLock lock(mutex, give_up, changing.pause());
  if (lock.owns_lock()) return lock;
  return refused();
}

Result<TimedLock> AccessGuard::acquire_publishers(TimedMutex& mutex) {
  const auto give_up = [this] { return overdue(); };
  ++publisher_awaited_;
  TimedLock lock(mutex, give_up, changing.pause());
  --publisher_awaited_;
  if (lock.owns_lock()) return lock;
  return refused();
}

Error AccessGuard::refused() const {
  return {
      ErrorCode::locked,
      "the graph at " + where_ +
          " is being changed by another thread, whose progress function or signal handler has not returned "
          "for more than " +
          std::to_string(changing.lock_timeout().count()) +
          " ms; nothing was done. Retry when it has returned, and do not let it wait for a thread that uses the graph"};
}

}  // namespace rizoma
