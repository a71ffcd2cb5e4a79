// Publisher: the durable states of a store: from which one it is opened, when and how the log is moved into images
// (sections that changed much) and deltas (the others), and under which manifest and superblock that becomes the state
// that the next opening finds (publish.h).
//
// One of the three parts of a store.  It holds the writer's lock where what is durable takes the place of what was
// logged; changes go on meanwhile otherwise.  Tags, orders made anew, columns that come and go, purging, bulk loads and
// the thread that does some of it by itself are publications like a checkpoint.
//
// Locks.  `mutex`: one publication at a time; taken before the writer's two.  What is not marked is written while no
// other thread can have it, or under the state lock too.
// Failure.  After a failed write of the superblock nobody knows which state is the durable one: all changing ends.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "platform/medium.h"
#include "platform/timed_mutex.h"
#include "store/access_guard.h"
#include "store/columns/row_block_writer.h"
#include "store/loading/bulk_load.h"
#include "store/log/log_chain.h"
#include "store/manifest/close_records.h"
#include "store/reorder/reordering.h"
#include "store/reorder/reordering_policy.h"
#include "store/checkpoint/maintenance.h"
#include "store/manifest/manifest_copies.h"
#include "store/manifest/publish.h"
#include "store/store_options.h"
#include "store/manifest/superblock.h"
#include "store/space/space.h"
#include "store/state/contents.h"
#include "store/writing/writer.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// A state, and where a load that begins with it goes.
struct LoadOfPresent {
  std::shared_ptr<const StoreSnapshot> present;
  std::unique_ptr<LoadTarget> target;
};

class Publisher {
 public:
  /// All outlive this.
  Publisher(AccessGuard& access, Medium& medium, const StoreOptions& options, bool read_only, Space& space,
            Contents& contents, Writer& writer);
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;
  ~Publisher();  ///< closes

  // ---- opening: the caller is alone, and has the directory's lock unless it reads ----

  /// The files of a new store.
  Status create();
  /// Reads the last published state, or the tagged one that the options name, and what the log adds.
  Status open_for_reading();
  /// The same, and makes durable what it has read; removes what earlier openings left.
  Status open_for_writing();
  /// Removes all that this store made, as far as it can be removed: of a creation that failed.
  void remove_files() noexcept;
  /// From now on the thread does what nobody asked for.  Throws std::system_error.
  void start_maintenance();

  // ---- any thread; the comments are at Store's functions of these names ----

