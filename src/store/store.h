// Store: the durable mutable CSR: log, pending changes, section images, manifest, dictionary.
//
// A batch is appended to the log and synced, then becomes visible at once and whole (committer.h).  A
// checkpoint begins a new log, moves what the old one holds into images (sections that changed much)
// and deltas (the others), and publishes a new manifest, while changes go on (maintenance.cpp).
// docs/internals/durability.md says what is promised and why.
//
// Threads.  Any; writers share syncs, readers (snapshot, info) wait for neither I/O nor writers.
// Failure.  After a failed sync of the log, or a failed write of the superblock, the durable state is
// unknown: every later change gives that Error; reading goes on; opening the store anew recovers.
// Fork.  A child process must not use its parent's store: every call gives an Error of code closed.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/edge_batch.h>
#include <rizoma/executor.h>
#include <rizoma/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>
#include <rizoma/store_types.h>

#include "platform/mutex.h"
#include "platform/patient_mutex.h"
#include "platform/medium.h"
#include "store/columns/row_table.h"
#include "store/loading/bulk_load.h"
#include "store/log/committer.h"
#include "store/dictionary/dictionary.h"
#include "store/space/space.h"
#include "store/log/log.h"
#include "store/log/log_chain.h"
#include "store/publishing/close_records.h"
#include "store/publishing/healing.h"
#include "store/publishing/healing_policy.h"
#include "store/publishing/maintenance.h"
#include "store/publishing/manifest_copies.h"
#include "store/publishing/publish.h"
#include "store/sections/removed_vertices.h"
#include "store/sections/section_table.h"
#include "store/publishing/snapshot.h"
#include "store/publishing/superblock.h"
#include "store/user_code.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {

struct StoreOptions {
  GraphSchema schema;  ///< for a store that is created
  Durability durability = Durability::always;
  std::chrono::milliseconds group_delay{10};   ///< Durability::group: for so long a change may not be durable
  std::chrono::milliseconds patience{10'000};  ///< OpenOptions::patience
  /// Logs longer than this are followed by a checkpoint.  In the background: it begins at half of this,
  /// and changes wait for it while the logs are longer than this.
  std::uint64_t log_limit = 256u << 20;
  std::uint64_t log_ahead = 4u << 20;  ///< see LogGrowth
  /// A renumbering keeps changes waiting once no more than this of the log is left to be put into the new numbers.
  std::uint64_t catch_up_bytes = 256u << 10;
  HealingSettings healing;
  bool background = false;               ///< checkpoints in a thread of the store's; else within a change
  std::uint64_t close_limit = 1u << 20;  ///< a log longer than this is not left to the next open
  unsigned rewrite_percent = 25;         ///< a section with more changes than this share of it is rewritten
  /// Free space of a data file that is kept for the next sections, as a share of what is in use; more is
  /// given back to the device.
  unsigned spare_percent = 12;
  unsigned min_target_bytes = 4;  ///< 8: wide targets however few vertices (tests)
  /// Directories that are to hold the sections, by home; "" is the store's own.  Empty: as they are.
  std::vector<std::string> locations;
  LocationOpener open_location;  ///< needed by a store with locations
  std::string path;              ///< of the store's own directory, absolute; see LocationOwner
  /// Open for reading only: the tag whose state is wanted, or a time as "@" and nanoseconds since 1970, for the last
  /// tag not after it.  Empty: the present state.
  std::string at;
  /// A store of format 1 may be opened for writing: its next checkpoint is of this format.  Else that is an Error.
  bool upgrade = false;
  /// Gets each segment of the dictionary, and the place for messages, before it is used, and gives what takes its place
  /// (repair_dictionary.h); none: segments are used as they are.
  std::function<Mapping(Mapping, const std::string&)> mend_dictionary;
};

class Store {
 public:
  /// Errors: already_exists, locked, io, invalid_argument (the schema).
  static Result<std::unique_ptr<Store>> create(std::shared_ptr<Medium> medium, const StoreOptions& options);
  /// Recovers what was acknowledged.  Errors: not_found, locked, corrupt, unsupported, io.
  static Result<std::unique_ptr<Store>> open(std::shared_ptr<Medium> medium, const StoreOptions& options = {});
  /// The last published state, beside a writer of another process if need be; refuses changes.
  static Result<std::unique_ptr<Store>> open_read_only(std::shared_ptr<Medium> medium,
                                                       const StoreOptions& options = {});
  /// Makes a store of format 1 one of this format, in one step; true if it was not one already.  Errors: those of open.
  static Result<bool> upgrade(std::shared_ptr<Medium> medium, StoreOptions options = {});
  /// True if there is a store.  Error of code corrupt if there are only remains of one.
  static Result<bool> exists(Medium& medium);
  /// Whether a store makes files of this name in its own directory.
  [[nodiscard]] static bool makes_file(const std::string& name);
  ~Store();  ///< closes

