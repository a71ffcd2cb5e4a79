// Publisher: its beginning and its end, the last state of a store that is closed, and what becomes of one that was
// never to be.
#include "store/publishing/publisher.h"

#include "store/recovery/discarded.h"

#include <new>
#include <utility>

namespace rizoma {

Publisher::Publisher(AccessGuard& access, Medium& medium, const StoreOptions& options, bool read_only, Space& space,
                     Contents& contents, Writer& writer)
    : access_(access),
      medium_(medium),
      options_(options),
      read_only_(read_only),
      space_(space),
      contents_(contents),
      writer_(writer),
      rows_(space),
      retry_at_(options.log_limit),
      maintenance_(std::make_unique<Maintenance>()),
      reordering_(std::make_unique<Reordering>()) {}

Publisher::~Publisher() {
  try {
    static_cast<void>(close());  // a destructor has nobody to tell; nothing acknowledged depends on it
  } catch (const std::bad_alloc&) {
  }
  if (access_.in_own_process()) {
    stop_threads();  // after a close that was refused, too
    return;
  }
  // Threads of the parent may have been at these when it forked: they cannot be destroyed here.
  static_cast<void>(maintenance_.release());
  static_cast<void>(reordering_.release());
}

/// That of maintenance first, for it calls the other.
void Publisher::stop_threads() {
  maintenance_->stop();
  reordering_->stop();
}

/// The log in sections, if it is long, or if the manifest has something to say that is not durable.
Status Publisher::checkpoint_before_close() {
  const Committer& committer = writer_.committer();
  // A new manifest has two copies that are whole.
  const bool worth_it = committer.log_bytes() > options_.close_limit || space_.moved() || manifest_damage_;
  return worth_it ? checkpoint_now(options_.rewrite_percent) : committer.lost();
}

/// Notes that the log is whole, after a checkpoint that came to `checkpointed`.
Status Publisher::close_log(const Status& checkpointed) {
  Status closed = writer_.close_log();
  if (closed && !checkpointed) {
    closed = Error{checkpointed.error().code, "the graph at " + access_.where() +
                                                  " is closed and every change is safe in its "
                                                  "log, which could not be moved into sections: " +
                                                  checkpointed.error().message};
  }
  if (closed) space_.give_back(0);
  return closed;
}

Status Publisher::close() {
  if (!access_.in_own_process()) return {};  // it is the parent's to close
  RIZOMA_TRY(access_.check());
  Status status;
  {
    RIZOMA_ASSIGN(const TimedLock maintenance, acquire());
    maintenance.holds(mutex);
    const bool has_log = writer_.has_log();
    const bool open = has_log && writer_.committer().healthy();
    if (has_log) status = open ? checkpoint_before_close() : writer_.committer().lost();
    if (!status && status.error().code == ErrorCode::locked) return status;  // refused: the store stays open
    RIZOMA_ASSIGN(const TimedLock writer, writer_.acquire());
    writer.holds(writer_.mutex);
    if (writer_.ended()) return {};
    if (has_log) writer_.settle();
    if (open) status = close_log(status);
    writer_.end();
    writer_.unlock_directory();
  }
  // Last, and without a lock that they may be waiting for: a close that is refused leaves the store its threads, and
  // one that is done leaves nothing for them to do.
  stop_threads();
  return status;
}

void Publisher::remove_files() noexcept try {
  if (!begin_discarding(medium_)) return;
  for (const OpenLocation& location : space_.locations()) {
    if (location.medium != nullptr) remove_location(*location.medium);
  }
  static_cast<void>(remove_discarded(medium_));
} catch (const std::bad_alloc&) {
}

Status Publisher::discard() {
  RIZOMA_TRY(access_.check());
  {
    RIZOMA_ASSIGN(const TimedLock maintenance, acquire());
    maintenance.holds(mutex);
    RIZOMA_ASSIGN(const TimedLock writer, writer_.acquire());
    writer.holds(writer_.mutex);
    if (writer_.ended() || read_only_) return writer_.check_writable();
    writer_.settle();
    writer_.end();
    remove_files();
    writer_.unlock_directory_and_remove_lock();
  }
  stop_threads();  // last, as in `close`
  return {};
}

}  // namespace rizoma
