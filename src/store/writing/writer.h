// Writer: the changes of a store, one after the other: prepared and staged, appended to the log and synced, then
// visible at once and whole (committer.h).
//
// One of the parts of a store.  It knows nothing of sections in extents or space, and of manifests only where the
// present one has room after it for the record of a clean close.  The publisher, which then holds this part's lock,
// says when the log is moved and what the next one is.
//
// Locks.  `entry` is taken before `mutex`: while a thread holds it no change begins.  `mutex` orders changes, and is
// taken before the state lock (contents.h).  It is not held while a change becomes durable.
// Failure.  After a failed sync of the log the durable state is unknown: every later change gives that Error.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "platform/medium.h"
#include "platform/timed_mutex.h"
#include "store/access_guard.h"
#include "store/disk_format.h"
#include "store/log/committer.h"
#include "store/log/log.h"
#include "store/manifest/manifest_copies.h"
#include "store/state/contents.h"
#include "store/store_options.h"

#include <cstdint>
#include <memory>

namespace rizoma {

class Transaction;

class Writer {
 public:
  /// All outlive this.
  Writer(AccessGuard& access, Medium& medium, Contents& contents, const StoreOptions& options, bool read_only);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer();

  // ---- any thread ----

  [[nodiscard]] Result<TimedLock> acquire() { return access_.acquire(mutex); }
  /// One change: `prepare` stages and encodes it; then it becomes durable, then visible.  Whether it had an effect.
  Result<bool> change(FunctionRef<Status(Transaction&)> prepare);
  /// Returns when every change that was made before is durable.
  Status flush();
  /// What the log does; not of a store that reads.
  [[nodiscard]] Committer& committer() const noexcept { return *committer_; }
  [[nodiscard]] bool has_committer() const noexcept { return committer_ != nullptr; }
  [[nodiscard]] bool has_log() const noexcept { return committer_ != nullptr && committer_->has_log(); }

  // ---- opening: the caller is alone ----

  /// Makes this process the directory's only writer.  Errors: locked, io.
  Status lock_directory();
  /// Nobody else has it yet: it is as if its lock was held.
  void assume_alone() const noexcept RIZOMA_THREADS(assert_capability(mutex)) {}
  /// Changes go to this log; `earlier` bytes of others are in use.
  void begin(std::unique_ptr<Log> log, std::uint64_t earlier);

  // ---- under the lock ----

  /// Errors: closed, invalid_argument (opened for reading only), what ended all changing.
  Status check_writable() const RIZOMA_REQUIRES(mutex);
  /// Returns when the published state is that of all changes so far.
  void settle() RIZOMA_REQUIRES(mutex);
  /// The manifest of the present state, after which a clean close is noted.
  void use_manifest(std::uint64_t number, const ManifestOffsets& ends) noexcept RIZOMA_REQUIRES(mutex);
  /// Where the log ended when the store was closed cleanly; 0: it never was, or was changed since.
  void set_closed_at(std::uint64_t log_end) noexcept RIZOMA_REQUIRES(mutex) { closed_at_ = log_end; }
  /// Before the first change after a clean close: from now on the log may end anywhere after where it ended then.  A
  /// log that ends there all the same is whole only if this was not noted.
  Status note_change_after_close() RIZOMA_REQUIRES(mutex);
  /// Records that the log ends here, so that the next opening reports damage there, not a torn tail.
  Status close_log() RIZOMA_REQUIRES(mutex);
  /// There are no more changes.
  void end() RIZOMA_REQUIRES(mutex);
  /// Another process may write.
  void unlock_directory() noexcept RIZOMA_REQUIRES(mutex) { lock_ = nullptr; }
  /// The same, where no store is left.
  void unlock_directory_and_remove_lock() RIZOMA_REQUIRES(mutex);
  [[nodiscard]] bool ended() const noexcept { return ended_; }

  TimedMutex entry{LockLevel::writer_entry};
  TimedMutex mutex{LockLevel::writer};

 private:
  Result<TimedLock> begin_change();
  void rollback_failed() RIZOMA_REQUIRES(mutex);
  Status append_record(format::PublishKind kind) RIZOMA_REQUIRES(mutex);

  AccessGuard& access_;
  Medium& medium_;
  Contents& contents_;
  const Durability durability_;
  const bool read_only_;
  const bool tagged_;                     ///< opened as it was tagged
  std::unique_ptr<WriterLock> lock_;      ///< of the directory
  std::unique_ptr<Committer> committer_;  ///< since the opening
  bool ended_ = false;                    ///< written under the publisher's lock too
  std::uint64_t manifest_number_ RIZOMA_GUARDED_BY(mutex) = 0;
  ManifestOffsets manifest_offsets_ RIZOMA_GUARDED_BY(mutex){};
  std::uint64_t closed_at_ RIZOMA_GUARDED_BY(mutex) = 0;
};

}  // namespace rizoma
