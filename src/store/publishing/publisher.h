// Publisher: makes a state of a store the durable one: the manifest that the next opening finds, and its log.
//
// What it publishes comes from the five that are above it: Checkpointer, Tags, Rewriter, Reorderer and, when a store
// is created or opened, Recovery.  It joins them to the parts of the store (the writer, the contents, the space), and
// knows nothing of what they do.
//
// How a state is published.
//   0. A log for what comes after it is created and synced (make_log).
//   1. Its extents are synced, a copy of the manifest among them, then the manifest itself (prepare).
//   2. The superblock that names the manifest is written (publish): the store opens in this state from then on.
//   3. The contents in memory become that state, under the writer's lock.
// Locks.  `mutex`: one publication at a time; the first of all locks (store.h).  The writer's is taken
// for steps 2 and 3.
// Failure.  After a failed write of the superblock either state may be the durable one: all changing ends.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "platform/medium.h"
#include "platform/timed_mutex.h"
#include "store/access_guard.h"
#include "store/disk_format.h"
#include "store/log/log.h"
#include "store/manifest/manifest_copies.h"
#include "store/space/space.h"
#include "store/state/contents.h"
#include "store/state/durable.h"
#include "store/state/tag_table.h"
#include "store/store_options.h"
#include "store/writing/writer.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma {

/// A durable manifest that no superblock names yet.
struct PreparedManifest {
  ManifestOffsets ends{};
  std::shared_ptr<const ExtentLease> embedded;  ///< of its copy in `data`
};

/// A state that replaces everything: written, not synced.
struct Generation {
  Durable durable;
  ManifestState state;  ///< without extents and log
  std::shared_ptr<Dictionary> dictionary;
  std::shared_ptr<const RemovedVertices> removed;
};

class Publisher {
 public:
  /// All outlive this.
  Publisher(AccessGuard& access, Medium& medium, const StoreOptions& options, bool read_only, Space& space,
            Contents& contents, Writer& writer);
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  /// The lock, once it is free.  Errors: locked (AccessGuard).
  [[nodiscard]] Result<TimedLock> acquire() { return access.acquire_publishers(mutex); }

  // ---- opening: the caller is alone ----

  /// No other thread has the store yet: it is as if all locks were held.
  void assume_alone() const noexcept RIZOMA_THREADS(assert_capability(mutex, writer.mutex, contents.mutex)) {}
  /// The store has this name, and is in the state of this manifest.  No file has the number `next_file` or a later one.
  void start_at(const format::StoreId& store, std::uint64_t manifest, std::uint64_t next_file, std::uint32_t format)
      RIZOMA_REQUIRES(mutex, contents.mutex);

  // ---- any thread ----

  [[nodiscard]] const format::StoreId& store_id() const noexcept { return store_id_; }
  /// Of the last published state.
  [[nodiscard]] std::uint32_t format() const;

  // ---- under the lock ----

  /// N of the present manifest.N.
  [[nodiscard]] std::uint64_t file_number() const RIZOMA_REQUIRES(mutex) { return file_number_; }
  /// A number for the next manifest and its log.
  [[nodiscard]] std::uint64_t take_number() RIZOMA_REQUIRES(mutex) { return next_file_number_++; }
  /// A durable, empty log; no file if that fails, so that tries on a full disk leave none behind.
  Result<std::unique_ptr<Log>> make_log(std::uint64_t number, std::uint64_t sequence, LogStart start);
  /// The locations that a manifest of this state lists: all of them, if a tag cannot be read, as that may have extents
  /// in any.
  [[nodiscard]] std::vector<LocationEntry> locations_of(const ManifestState& state) const;
  /// Syncs the extents of a state whose log exists, and writes its manifest.
  Result<PreparedManifest> prepare(ManifestState& state) RIZOMA_REQUIRES(mutex);
  /// The space of the published manifest's copy in `data` is its own from now on, in place of the former one's.
  void keep_embedded(std::shared_ptr<const ExtentLease> embedded) RIZOMA_REQUIRES(mutex) {
    embedded_ = std::move(embedded);
  }
  /// Where `data` has the published manifest once more; empty: nowhere.
  [[nodiscard]] Extent embedded() const RIZOMA_REQUIRES(mutex) {
    return embedded_ == nullptr ? Extent{} : embedded_->extent();
  }
  /// Makes the state the durable one; `follow` then gives it to memory.  If either fails, either state may be the
  /// durable one: all changing ends, and the extents of `durable` stay.
  Status publish(const ManifestState& state, const PreparedManifest& manifest, std::shared_ptr<const Durable> durable,
                 FunctionRef<Status()> follow) RIZOMA_REQUIRES(mutex, writer.mutex);
  /// Contents beside the present ones, in the same space, that will replace them.
  [[nodiscard]] std::unique_ptr<Contents> make_successor(const Generation& generation) const;
  /// The successor is the durable state: its content becomes the current one.  Cannot fail.
  void take_over(Contents& successor, std::unique_ptr<Log> log) RIZOMA_REQUIRES(mutex, writer.mutex);
  /// Publishes a state that replaces everything, while no change is in progress.
  Status install(Generation generation) RIZOMA_REQUIRES(mutex, writer.mutex);
  /// The same with the dictionary and the removed vertices as they are.
  Status install_present(Durable durable, ManifestState state) RIZOMA_REQUIRES(mutex, writer.mutex);
  /// Removes the files of earlier states and gives free space back, unless the durable state is in doubt.
  void remove_stale() RIZOMA_REQUIRES(mutex);

  AccessGuard& access;
  Medium& medium;
  const StoreOptions& options;
  const bool read_only;
  Space& space;
  Contents& contents;
  Writer& writer;
  TagTable tags;
  TimedMutex mutex{LockLevel::publication};

 private:
  format::StoreId store_id_;                                     ///< since the opening
  std::uint64_t file_number_ RIZOMA_GUARDED_BY(mutex) = 0;       ///< N of the present manifest.N
  std::uint64_t next_file_number_ RIZOMA_GUARDED_BY(mutex) = 1;  ///< grows with every attempt to publish
  std::uint32_t format_ RIZOMA_GUARDED_BY(contents.mutex) = format::kFormat;
  /// What a failed publication may have made durable: no later one may write over it.
  std::shared_ptr<const Durable> in_doubt_ RIZOMA_GUARDED_BY(mutex);
  std::shared_ptr<const ExtentLease> embedded_in_doubt_ RIZOMA_GUARDED_BY(mutex);
  /// Of the copy in `data` of the published manifest; null: there is none.
  std::shared_ptr<const ExtentLease> embedded_ RIZOMA_GUARDED_BY(mutex);
};

}  // namespace rizoma