  /// Waits while the log is as long as it may be.
  void wait_for_room();
  /// A change has become visible; without effect it changed nothing.
  void after_change(bool had_effect);
  Status checkpoint();
  Status place(std::vector<unsigned> home_of_section);
  Status compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings);
  Status purge(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings);
  void reorder_if_due();
  Status add_column(RowKind kind, ColumnSchema column);
  Status drop_column(RowKind kind, std::string_view name);
  Status tag(std::string_view name);
  Status untag(std::string_view name);
  [[nodiscard]] std::vector<TagInfo> tags() const;
  Status take_tags(const Publisher& from, std::span<const std::string> names);
  Status take_values(const StoreSnapshot& from, RenameVertices renamed, std::vector<std::string>& lost);
  Result<IdKind> settle_ids(IdKind kind, bool for_good);
  Result<std::unique_ptr<LoadTarget>> load_target(IdKind ids);
  Result<LoadOfPresent> append_target();
  Status close();
  Status discard();

  [[nodiscard]] const std::optional<Error>& manifest_damage() const noexcept { return manifest_damage_; }
  [[nodiscard]] const LogEvidence& log_evidence() const noexcept { return log_evidence_; }
  /// Of the last published state.
  [[nodiscard]] std::uint32_t format() const {
    const MutexLock guard(contents_.mutex);
    return format_;
  }
  [[nodiscard]] ReorderInfo reorder_info() const;
  /// Why the last checkpoint that nobody asked for failed.
  [[nodiscard]] std::optional<Error> background_error() const { return maintenance_->error(); }

  TimedMutex mutex;

 private:
  friend class StoreLoadTarget;
  class Renumbering;
  class ReorderExecutor;
  class TagCopier;

  /// What is to take the place of everything: written, not synced.
  struct Generation {
    Durable durable;
    ManifestState state;  ///< without extents and log
    std::shared_ptr<Dictionary> dictionary;
    std::shared_ptr<const RemovedVertices> removed;
  };
  using TakeGeneration = std::function<Status(Generation)>;

  /// A state that is kept; `held`: its extents, null if nothing has to keep them (to_be_kept).
  struct Tag {
    TagEntry entry;
    std::shared_ptr<const ExtentLease> lease;
    std::shared_ptr<const Durable> held;
  };

  /// Nobody else has the store yet: it is as if all locks were held.
  void assume_alone() const noexcept RIZOMA_THREADS(assert_capability(mutex, writer_.mutex, contents_.mutex)) {}
  [[nodiscard]] Result<TimedLock> acquire() { return access_.acquire_publishers(mutex); }

  // the end: closing.cpp
  void stop_threads();
  Status checkpoint_before_close() RIZOMA_REQUIRES(mutex);
  Status close_log(const Status& checkpointed) RIZOMA_REQUIRES(mutex, writer_.mutex);

  // opening: recovery.cpp
  Status pin_state(const format::Superblock& block);
  Status expect_current(const format::Superblock& block) const;
  struct Recovered;
  Result<Recovered> recover();
  Status begin_writing(const Recovered& recovered);
  Status choose_next_number() RIZOMA_REQUIRES(mutex);
  Status load_manifest(const ManifestState& present);
  [[nodiscard]] Result<Mapping> read_segment(Extent extent) const;
  Status load_dictionary(Durable& durable);
  Status load_removed(Durable& durable);
  Result<LogChainEnd> replay(const ManifestFile& manifest) RIZOMA_REQUIRES(mutex);

  // the log's length: maintenance.cpp
  [[nodiscard]] bool checkpoint_due() const;
  void flush_if_late() noexcept;
  void checkpoint_if_due();
  bool checkpoint_unasked() noexcept RIZOMA_REQUIRES(mutex);
  bool checkpoint_in_background() noexcept;
  std::optional<std::chrono::milliseconds> maintain();
  [[nodiscard]] double group_seconds() const;

  // the order, made anew: reorder_job.cpp
  [[nodiscard]] bool reordering_gives_way() const noexcept;
  [[nodiscard]] ReorderFacts reorder_facts() const;
  [[nodiscard]] std::uint64_t reordering_allowance() const;
  [[nodiscard]] bool reordering_wants_a_look() const;
  std::optional<std::chrono::milliseconds> look_at_order();
  bool reorder_unasked() noexcept;
  Status reorder(bool& made) RIZOMA_REQUIRES(mutex);

  // columns: schema_changes.cpp
  Status change_schema(FunctionRef<Status(GraphSchema&)> change);
  Status with_all_in_extents(FunctionRef<Status(ManifestState, Durable)> publish);

  // tags: tags.cpp
  [[nodiscard]] Result<ManifestState> read_tagged(const TagEntry& tag) const;
  [[nodiscard]] Result<std::optional<ManifestState>> to_be_kept(const TagEntry& tag) const;
  static std::vector<Extent> all_extents(const ManifestState& state,
                                         const std::vector<std::optional<ManifestState>>& tagged);
  void hold_tagged(const ManifestState& state, const std::vector<std::optional<ManifestState>>& tagged,
                   LeaseBook& leases);
  Result<ManifestState> state_at(const ManifestState& present) const;
  [[nodiscard]] Result<TagEntry> find_tag(std::string_view name) const;
  Result<Tag> write_tagged(std::string_view name, std::int64_t nanoseconds, ManifestState state, Durable held);
  Status use_tags(std::vector<Tag> tags, FunctionRef<Status()> publish);

  // publishing: checkpoint.cpp
  struct Frozen;
  Status begin_log() RIZOMA_REQUIRES(mutex, writer_.mutex);
  Result<Frozen> freeze() RIZOMA_REQUIRES(mutex);
  Result<std::unique_ptr<Log>> make_log(std::uint64_t number, std::uint64_t sequence, LogStart start);
  Status checkpoint_now(unsigned rewrite_percent) RIZOMA_REQUIRES(mutex);
  Status move_into_sections(Frozen& frozen, unsigned rewrite_percent) RIZOMA_REQUIRES(mutex);
  Result<IdentifiedExtent> write_removed(const RemovedVertices& removed);
  Result<Durable> write_frozen(const Frozen& frozen, unsigned rewrite_percent) RIZOMA_REQUIRES(mutex);
  Result<std::vector<SectionExtents>> write_sections(std::vector<SectionExtents> sections,
                                                     const SectionContext& context,
                                                     const StoreSnapshot::Versions& versions, unsigned rewrite_percent);
  Result<SectionExtents> write_section(const SectionVersion& version, const SectionContext& context, bool rewrite,
                                       MergeArena& memory);
  [[nodiscard]] std::vector<LocationEntry> locations_of(const ManifestState& state) const;
  Result<ManifestOffsets> prepare(ManifestState& state) RIZOMA_REQUIRES(mutex);
  Status publish(const ManifestState& state, const ManifestOffsets& ends, std::shared_ptr<const Durable> durable,
                 FunctionRef<Status()> follow) RIZOMA_REQUIRES(mutex, writer_.mutex);
  Status adopt(const Frozen& frozen, Durable durable, const ManifestState& state, Mapping segment)
      RIZOMA_REQUIRES(mutex, writer_.mutex);
  [[nodiscard]] std::unique_ptr<Contents> make_successor(const Generation& generation) const;
  Status install(Generation generation) RIZOMA_REQUIRES(mutex, writer_.mutex);
  void take_over(Contents& successor, std::unique_ptr<Log> log) RIZOMA_REQUIRES(mutex, writer_.mutex);
  /// The same with the dictionary and the removed vertices as they are, for what `with_all_in_extents` calls.
  Status install_present(Durable durable, ManifestState state);

  // compaction.cpp, load_target.cpp
  Status renumber(Executor& executor, VertexOrder order, LoadSettings settings, std::uint64_t bytes_per_second = 0)
      RIZOMA_REQUIRES(mutex);
  Status rewrite_for_purge(Executor& executor, std::optional<VertexOrder> order, LoadSettings settings)
      RIZOMA_REQUIRES(mutex);
  void keep_order(ManifestState& state) const RIZOMA_REQUIRES(writer_.mutex);
  Status expect_no_tags() RIZOMA_REQUIRES(mutex);
  Status overwrite_free_space() RIZOMA_REQUIRES(mutex);
  [[nodiscard]] std::uint64_t present_bytes() const;
  [[nodiscard]] std::unique_ptr<LoadTarget> make_rebuild_target(std::shared_ptr<const StoreSnapshot> of,
                                                                std::optional<std::vector<bool>> live,
                                                                TakeGeneration take);

  AccessGuard& access_;
  Medium& medium_;
  const StoreOptions& options_;
  const bool read_only_;
  Space& space_;
  Contents& contents_;
  Writer& writer_;
  RowWriter rows_;

  format::StoreId store_id_;                                     ///< since the opening
  std::optional<Error> manifest_damage_;                         ///< of one copy, as recovery found it
  LogEvidence log_evidence_;                                     ///< since the opening
  std::uint64_t file_number_ RIZOMA_GUARDED_BY(mutex) = 0;       ///< N of the present manifest.N
  std::uint64_t next_file_number_ RIZOMA_GUARDED_BY(mutex) = 1;  ///< grows with every attempt to publish
  std::atomic<std::uint64_t> retry_at_;  ///< without a thread: length of the logs that asks for a checkpoint
  std::vector<Tag> tags_;                ///< changed under the state lock too
  /// Of the last published state.
  std::uint32_t format_ RIZOMA_GUARDED_BY(contents_.mutex) = format::kFormat;
  /// What a publication that failed may have made durable: nobody is to write over it.
  std::shared_ptr<const Durable> in_doubt_ RIZOMA_GUARDED_BY(mutex);

  std::unique_ptr<Maintenance> maintenance_;
  std::unique_ptr<Reordering> reordering_;
};

}  // namespace rizoma