  [[nodiscard]] GraphSchema schema() const;
  /// The schema for a bulk load of this store: section_bits is 0 if the load may choose.
  [[nodiscard]] GraphSchema load_schema() const;

  /// Adds vertices and edges as one record of the log: after a crash all of it is there or nothing.
  Status add(const EdgeBatch& edges, const IdColumn& vertices);
  Status add_edges(const EdgeBatch& edges) { return add(edges, {}); }
  Status add_vertices(const IdColumn& ids) { return add({}, ids); }
  /// All steps of the batch, in order, as one record of the log.  Errors: not_found (Missing::error),
  /// invalid_argument; then nothing was done.
  Result<ChangeCounts> apply(const Batch& batch);
  /// The same, which tells the executor how far it is.  Errors: also cancelled; then nothing was done.
  Result<ChangeCounts> apply(const Batch& batch, Executor& executor);

  [[nodiscard]] Result<std::shared_ptr<const StoreSnapshot>> snapshot();
  [[nodiscard]] Result<GraphInfo> info();

  /// What was wrong with one of the manifest's two copies when the store was opened.
  [[nodiscard]] const std::optional<Error>& manifest_damage() const noexcept { return manifest_damage_; }

  /// How far the log that was replayed at opening goes, and whether that is all there ever was.
  [[nodiscard]] const LogEvidence& log_evidence() const noexcept { return log_evidence_; }

  /// Returns when every change that was made before is durable.
  Status flush();
  /// Makes everything durable and moves the logs into sections; changes go on meanwhile.
  Status checkpoint();
  /// Moves every section to the location of its home: the home's number modulo that of locations.
  /// Readers and writers go on meanwhile.
  Status place(std::vector<unsigned> home_of_section);
  /// Moves what has changed into sections.  With an order: gives all vertices new inner numbers (renumbering.h).
  Status compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings = {});
  /// Without a thread: gives the graph its inner order anew if that is due by StoreOptions::healing.  `info` says what
  /// came of it.
  void heal_if_due();
  /// Compacts, into an order if there is one, so that no file of the store keeps a trace of what was removed: ids,
  /// edges, values.
  /// Errors: invalid_argument, if a tag keeps an older state, or if a snapshot or a reader in another process reads
  /// one: what it reads is still there then.
  Status purge(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings = {});
  /// Adds a column to the edges or the vertices, null everywhere; no section is written.  Errors: invalid_argument (its
  /// name is taken; it may not be null; edges that have weights in another layout).
  Status add_column(RowKind kind, ColumnSchema column);
  /// Takes a column away; its values are gone for all later states.  Errors: not_found.
  Status drop_column(RowKind kind, std::string_view name);
  /// Keeps the present state under a name until `untag`; costs what changes since.  Errors: invalid_argument,
  /// already_exists, not_found.
  Status tag(std::string_view name);
  Status untag(std::string_view name);
  /// In the order of tagging.
  [[nodiscard]] std::vector<TagInfo> tags() const;
  /// Of a store that was just filled with the edges of another one and the numbers of their rows: gives it the values
  /// too.  `renamed`: what inner numbers of the other one are here.  What cannot be read is null, and named in `lost`.
  Status take_values(const StoreSnapshot& from,
                     FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed,
                     std::vector<std::string>& lost);
  Status close();
  /// Closes the store and removes all that it made, in its directory and in its locations.
  Status discard();

