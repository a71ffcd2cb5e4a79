#include "store/reorder/reordering.h"

#include <string>
#include <utility>

namespace rizoma {

void Reordering::run(const BackgroundThread::Work& work) {
  if (stopping_) return;
  if (thread_) {
    thread_->wake();
  } else {
    thread_.emplace(work);
  }
}

void Reordering::stop() {
  stopping_ = true;
  if (thread_) thread_->stop();
}

std::chrono::milliseconds Reordering::idle() const noexcept {
  const std::chrono::steady_clock::duration passed(now() - changed_);
  return std::chrono::duration_cast<std::chrono::milliseconds>(passed);
}

void Reordering::renewed() {
  const MutexLock guard(mutex_);
  state_.unfinished = 0;
  since_last_.restart();
}

void Reordering::began() {
  const MutexLock guard(mutex_);
  state_.running = true;
  state_.phase.clear();
  state_.progress = 0;
}

void Reordering::progressed(std::string_view phase, double share) {
  const MutexLock guard(mutex_);
  state_.phase = phase;
  state_.progress = share;
}

void Reordering::ended(const Status& outcome, bool made) {
  std::string error = outcome ? std::string() : outcome.error().message;
  const MutexLock guard(mutex_);
  state_.running = false;
  state_.done += made ? 1 : 0;
  state_.unfinished = outcome ? 0 : state_.unfinished + 1;
  state_.error = std::move(error);
  since_last_.restart();
}

bool Reordering::running() const {
  const MutexLock guard(mutex_);
  return state_.running;
}

Reordering::State Reordering::state() const {
  const MutexLock guard(mutex_);
  State state = state_;
  state.since_last =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(since_last_.seconds()));
  return state;
}

}  // namespace rizoma
