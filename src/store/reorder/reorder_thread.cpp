#include "store/reorder/reorder_thread.h"

#include <string>
#include <utility>

namespace rizoma {

void ReorderThread::run(const BackgroundThread::Work& work) {
  if (stopping_) return;
  if (thread_) {
    thread_->wake();
  } else {
    thread_.emplace(work);
  }
}

void ReorderThread::stop() {
  stopping_ = true;
  if (thread_) thread_->stop();
}

std::chrono::milliseconds ReorderThread::idle() const noexcept {
  const std::chrono::steady_clock::duration passed(now() - changed_);
  return std::chrono::duration_cast<std::chrono::milliseconds>(passed);
}

void ReorderThread::renewed() {
  const MutexLock guard(mutex_);
  state_.unfinished = 0;
  since_last_.restart();
}

void ReorderThread::began() {
  const MutexLock guard(mutex_);
  state_.running = true;
  state_.phase.clear();
  state_.progress = 0;
}

void ReorderThread::progressed(std::string_view phase, double share) {
  const MutexLock guard(mutex_);
  state_.phase = phase;
  state_.progress = share;
}

void ReorderThread::ended(const Status& outcome, bool made) {
  std::string error = outcome ? std::string() : outcome.error().message;
  const MutexLock guard(mutex_);
  state_.running = false;
  state_.done += made ? 1 : 0;
  state_.unfinished = outcome ? 0 : state_.unfinished + 1;
  state_.error = std::move(error);
  since_last_.restart();
}

bool ReorderThread::running() const {
  const MutexLock guard(mutex_);
  return state_.running;
}

ReorderThread::State ReorderThread::state() const {
  const MutexLock guard(mutex_);
  State state = state_;
  state.since_last =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(since_last_.seconds()));
  return state;
}

}  // namespace rizoma