  /// Gives a store without vertices, whose kind of ids nobody asked for, this kind by a manifest of its
  /// own; any other store stays as it is.  Returns the kind that it then has.
  Result<IdKind> settle_ids(IdKind kind, bool for_good);
  /// Where a bulk load of this store's empty graph puts its sections; lives at most as long as the store.
  /// `ids`: the kind that the load brings; another than the store's only if nobody asked for that.
  Result<std::unique_ptr<LoadTarget>> load_target(IdKind ids);
  [[nodiscard]] Medium& medium() noexcept { return *medium_; }

 private:
  friend class StoreLoadTarget;
  class Replayer;
  class Changer;
  class Renumbering;
  class HealingExecutor;
  class Translation;
  /// An extent, and the header checksum of what is there.
  struct TiedLease {
    std::shared_ptr<const ExtentLease> lease;
    std::uint64_t id = 0;
  };

  /// Everything durable, held by its leases.
  struct Durable {
    std::vector<SectionParts> out;
    std::vector<SectionParts> in;
    std::vector<TiedLease> dictionary;
    TiedLease removed;  ///< no lease: no removed vertices
    RowParts edge_rows;
    RowParts vertex_rows;
    void put_into(ManifestState& state) const;
  };

  /// What is to take the place of everything: written, not synced.
  struct Generation {
    Durable durable;
    ManifestState state;  ///< without extents and log
    std::shared_ptr<Dictionary> dictionary;
    std::shared_ptr<const RemovedVertices> removed;
  };

  /// A state that is kept; `held`: its extents, null if nothing has to keep them (Store::to_be_kept).
  struct Tag {
    TagEntry entry;
    std::shared_ptr<const ExtentLease> lease;
    std::shared_ptr<const Durable> held;
  };

  /// What a change becomes visible with.
  struct StagedChange {
    std::vector<SectionTable::Staged> out;
    std::vector<SectionTable::Staged> in;
    VertexId num_vertices = 0;
    std::shared_ptr<const RemovedVertices> removed;
    std::size_t edge_rows = 0;  ///< blocks of rows
    std::size_t vertex_rows = 0;
  };

  /// The sections of both directions; `in` only where the graph has it.
  struct Tables {
    std::optional<SectionTable> out;
    std::optional<SectionTable> in;
  };

  /// `space`: of the store whose successor this is; null: one of its own.
  Store(std::shared_ptr<Medium> medium, const StoreOptions& options, bool read_only,
        std::shared_ptr<Space> space = nullptr);

  // opening: recovery.cpp
  /// Nobody else has the store yet: it is as if all locks were held.
  void assume_alone() const noexcept
      RIZOMA_THREADS(assert_capability(maintenance_mutex_, writer_mutex_, state_mutex_)) {}
  struct Recovered;
  Status create_files();
  static Status expect_store(Medium& medium);
  Result<Recovered> recover();
  Status pin_state(const format::Superblock& block);
  Status expect_current(const format::Superblock& block) const;
  Status begin_writing(const Recovered& recovered);
  Status choose_next_number();
  Status load_manifest(const ManifestState& present);
  [[nodiscard]] Result<Mapping> read_segment(Extent extent) const;
  Status load_dictionary(const ManifestState& state, LeaseBook& leases);
  Status load_removed(const ManifestState& state, LeaseBook& leases);
  [[nodiscard]] static RowParts to_rows(const std::vector<RowsEntry>& entries, LeaseBook& leases);
  Result<LogChainEnd> replay(const ManifestFile& manifest);
  static Result<std::unique_ptr<Store>> opened(std::unique_ptr<Store> store);
  [[nodiscard]] Tables make_tables(const GraphSchema& schema, VertexId num_vertices, std::vector<SectionParts> out,
                                   std::vector<SectionParts> in) const;
  void use(Tables tables) noexcept;
  [[nodiscard]] std::shared_ptr<SectionContext> make_context(const GraphSchema& schema, Direction direction) const;

