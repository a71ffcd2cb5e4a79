#include "platform/background_thread.h"

#include "platform/mutex.h"
#include "platform/process.h"
#include "platform/signals_blocked.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

namespace rizoma {

namespace {

/// Where processors are short, threads that a caller waits for go first: this one gets about a tenth of their share.
/// Its priority is a hint: a system may refuse it.
void yield_to_callers() noexcept {
  constexpr int kNiceness = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
}

}  // namespace

struct BackgroundThread::State {
  Work work;
  std::int64_t process = process_id();
  Mutex mutex{LockLevel::last};
  Condition changed;
  bool woken RIZOMA_GUARDED_BY(mutex) = false;
  bool stopping RIZOMA_GUARDED_BY(mutex) = false;
  Mutex joining{LockLevel::joining};
  std::thread thread RIZOMA_GUARDED_BY(joining);

  void run() {
    yield_to_callers();
    MutexLock lock(mutex);
    while (!stopping) {
      woken = false;
      lock.unlock();
      const std::optional<std::chrono::milliseconds> pause = work();
      lock.lock();
      const auto end = std::chrono::steady_clock::now() + pause.value_or(std::chrono::milliseconds(0));
      bool in_time = true;
      while (!woken && !stopping && in_time) {
        if (pause) {
          in_time = changed.wait_until(lock, end);
        } else {
          changed.wait(lock);
        }
      }
    }
  }
};

BackgroundThread::BackgroundThread(Work work) : state_(std::make_unique<State>()) {
  state_->work = std::move(work);
  const SignalsBlocked blocked;
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

BackgroundThread::~BackgroundThread() {
  if (state_->process != process_id()) {
    (void)state_.release();  // its mutex may be held, and its thread is missing to be joined
    return;
  }
  stop();
}

void BackgroundThread::stop() {
  if (state_->process != process_id()) return;
  {
    const MutexLock guard(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_one();
  const MutexLock joining(state_->joining);
  if (state_->thread.joinable()) state_->thread.join();
}

void BackgroundThread::wake() {
  if (state_->process != process_id()) return;
  {
    const MutexLock guard(state_->mutex);
    state_->woken = true;
  }
  state_->changed.notify_one();
}

}  // namespace rizoma
