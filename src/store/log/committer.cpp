#include "store/log/committer.h"

#include "base/check.h"

#include <algorithm>
#include <new>
#include <utility>

namespace rizoma {

Committer::Committer(Durability durability, std::string where)
    : durability_(durability),
      where_(std::move(where)),
      no_memory_(std::make_shared<const Error>(
          Error{ErrorCode::out_of_memory,
                "memory ran out during changes: they may not be durable, and no more can be made until the graph at " +
                    where_ + " is opened again"})) {}

Status Committer::enqueue(Batch& batch) {
  const MutexLock guard(mutex_);
  if (failure_) return *failure_;
  queue_.push_back(&batch);
  return {};
}

void Committer::drain() {
  MutexLock lock(mutex_);
  while (!queue_.empty() || leading_ || applied_ != groups_) changed_.wait(lock);
}

std::optional<VertexId> Committer::take_failure() {
  const MutexLock guard(mutex_);
  if (!failure_) return std::nullopt;
  failure_ = nullptr;
  return vertices_left_;
}

void Committer::set_log(std::unique_ptr<Log> log, std::uint64_t earlier) {
  log_ = std::move(log);
  earlier_ = earlier;
  end_ = log_ ? log_->end() : 0;
  const MutexLock guard(mutex_);
  unsynced_.reset();
}

Status Committer::wait(Batch& batch) {
  MutexLock lock(mutex_);
  while (!batch.done_) {
    if (leading_ || queue_.empty()) {
      changed_.wait(lock);
    } else {
      lead(lock);
    }
  }
  if (batch.failure_) return *batch.failure_;
  return {};
}

Status Committer::health() const {
  const MutexLock guard(mutex_);
  if (for_good_) return *for_good_;
  return {};
}

void Committer::fail_for_good(const Error& error) {
  auto failure = std::make_shared<const Error>(Error{
      error.code, "no more changes can be made until the graph at " + where_ + " is opened again: " + error.message});
  const MutexLock guard(mutex_);
  if (!for_good_) for_good_ = std::move(failure);
}

void Committer::fail_for_good() noexcept {
  const MutexLock guard(mutex_);
  if (!for_good_) for_good_ = no_memory_;
}

bool Committer::healthy() const noexcept {
  const MutexLock guard(mutex_);
  return for_good_ == nullptr;
}

Status Committer::lost() const {
  const MutexLock guard(mutex_);
  if (!for_good_ || !unsynced_) return {};
  return Error{for_good_->code, "the last changes may not be durable: " + for_good_->message};
}

std::optional<double> Committer::unsynced_seconds() const {
  const MutexLock guard(mutex_);
  if (!unsynced_) return std::nullopt;
  return unsynced_->seconds();
}

/// The lock is released meanwhile; the code that then runs throws nothing.
void Committer::lead(MutexLock& lock) {
  leading_ = true;
  const std::vector<Batch*> group = std::exchange(queue_, {});
  const std::uint64_t turn = groups_++;
  mutex_.unlock();
  const Failure failure = write(group);
  mutex_.lock();
  if (failure) note_failure(group, failure);
  leading_ = false;
  changed_.notify_all();
  while (applied_ != turn) changed_.wait(lock);
  if (!failure) {
    mutex_.unlock();
    apply(group);
    mutex_.lock();
  }
  ++applied_;
  finish(group, failure);
  changed_.notify_all();
}

Committer::Failure Committer::write(const std::vector<Batch*>& group) noexcept {
  try {
    if (Status status = append_and_sync(group); !status)
      return std::make_shared<const Error>(std::move(status).error());
    return nullptr;
  } catch (const std::bad_alloc&) {
    fail_for_good();
    return no_memory_;
  } catch (const InternalError& bug) {  // a check before writing failed; others of the group wait for an answer
    const Error error{ErrorCode::corrupt, bug.what()};
    fail_for_good(error);
    return std::make_shared<const Error>(error);
  }
}

Status Committer::append_and_sync(const std::vector<Batch*>& group) {
  RIZOMA_TRY(health());
  RIZOMA_TRY(append(group));
  end_ = log_->end();
  const bool sync = durability_ == Durability::always ||
                    std::any_of(group.begin(), group.end(), [](const Batch* batch) { return batch->sync; });
  if (!log_->synced() && sync) return sync_log();
  const MutexLock guard(mutex_);
  if (log_->synced()) {
    unsynced_.reset();  // a failed append was taken back
  } else if (!unsynced_) {
    unsynced_.emplace();
  }
  return {};
}

/// The records of the group are either all in the log or leave no trace there.
Status Committer::append(const std::vector<Batch*>& group) {
  Status appended;
  try {
    payloads_.clear();
    for (const Batch* batch : group) {
      if (!batch->payload.empty()) payloads_.push_back(batch->payload);
    }
    if (!payloads_.empty()) appended = log_->append(payloads_);
  } catch (const std::bad_alloc&) {
    appended = Error{ErrorCode::out_of_memory, "not enough memory for its record in the log"};
  }
  if (appended) return {};
  const Status taken = log_->rollback();
  if (taken) return Error{appended.error().code, "the change was not made: " + appended.error().message};
  fail_for_good(taken.error());
  return Error{appended.error().code, "the change may not have been made (the next opening decides): " +
                                          appended.error().message + "; " + health().error().message};
}

Status Committer::sync_log() {
  try {
    const Status synced = log_->sync();
    if (synced) {
      const MutexLock guard(mutex_);
      unsynced_.reset();
      return {};
    }
    fail_for_good(synced.error());
    return Error{synced.error().code, "the change may not be durable, and " + health().error().message};
  } catch (const std::bad_alloc&) {
    fail_for_good();
    throw;
  }
}

void Committer::apply(const std::vector<Batch*>& group) noexcept {
  for (const Batch* batch : group) {
    if (!batch->payload.empty()) batch->apply();
  }
}

void Committer::finish(const std::vector<Batch*>& group, const Failure& failure) noexcept {
  for (Batch* batch : group) {
    batch->failure_ = failure;
    batch->done_ = true;
  }
}

/// What was enqueued after the failed batches was prepared against them: it fails with them.
void Committer::note_failure(const std::vector<Batch*>& group, const Failure& failure) noexcept {
  finish(queue_, failure);
  queue_.clear();
  if (!failure_) vertices_left_ = group.front()->vertices_before;
  failure_ = failure;
}

}  // namespace rizoma