  [[nodiscard]] std::vector<LocationEntry> locations_of(const ManifestState& state) const;

  // changing: store.cpp; what a change is: changer.h
  Status check_caller() const;
  Status check_process() const;
  Status check_writable() const RIZOMA_REQUIRES(writer_mutex_);
  Result<PatientLock> acquire(PatientMutex& mutex);
  PatientLock attempt(PatientMutex& mutex);
  Result<PatientLock> begin_change();
  Status change(FunctionRef<Status(Changer&)> prepare);
  void settle() RIZOMA_REQUIRES(writer_mutex_);
  void roll_back_failed() RIZOMA_REQUIRES(writer_mutex_);
  Status set_num_vertices(VertexId num_vertices);
  void begin_staging();
  void stage(ChangeKind kind, const EdgeColumns& edges);
  StagedChange end_staging() RIZOMA_REQUIRES(writer_mutex_);
  void publish_change(const StagedChange& change) noexcept;
  Status close_log() RIZOMA_REQUIRES(maintenance_mutex_, writer_mutex_);
  Status write_closed_record() RIZOMA_REQUIRES(maintenance_mutex_, writer_mutex_);
  Status note_change_after_close() RIZOMA_REQUIRES(writer_mutex_);
  void remove_files() noexcept RIZOMA_REQUIRES(maintenance_mutex_, writer_mutex_);
  Status list_files(GraphInfo& info) const;
  [[nodiscard]] bool has_in() const noexcept { return schema_.directed && schema_.in_edges; }
  [[nodiscard]] unsigned target_bytes_for(VertexId num_vertices) const noexcept;
  [[nodiscard]] bool ordered_by_degree() const noexcept RIZOMA_REQUIRES(state_mutex_);

  Status leave_no_trace() RIZOMA_REQUIRES(maintenance_mutex_);
  [[nodiscard]] std::uint64_t present_bytes() const;

  // the log's length: maintenance.cpp
  void start_maintenance();
  [[nodiscard]] bool checkpoint_due() const;
  void wait_for_room();
  void after_change();
  void flush_if_late() noexcept;
  void checkpoint_if_due();
  bool checkpoint_unasked() noexcept RIZOMA_REQUIRES(maintenance_mutex_);
  bool checkpoint_in_background() noexcept;
  std::optional<std::chrono::milliseconds> maintain();
  [[nodiscard]] double group_seconds() const;

  // the order, made anew: publishing/store_healing.cpp
  [[nodiscard]] bool healing_gives_way() const noexcept;
  [[nodiscard]] HealingFacts healing_facts() const;
  [[nodiscard]] std::uint64_t healing_allowance() const;
  [[nodiscard]] HealingInfo healing_info() const;
  [[nodiscard]] bool order_asked_for() const noexcept RIZOMA_REQUIRES(state_mutex_);
  [[nodiscard]] bool healing_wants_a_look() const;
  std::optional<std::chrono::milliseconds> look_at_healing();
  bool heal_unasked() noexcept;
  Status heal(bool& made) RIZOMA_REQUIRES(maintenance_mutex_);

