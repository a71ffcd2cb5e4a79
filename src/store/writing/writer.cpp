#include "store/writing/writer.h"

#include "store/manifest/manifest_copies.h"
#include "store/writing/transaction.h"

#include <utility>

namespace rizoma {

Writer::Writer(AccessGuard& access, Medium& medium, Contents& contents, const StoreOptions& options, bool read_only)
    : access_(access),
      medium_(medium),
      contents_(contents),
      durability_(options.durability),
      read_only_(read_only),
      tagged_(!options.at.empty()) {}

Writer::~Writer() {
  // Threads of the parent may have been at it when it forked: it cannot be destroyed here.
  if (!access_.in_own_process()) static_cast<void>(committer_.release());
}

Status Writer::lock_directory() {
  RIZOMA_ASSIGN(lock_, medium_.lock_for_writing());
  return {};
}

void Writer::unlock_directory_and_remove_lock() {
  lock_->remove_file();
  lock_ = nullptr;
}

void Writer::begin(std::unique_ptr<Log> log, std::uint64_t earlier) {
  committer_ = std::make_unique<Committer>(durability_, access_.where());
  committer_->set_log(std::move(log), earlier);
}

Status Writer::check_writable() const {
  if (ended_) return Error{ErrorCode::closed, "the graph at " + access_.where() + " is closed"};
  if (tagged_)
    return Error{ErrorCode::invalid_argument, "the graph at " + access_.where() +
                                                  " is open as it was tagged, and a tagged state does not change; open "
                                                  "it without at="};
  if (read_only_)
    return Error{ErrorCode::invalid_argument,
                 "the graph at " + access_.where() + " is open for reading only; open it for writing to change it"};
  return committer_->health();
}

/// Takes the lock once a change may be made.
Result<TimedLock> Writer::begin_change() {
  RIZOMA_ASSIGN(const TimedLock entering, access_.acquire(entry));
  RIZOMA_ASSIGN(TimedLock writer, acquire());
  writer.holds(mutex);
  RIZOMA_TRY(check_writable());
  rollback_failed();
  RIZOMA_TRY(note_change_after_close());
  return writer;
}

/// Rolls back staged changes that did not reach the log.
void Writer::rollback_failed() {
  const auto left = committer_->take_failure();
  if (!left) return;
  committer_->drain();  // those before them are still becoming visible
  contents_.rollback_all(*left);
}

void Writer::settle() {
  committer_->drain();
  rollback_failed();
}

Result<bool> Writer::change(FunctionRef<Status(Transaction&)> prepare) {
  RIZOMA_ASSIGN(TimedLock writer, begin_change());
  writer.holds(mutex);
  Transaction transaction(contents_, access_);
  RIZOMA_TRY(prepare(transaction));
  // Waits even if it changed nothing: a change that it relies on may still fail.
  const Contents::Staged staged = contents_.end_staging();
  Committer::Batch batch(transaction.payload().bytes(), [&] { contents_.publish(staged); }, transaction.first_vertex());
  const Status enqueued = committer_->enqueue(batch);
  transaction.keep();  // from here on rollback_failed handles failures
  if (!enqueued) {
    rollback_failed();
    return enqueued.error();
  }
  writer.unlock(mutex);
  RIZOMA_TRY(committer_->wait(batch));
  return !batch.payload.empty();
}

Status Writer::flush() {
  RIZOMA_TRY(access_.check());
  RIZOMA_ASSIGN(TimedLock writer, acquire());
  writer.holds(mutex);
  RIZOMA_TRY(check_writable());
  rollback_failed();
  Committer::Batch batch({}, [] {}, contents_.dictionary->size(), true);
  RIZOMA_TRY(committer_->enqueue(batch));
  writer.unlock(mutex);
  return committer_->wait(batch);
}

void Writer::use_manifest(std::uint64_t number, const ManifestOffsets& ends) noexcept {
  manifest_number_ = number;
  manifest_offsets_ = ends;
}

Status Writer::append_record(format::PublishKind kind) {
  const Log& log = committer_->log();
  return append_publish_record(medium_, manifest_number_, manifest_offsets_,
                               publish_record(kind, log.number(), log.end(), log.next_sequence()));
}

Status Writer::note_change_after_close() {
  if (closed_at_ == 0) return {};
  RIZOMA_TRY(append_record(format::PublishKind::changed));
  closed_at_ = 0;
  return {};
}

Status Writer::close_log() {
  RIZOMA_TRY(committer_->health());
  RIZOMA_TRY(committer_->sync_log());
  RIZOMA_TRY(committer_->log().trim());
  if (committer_->log().end() == closed_at_) return {};  // nothing came since
  return append_record(format::PublishKind::closed);
}

void Writer::end() {
  ended_ = true;
  if (committer_) committer_->set_log(nullptr, 0);
}

}  // namespace rizoma
