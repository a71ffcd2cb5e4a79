// SharedStatus: the first error of many threads.
#pragma once

#include <rizoma/result.h>

#include "platform/mutex.h"

#include <atomic>
#include <utility>

namespace rizoma::bulk {

class SharedStatus {
 public:
  void set(Status status) {
    if (status) return;
    const MutexLock lock(mutex_);
    if (status_) status_ = std::move(status);
    failed_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }
  [[nodiscard]] Status get() const {
    const MutexLock lock(mutex_);
    return status_;
  }

 private:
  mutable Mutex mutex_;
  Status status_ RIZOMA_GUARDED_BY(mutex_);
  std::atomic<bool> failed_{false};
};

}  // namespace rizoma::bulk