  // columns: columns/store_rows.cpp
  Result<RowParts> write_rows(RowParts stored, const RowState& state, const std::vector<ColumnSchema>& columns);
  Result<RowParts> write_live_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
                                   const std::vector<bool>& live);
  Result<std::vector<std::byte>> renamed_block(
      RowBlock block, std::uint64_t first, const std::vector<ColumnSchema>& columns,
      FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed) const;
  Result<RowParts> renamed_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
                                FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed);
  Result<std::shared_ptr<const StoredRows>> write_block(RowKind kind, std::uint64_t first, std::uint64_t rows,
                                                        std::span<const RowColumn> columns);
  [[nodiscard]] Durable present_parts() const RIZOMA_REQUIRES(state_mutex_);
  Status change_schema(FunctionRef<Status(GraphSchema&)> change);
  Status with_all_in_extents(FunctionRef<Status(ManifestState, Durable)> publish);

  // tags: publishing/tags.cpp
  [[nodiscard]] Result<ManifestState> read_tagged(const TagEntry& tag) const;
  [[nodiscard]] Result<std::optional<ManifestState>> to_be_kept(const TagEntry& tag) const;
  static std::vector<Extent> all_extents(const ManifestState& state,
                                         const std::vector<std::optional<ManifestState>>& tagged);
  void hold_tagged(const ManifestState& state, const std::vector<std::optional<ManifestState>>& tagged,
                   LeaseBook& leases);
  Result<ManifestState> state_at(const ManifestState& present) const;
  Status use_tags(std::vector<Tag> tags, FunctionRef<Status()> publish);

  // publishing: checkpoint.cpp
  struct Frozen;
  Status begin_log() RIZOMA_REQUIRES(maintenance_mutex_, writer_mutex_);
  Result<Frozen> freeze() RIZOMA_REQUIRES(maintenance_mutex_);
  Result<std::unique_ptr<Log>> make_log(std::uint64_t number, std::uint64_t sequence, LogStart start);
  Status checkpoint_now(unsigned rewrite_percent) RIZOMA_REQUIRES(maintenance_mutex_);
  Status move_into_sections(Frozen& frozen, unsigned rewrite_percent) RIZOMA_REQUIRES(maintenance_mutex_);
  Status renumber(Executor& executor, VertexOrder order, LoadSettings settings, std::uint64_t bytes_per_second = 0)
      RIZOMA_REQUIRES(maintenance_mutex_);
  Status rewrite_without_trace(Executor& executor, std::optional<VertexOrder> order, LoadSettings settings)
      RIZOMA_REQUIRES(maintenance_mutex_);
  void keep_order(ManifestState& state) const RIZOMA_REQUIRES(writer_mutex_);
  Status expect_no_tags() RIZOMA_REQUIRES(maintenance_mutex_);
  Result<TiedLease> write_removed(const RemovedVertices& removed);
  Result<Durable> write_frozen(const Frozen& frozen, unsigned rewrite_percent) RIZOMA_REQUIRES(maintenance_mutex_);
  Result<std::vector<SectionParts>> write_sections(std::vector<SectionParts> sections, const SectionContext& context,
                                                   const StoreSnapshot::Versions& versions, unsigned rewrite_percent)
      RIZOMA_REQUIRES(maintenance_mutex_);
  Result<SectionParts> write_section(const SectionVersion& version, const SectionContext& context, bool rewrite,
                                     FoldMemory& memory) RIZOMA_REQUIRES(maintenance_mutex_);
  [[nodiscard]] ManifestState manifest_state() const RIZOMA_REQUIRES(state_mutex_);
  Result<ManifestEnds> prepare(ManifestState& state) RIZOMA_REQUIRES(maintenance_mutex_);
  Status publish(const ManifestState& state, const ManifestEnds& ends, std::shared_ptr<const Durable> durable,
                 FunctionRef<Status()> follow) RIZOMA_REQUIRES(maintenance_mutex_);
  Status adopt(const Frozen& frozen, Durable durable, const ManifestState& state, Mapping segment)
      RIZOMA_REQUIRES(maintenance_mutex_, writer_mutex_);
  using TakeGeneration = std::function<Status(Generation)>;
  [[nodiscard]] std::unique_ptr<LoadTarget> make_rebuild_target(std::shared_ptr<const StoreSnapshot> of,
                                                                std::optional<std::vector<bool>> live,
                                                                TakeGeneration take);
  [[nodiscard]] std::unique_ptr<Store> make_successor(const Generation& generation) const;
  Status install(Generation generation) RIZOMA_REQUIRES(maintenance_mutex_, writer_mutex_);
  void take_over(Store& successor, std::unique_ptr<Log> log) RIZOMA_REQUIRES(maintenance_mutex_, writer_mutex_);
  /// The same with the dictionary and the removed vertices as they are, for what `with_all_in_extents` calls.
  Status install_present(Durable durable, ManifestState state);

  const std::shared_ptr<Medium> medium_;
  const StoreOptions options_;
  const bool read_only_;

  const std::int64_t process_;          ///< that opened the store
  const std::shared_ptr<Space> space_;  ///< shared with the successor of a renumbering

  UserCode user_code_;         ///< that runs under the writer lock
  UserCode renumbering_code_;  ///< that runs under the maintenance lock alone

  PatientMutex maintenance_mutex_;           ///< one checkpoint at a time; taken before writer_mutex_
  std::atomic<int> maintenance_awaited_{0};  ///< threads that wait for it, for whom a healing gives way
  /// What a publication that failed may have made durable: nobody is to write over it.
  std::shared_ptr<const Durable> undecided_ RIZOMA_GUARDED_BY(maintenance_mutex_);
  ManifestEnds manifest_ends_{};
  std::optional<Error> manifest_damage_;  ///< of one copy, as recovery found it
  LogEvidence log_evidence_;
  std::uint64_t file_number_ = 0;        ///< N of the present manifest.N
  std::atomic<std::uint64_t> retry_at_;  ///< without a thread: length of the logs that asks for a checkpoint

  PatientMutex entry_mutex_;   ///< whoever holds it lets no change begin; taken before writer_mutex_
  PatientMutex writer_mutex_;  ///< orders changes; taken before state_mutex_
  std::unique_ptr<WriterLock> lock_;
  format::StoreId store_id_;
  std::uint64_t next_file_number_ = 1;  ///< grows with every attempt to publish
  bool closed_ = false;
  /// Where the log ended when the store was closed cleanly; 0: it never was, or was changed since.
  std::uint64_t closed_at_ RIZOMA_GUARDED_BY(writer_mutex_) = 0;
  std::unique_ptr<Committer> committer_;
  std::shared_ptr<const RemovedVertices> staged_removed_;  ///< with the changes that are not yet visible
  RowTable edge_rows_{RowKind::edges, space_->data()};     ///< what is staged: the writer's; published: of the state
  RowTable vertex_rows_{RowKind::vertices, space_->data()};

  /// Guards what follows; held for O(sections), never during I/O.  What is written under the other two as well may be
  /// read under one of these: it is not marked.
  mutable Mutex state_mutex_;
  GraphSchema schema_;
  bool bits_fixed_ = false;
  unsigned target_bytes_ = 4;  ///< never shrinks: images may have this width already
  VertexOrder order_ = VertexOrder::given;
  OrderReason order_reason_ RIZOMA_GUARDED_BY(state_mutex_);
  EdgeCount ordered_entries_ = 0;
  VertexId num_vertices_ = 0;
  std::uint64_t generation_ = 0;
  std::shared_ptr<const void> pin_
      RIZOMA_GUARDED_BY(state_mutex_);  ///< of this generation, for snapshots; null: to be made
  std::shared_ptr<Dictionary> dictionary_;
  std::vector<TiedLease> dictionary_extents_;
  std::shared_ptr<const RemovedVertices> removed_;
  std::shared_ptr<const RemovedVertices> durable_removed_;  ///< what removed_extent_ holds
  TiedLease removed_extent_;
  std::vector<Tag> tags_;                                                   ///< changed under the maintenance lock too
  std::uint32_t format_ RIZOMA_GUARDED_BY(state_mutex_) = format::kFormat;  ///< of the last published state
  std::optional<SectionTable> out_;
  std::optional<SectionTable> in_;
  std::shared_ptr<std::atomic<bool>> agreed_ = std::make_shared<std::atomic<bool>>(false);  ///< see StoreSnapshot
  std::shared_ptr<const StoreSnapshot> snapshot_
      RIZOMA_GUARDED_BY(state_mutex_);  ///< of the present state; null: to be made

  std::unique_ptr<Maintenance> maintenance_;
  std::unique_ptr<Healing> healing_;
};

}  // namespace rizoma
