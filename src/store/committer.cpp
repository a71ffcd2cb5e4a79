#include "store/committer.h"

#include "base/check.h"

#include <algorithm>
#include <new>
#include <utility>

namespace rizoma {

Status Committer::enqueue(Batch& batch) {
  const std::lock_guard guard(mutex_);
  if (failure_) return *failure_;
  queue_.push_back(&batch);
  return {};
}

void Committer::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !leading_ && applied_ == groups_; });
}

std::optional<VertexId> Committer::take_failure() {
  const std::lock_guard guard(mutex_);
  if (!failure_) return std::nullopt;
  failure_.reset();
  return vertices_left_;
}

void Committer::set_log(std::unique_ptr<Log> log, std::uint64_t earlier) {
  log_ = std::move(log);
  earlier_ = earlier;
  end_ = log_ ? log_->end() : 0;
}

Status Committer::wait(Batch& batch) {
  std::unique_lock lock(mutex_);
  while (!batch.done_) {
    if (leading_ || queue_.empty()) {
      changed_.wait(lock);
    } else {
      lead(lock);
    }
  }
  return batch.status_;
}

Status Committer::health() const {
  const std::lock_guard guard(mutex_);
  if (for_good_) return *for_good_;
  return {};
}

void Committer::fail_for_good(Error error) {
  const std::lock_guard guard(mutex_);
  if (for_good_) return;
  for_good_ = Error{error.code, "no more changes can be made until the graph at " + where_ +
                                    " is opened anew: " + std::move(error.message)};
}

std::optional<double> Committer::unsynced_seconds() const {
  const std::lock_guard guard(mutex_);
  if (!unsynced_) return std::nullopt;
  return unsynced_->seconds();
}

void Committer::lead(std::unique_lock<std::mutex>& lock) {
  leading_ = true;
  std::vector<Batch*> group = std::exchange(queue_, {});
  const std::uint64_t turn = groups_++;
  lock.unlock();
  const Status status = write(group);
  lock.lock();
  if (!status) note_failure(group, status);
  leading_ = false;
  changed_.notify_all();
  changed_.wait(lock, [&] { return applied_ == turn; });
  if (status) {
    lock.unlock();
    apply(group);
    lock.lock();
  }
  ++applied_;
  finish(group, status);
  changed_.notify_all();
}

Status Committer::write(const std::vector<Batch*>& group) {
  if (Status healthy = health(); !healthy) return healthy;
  bool sync = durability_ == Durability::always;
  try {
    payloads_.clear();
    for (const Batch* batch : group) {
      sync |= batch->sync;
      if (!batch->payload.empty()) payloads_.push_back(batch->payload);
    }
    Status appended;
    if (!payloads_.empty()) appended = log_->append(payloads_);
    if (!appended) {
      if (const Status taken = log_->take_back(); !taken) fail_for_good(taken.error());
      return Error{appended.error().code, "the change was not made: " + appended.error().message};
    }
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, "the change was not made: not enough memory for its record in the log"};
  }
  end_ = log_->end();
  if (!log_->synced() && sync) return sync_log();
  const std::lock_guard guard(mutex_);
  if (!log_->synced() && !unsynced_) unsynced_.emplace();
  return {};
}

Status Committer::sync_log() {
  const Status synced = log_->sync();
  if (synced) {
    const std::lock_guard guard(mutex_);
    unsynced_.reset();
    return {};
  }
  fail_for_good(synced.error());
  return Error{synced.error().code, "the change may not be durable, and " + health().error().message};
}

/// The batches are in the log: what cannot be made visible now will be by the next open.
void Committer::apply(const std::vector<Batch*>& group) {
  try {
    for (const Batch* batch : group) {
      if (!batch->payload.empty()) batch->apply();
    }
  } catch (const std::bad_alloc&) {
    fail_for_good({ErrorCode::out_of_memory, "not enough memory to show changes that are in the log"});
  }
}

void Committer::finish(const std::vector<Batch*>& group, const Status& status) {
  for (Batch* batch : group) {
    batch->status_ = status;
    batch->done_ = true;
  }
}

/// What was enqueued behind the failed batches was prepared against them: it fails with them.
void Committer::note_failure(const std::vector<Batch*>& group, const Status& status) {
  finish(queue_, status);
  queue_.clear();
  if (!failure_) vertices_left_ = group.front()->vertices_before;
  failure_ = status.error();
}

}  // namespace rizoma
