#include "store/checkpoint/maintenance.h"

#include <utility>

namespace rizoma {

void Maintenance::start(BackgroundThread::Work work) {
  running_ = true;  // the work may ask
  thread_.emplace(std::move(work));
}

void Maintenance::stop() {
  {
    const MutexLock guard(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (thread_) thread_->stop();
  running_ = false;
}

void Maintenance::call() {
  if (thread_ && !called_.exchange(true)) thread_->wake();
}

void Maintenance::wait_for(FunctionRef<bool()> enough, std::chrono::milliseconds pause) {
  MutexLock lock(mutex_);
  while (!stopped_ && !error_ && !enough()) {
    static_cast<void>(changed_.wait_until(lock, std::chrono::steady_clock::now() + pause));
  }
}

void Maintenance::look_again() {
  const MutexLock guard(mutex_);
  changed_.notify_all();
}

void Maintenance::note(Status outcome) {
  {
    const MutexLock guard(mutex_);
    error_.reset();
    if (!outcome) error_ = std::move(outcome).error();
    since_error_.restart();
  }
  changed_.notify_all();
}

bool Maintenance::failed() const {
  const MutexLock guard(mutex_);
  return error_.has_value();
}

std::optional<Error> Maintenance::error() const {
  const MutexLock guard(mutex_);
  return error_;
}

bool Maintenance::may_try() const {
  const MutexLock guard(mutex_);
  return !error_ || since_error_.seconds() >= std::chrono::duration<double>(kRetry).count();
}

}  // namespace rizoma
