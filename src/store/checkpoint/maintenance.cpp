#include "store/checkpoint/maintenance.h"

#include "base/check.h"
#include "store/publishing/publisher.h"

#include <algorithm>
#include <new>
#include <utility>

namespace rizoma {
namespace {

/// How much of the delay is left for what has been visible and not durable for so many seconds; none is late.
std::chrono::milliseconds left_of(std::chrono::milliseconds delay, std::optional<double> unsynced) {
  const std::chrono::duration<double> passed(unsynced.value_or(0));
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(delay - passed), std::chrono::milliseconds(1));
}

}  // namespace

// ---- Maintenance ----

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

// ---- Publisher: when its log is moved ----

void Publisher::start_maintenance() {
  if (!options_.background) return;
  maintenance_->start([this] { return maintain(); });
  if (reordering_wants_a_look()) maintenance_->call();
}

bool Publisher::checkpoint_due() const {
  return writer_.committer().log_bytes() > (maintenance_->running() ? options_.log_limit / 2 : retry_at_.load());
}

/// Back-pressure: keeps the log, and with it the time of the next open, within its limit.
void Publisher::wait_for_room() {
  const auto room = [&] { return writer_.committer().log_bytes() <= options_.log_limit; };
  if (!maintenance_->running() || room()) return;
  maintenance_->call();
  // What makes room may have to wait for the user's code, which may be waiting for this.
  maintenance_->wait_for([&] { return room() || access_.overdue(); }, access_.changing.pause());
}

void Publisher::after_change(bool had_effect) {
  if (had_effect) reordering_->note_change();
  if (maintenance_->running()) {
    const bool sync = options_.durability == Durability::group && !maintenance_->sync_planned();
    if (sync || (checkpoint_due() && maintenance_->may_try()) || reordering_wants_a_look()) maintenance_->call();
    return;
  }
  flush_if_late();
  checkpoint_if_due();
}

/// Without a thread.
void Publisher::checkpoint_if_due() {
  if (!checkpoint_due()) return;
  const TimedLock maintenance(mutex, std::try_to_lock);
  if (!maintenance.owns_lock()) return;  // somebody is at it
  maintenance.holds(mutex);
  retry_at_ = checkpoint_unasked() ? options_.log_limit : writer_.committer().log_bytes() + options_.log_limit;
}

/// Under Durability::group, once the delay is over.
void Publisher::flush_if_late() noexcept {
  const auto unsynced = writer_.committer().unsynced_seconds();
  if (options_.durability != Durability::group || !unsynced || *unsynced < group_seconds()) return;
  try {
    static_cast<void>(writer_.flush());  // its failure ends all changing, and the next change says so
  } catch (const std::bad_alloc&) {      // nothing was begun; it is still late, and tried again
  }
}

/// The changes before it are made whatever becomes of the checkpoint, so its errors wait: `info` has
/// them, and they come again at the next explicit checkpoint or at close.
bool Publisher::checkpoint_unasked() noexcept {
  Status status;
  try {
    status = checkpoint_now(options_.rewrite_percent);
  } catch (const std::bad_alloc&) {
    status = Error{ErrorCode::out_of_memory, "out of memory"};  // short enough to need none
  } catch (const InternalError& bug) {  // nothing wrong was written; on this thread nobody could catch it
    status = Error{ErrorCode::corrupt, bug.what()};
  }
  const bool done = status.ok();
  maintenance_->note(std::move(status));
  return done;
}

/// False if somebody else is at it, perhaps for long: what is to be durable in time does not wait for that.
bool Publisher::checkpoint_in_background() noexcept {
  const TimedLock maintenance(mutex, std::try_to_lock);
  if (!maintenance.owns_lock()) return false;
  maintenance.holds(mutex);
  checkpoint_unasked();
  return true;
}

double Publisher::group_seconds() const { return std::chrono::duration<double>(options_.group_delay).count(); }

/// In the thread; returns when to come again.
std::optional<std::chrono::milliseconds> Publisher::maintain() {
  maintenance_->arrived();
  std::optional<std::chrono::milliseconds> pause;
  if (options_.durability == Durability::group) {
    maintenance_->plan_sync(false);  // before looking: a change that comes later calls
    const bool unsynced = writer_.committer().unsynced_seconds() && writer_.committer().healthy();
    flush_if_late();
    maintenance_->plan_sync(unsynced);
    if (unsynced) pause = left_of(options_.group_delay, writer_.committer().unsynced_seconds());
  }
  if (checkpoint_due() && maintenance_->may_try() && !checkpoint_in_background()) {
    pause = std::min(pause.value_or(Maintenance::kBusy), Maintenance::kBusy);
  }
  if (const auto again = look_at_order()) pause = std::min(pause.value_or(*again), *again);
  maintenance_->look_again();  // a compaction, too, makes room
  if (maintenance_->failed()) pause = std::min(pause.value_or(Maintenance::kRetry), Maintenance::kRetry);
  return pause;
}

}  // namespace rizoma
