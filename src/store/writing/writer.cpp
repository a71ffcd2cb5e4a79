#include "store/writing/writer.h"

#include "store/publishing/manifest_copies.h"
#include "store/writing/changer.h"

#include <utility>

namespace rizoma {

Writer::Writer(Callers& callers, Medium& medium, Contents& contents, Durability durability, bool read_only)
    : callers_(callers), medium_(medium), contents_(contents), durability_(durability), read_only_(read_only) {}

Writer::~Writer() {
  // Threads of the parent may have been at it when it forked: it cannot be destroyed here.
  if (!callers_.in_own_process()) static_cast<void>(committer_.release());
}

Status Writer::lock_directory() {
  RIZOMA_ASSIGN(lock_, medium_.lock_for_writing());
  return {};
}

void Writer::unlock_directory_without_trace() {
  lock_->leave_no_trace();
  lock_ = nullptr;
}

void Writer::begin(std::unique_ptr<Log> log, std::uint64_t earlier) {
  committer_ = std::make_unique<Committer>(durability_, callers_.where());
  committer_->set_log(std::move(log), earlier);
}

Status Writer::check_writable() const {
  if (ended_) return Error{ErrorCode::closed, "the graph at " + callers_.where() + " is closed"};
  if (read_only_)
    return Error{ErrorCode::invalid_argument, "the graph at " + callers_.where() + " was opened for reading only"};
  return committer_->health();
}

/// Takes the lock once a change may be made.
Result<PatientLock> Writer::begin_change() {
  RIZOMA_ASSIGN(const PatientLock entering, callers_.acquire(entry));
  RIZOMA_ASSIGN(PatientLock writer, acquire());
  writer.holds(mutex);
  RIZOMA_TRY(check_writable());
  roll_back_failed();
  RIZOMA_TRY(note_change_after_close());
  return writer;
}

/// Takes back what changes staged that did not get into the log.
void Writer::roll_back_failed() {
  const auto left = committer_->take_failure();
  if (!left) return;
  committer_->drain();  // those before them are still becoming visible
  contents_.rewind_all(*left);
}

void Writer::settle() {
  committer_->drain();
  roll_back_failed();
}

Result<bool> Writer::change(FunctionRef<Status(Changer&)> prepare) {
  RIZOMA_ASSIGN(PatientLock writer, begin_change());
  writer.holds(mutex);
  Changer changer(contents_, callers_);
  RIZOMA_TRY(prepare(changer));
  // Without effect it waits all the same: what it found done may be on its way yet, and may fail.
  const Contents::Staged staged = contents_.end_staging();
  Committer::Batch batch(changer.payload().bytes(), [&] { contents_.publish(staged); }, changer.first_vertex());
  const Status enqueued = committer_->enqueue(batch);
  changer.keep();  // from here on a failure is for roll_back_failed
  if (!enqueued) {
    roll_back_failed();
    return enqueued.error();
  }
  writer.unlock(mutex);
  RIZOMA_TRY(committer_->wait(batch));
  return !batch.payload.empty();
}

Status Writer::flush() {
  RIZOMA_TRY(callers_.check());
  RIZOMA_ASSIGN(PatientLock writer, acquire());
  writer.holds(mutex);
  RIZOMA_TRY(check_writable());
  roll_back_failed();
  Committer::Batch batch({}, [] {}, contents_.dictionary->size(), true);
  RIZOMA_TRY(committer_->enqueue(batch));
  writer.unlock(mutex);
  return committer_->wait(batch);
}

void Writer::use_manifest(std::uint64_t number, const ManifestEnds& ends) noexcept {
  manifest_number_ = number;
  manifest_ends_ = ends;
}

Status Writer::append_record(format::PublishKind kind) {
  const Log& log = committer_->log();
  return append_publish_record(medium_, manifest_number_, manifest_ends_,
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
