// Store: closing, discarding, and the threads that end with it.
#include "store/store.h"

#include "store/recovery/discarded.h"

#include <new>
#include <utility>

namespace rizoma {

Store::~Store() {
  try {
    static_cast<void>(close());  // a destructor cannot give its error; nothing acknowledged depends on it
  } catch (const std::bad_alloc&) {
  }
  if (access_.in_own_process()) stop_threads();  // after a close that was refused, too
}

/// The checkpointer's thread first, because it wakes the other.
void Store::stop_threads() {
  checkpointer_.stop();
  reorderer_.stop();
}

/// The log in sections, if it is long, or if the manifest has something to say that is not durable.
Status Store::checkpoint_before_close() {
  const Committer& committer = publisher_.writer.committer();
  // A new manifest has two copies that are whole.
  const bool worth_it = committer.log_bytes() > options_.close_limit || space_.moved() || recovery_.manifest_damage();
  return worth_it ? checkpointer_.run() : committer.lost();
}

/// Records that the log is whole, after a checkpoint that returned `checkpointed`.
Status Store::close_log(const Status& checkpointed) {
  Status closed = publisher_.writer.close_log();
  if (closed && !checkpointed) {
    closed = Error{checkpointed.error().code, "the graph at " + access_.where() +
                                                  " is closed and every change is safe in its "
                                                  "log, but the log could not be moved into sections: " +
                                                  checkpointed.error().message};
  }
  if (closed) space_.give_back(0);
  return closed;
}

Status Store::close() {
  if (!access_.in_own_process()) return {};  // the parent closes it
  RIZOMA_TRY(access_.check());
  Status status;
  {
    RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
    publishing.holds(publisher_.mutex);
    const bool has_log = publisher_.writer.has_log();
    const bool open = has_log && publisher_.writer.committer().healthy();
    if (has_log) status = open ? checkpoint_before_close() : publisher_.writer.committer().lost();
    if (!status && status.error().code == ErrorCode::locked) return status;  // refused: the store stays open
    RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
    writer.holds(publisher_.writer.mutex);
    if (publisher_.writer.ended()) return {};
    if (has_log) publisher_.writer.settle();
    if (open) status = close_log(status);
    publisher_.writer.end();
    publisher_.writer.unlock_directory();
  }
  // Last, and without a lock that they may be waiting for: a close that is refused leaves the store its threads, and
  // one that is done leaves nothing for them to do.
  stop_threads();
  return status;
}

Status Store::discard() {
  RIZOMA_TRY(access_.check());
  {
    RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
    publishing.holds(publisher_.mutex);
    RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
    writer.holds(publisher_.writer.mutex);
    if (publisher_.writer.ended() || read_only_) return publisher_.writer.check_writable();
    publisher_.writer.settle();
    publisher_.writer.end();
    remove_files(publisher_);
    publisher_.writer.unlock_directory_and_remove_lock();
  }
  stop_threads();  // last, as in `close`
  return {};
}

}  // namespace rizoma
