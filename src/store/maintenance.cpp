#include "store/maintenance.h"

#include "store/store.h"

#include <algorithm>
#include <utility>

namespace rizoma {

// ---- Maintenance ----

void Maintenance::start(BackgroundThread::Work work) {
  running_ = true;  // the work may ask
  thread_.emplace(std::move(work));
}

void Maintenance::stop() {
  {
    const std::lock_guard guard(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (thread_) thread_->stop();
}

void Maintenance::call() {
  if (thread_ && !called_.exchange(true)) thread_->wake();
}

void Maintenance::wait_for(FunctionRef<bool()> room) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || error_ || room(); });
}

void Maintenance::look_again() {
  const std::lock_guard guard(mutex_);
  changed_.notify_all();
}

void Maintenance::note(const Status& outcome) {
  {
    const std::lock_guard guard(mutex_);
    error_.reset();
    if (!outcome) error_ = outcome.error();
    since_error_.restart();
  }
  changed_.notify_all();
}

std::optional<Error> Maintenance::error() const {
  const std::lock_guard guard(mutex_);
  return error_;
}

bool Maintenance::may_try() const {
  const std::lock_guard guard(mutex_);
  return !error_ || since_error_.seconds() >= std::chrono::duration<double>(kRetry).count();
}

// ---- Store: when its log is moved ----

void Store::start_maintenance() {
  if (options_.background) maintenance_->start([this] { return maintain(); });
}

bool Store::checkpoint_due() const {
  return committer_->log_bytes() > (maintenance_->running() ? options_.log_limit / 2 : retry_at_.load());
}

/// Back-pressure: keeps the log, and with it the time of the next open, within its limit.
void Store::wait_for_room() {
  const auto room = [&] { return committer_->log_bytes() <= options_.log_limit; };
  if (!maintenance_->running() || room()) return;
  maintenance_->call();
  maintenance_->wait_for(room);
}

/// The change is durable whatever becomes of the checkpoint, so the errors of that wait: `info` has
/// them, and they come again at the next explicit checkpoint or at close.
void Store::after_change() {
  if (maintenance_->running()) {
    const bool sync = options_.durability == Durability::group && !maintenance_->sync_planned();
    if (sync || (checkpoint_due() && maintenance_->may_try())) maintenance_->call();
    return;
  }
  const auto unsynced = committer_->unsynced_seconds();
  if (options_.durability == Durability::group && unsynced && *unsynced >= group_seconds()) {
    static_cast<void>(flush());  // its failure ends all changing, and the next change says so
  }
  if (!checkpoint_due()) return;
  const std::unique_lock maintenance(maintenance_mutex_, std::try_to_lock);
  if (!maintenance) return;  // somebody is at it
  maintenance_->note(checkpoint_now(options_.rewrite_percent));
  retry_at_ = maintenance_->error() ? committer_->log_bytes() + options_.log_limit : options_.log_limit;
}

double Store::group_seconds() const { return std::chrono::duration<double>(options_.group_delay).count(); }

/// In the thread; returns when to come again.
std::optional<std::chrono::milliseconds> Store::maintain() {
  maintenance_->arrived();
  std::optional<std::chrono::milliseconds> pause;
  if (options_.durability == Durability::group) {
    maintenance_->plan_sync(false);  // before looking: a change that comes later calls
    const auto unsynced = committer_->unsynced_seconds();
    if (unsynced && *unsynced >= group_seconds()) static_cast<void>(flush());  // as in after_change
    maintenance_->plan_sync(unsynced.has_value());
    if (unsynced) pause = options_.group_delay;
  }
  if (checkpoint_due() && maintenance_->may_try()) {
    const std::lock_guard maintenance(maintenance_mutex_);
    maintenance_->note(checkpoint_now(options_.rewrite_percent));
  }
  maintenance_->look_again();  // a compaction, too, makes room
  if (maintenance_->error()) pause = std::min(pause.value_or(Maintenance::kRetry), Maintenance::kRetry);
  return pause;
}

}  // namespace rizoma
