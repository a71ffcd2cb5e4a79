// Store: the durable mutable CSR: log, pending changes, section images, manifest, dictionary.
//
// This is its front.  A batch is appended to the log and synced, then becomes visible at once and whole; a checkpoint
// begins a new log, moves what the old one holds into sections, and publishes a new manifest, while changes go on.  The
// parts of a store do the work, each with a lock of its own:
//   Writer        writing/writer.h           changes: prepared, staged, logged, synced
//   Contents      state/contents.h           what is visible and what is staged; snapshots of it
//   Space         space/space.h              bytes: data files, extents, free space, locations
//   Publisher     publishing/publisher.h     makes a state the durable one, for these five:
//   Recovery      recovery/recovery.h        the first state, created or read
//   Checkpointer  checkpoint/checkpointer.h  the log into sections, and the thread that does so in time
//   Tags          tags/tags.h                states that are kept under a name
//   Rewriter      rewrite/rewriter.h         compaction, new orders, purging, loads, the schema
//   Reorderer     reorder/reorderer.h        a new order by itself, in a thread of its own
// Locks are taken in this order: the publisher's, the writer's two, the state's, the tags', the space's.
// docs/internals/durability.md says what is promised and why.
//
// Threads.  Any; writers share syncs, readers (snapshot, info) wait for neither I/O nor writers.
// Failure.  After a failed sync of the log, or a failed write of the superblock, the durable state is
// unknown: every later change gives that Error; reading goes on; opening the store again recovers.
// Fork.  A child process must not use its parent's store: every call gives an Error of code closed.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/executor.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>
#include <rizoma/store_types.h>

#include "platform/medium.h"
#include "store/access_guard.h"
#include "store/loading/bulk_load.h"
#include "store/checkpoint/checkpointer.h"
#include "store/publishing/publisher.h"
#include "store/recovery/recovery.h"
#include "store/reorder/reorderer.h"
#include "store/rewrite/rewriter.h"
#include "store/store_options.h"
#include "store/space/space.h"
#include "store/state/contents.h"
#include "store/state/snapshot.h"
#include "store/tags/tags.h"
#include "store/writing/writer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

class Store {
 public:
  /// Errors: already_exists, locked, io, invalid_argument (the schema).
  static Result<std::unique_ptr<Store>> create(std::shared_ptr<Medium> medium, const StoreOptions& options);
  /// Recovers all acknowledged changes.  Errors: not_found, locked, corrupt, unsupported, io.
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
  /// Closes.
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  [[nodiscard]] GraphSchema schema() const;
  /// The schema for a bulk load of this store: section_bits is 0 if the load may choose.
  [[nodiscard]] GraphSchema load_schema() const;

  /// Adds vertices and edges as one record of the log: after a crash all of it exists or nothing.
  Status add(const EdgeBatch& edges, const IdColumn& vertices);
  Status add_edges(const EdgeBatch& edges) { return add(edges, {}); }
  Status add_vertices(const IdColumn& ids) { return add({}, ids); }
  /// All steps of the batch, in order, as one record of the log.  Errors: not_found (Missing::error),
  /// invalid_argument; then nothing was done.
  Result<ChangeCounts> apply(const Batch& batch);
  /// The same, with progress to the executor.  Errors: also cancelled; then nothing was done.
  Result<ChangeCounts> apply(const Batch& batch, Executor& executor);

  [[nodiscard]] Result<std::shared_ptr<const StoreSnapshot>> snapshot();
  [[nodiscard]] Result<GraphInfo> info();
  /// That a data file was cut off, as the opening saw by its size; empty: none was.
  [[nodiscard]] const std::string& damage() const noexcept { return space_.damage(); }

  /// What was wrong with one of the manifest's two copies when the store was opened.
  [[nodiscard]] const std::optional<Error>& manifest_damage() const noexcept { return recovery_.manifest_damage(); }

  /// Compares the manifest's copy in `data` with the manifest that the store was opened with.  Errors: corrupt, io.
  [[nodiscard]] Status check_embedded_manifest() const { return recovery_.check_embedded(); }

  /// How far the log that was replayed at opening goes, and whether that is all there ever was.
  [[nodiscard]] const LogEvidence& log_evidence() const noexcept { return recovery_.log_evidence(); }

  /// Returns when every change that was made before is durable.
  Status flush();
  /// Makes everything durable and moves the logs into sections; other threads may change the graph meanwhile.
  Status checkpoint();
  /// Moves every section to the location of its home: the home's number modulo that of locations. Readers and writers
  /// continue meanwhile.
  Status place(std::vector<unsigned> home_of_section);
  /// Moves pending changes into sections.  With an order: gives all vertices new internal ids (renumbering.h).
  Status compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings = {});
  /// Without a thread: reorders the graph if StoreOptions::reordering says that it is due.  `info` has the
  /// outcome.
  void reorder_if_due();
  /// Compacts, into an order if there is one, so that no file of the store keeps a trace of what was removed: ids,
  /// edges, values.
  /// Errors: invalid_argument, if a tag keeps an older state, or if a snapshot or a reader in another process reads
  /// one: what it reads is still there then.
  Status purge(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings = {});
  /// Adds a column to the edges or the vertices, null everywhere; no section is written.  Errors: invalid_argument (its
  /// name is taken; it may not be null; edges that have weights in another layout).
  Status add_column(RowKind kind, ColumnSchema column);
  /// Removes a column; all later states lack its values.  Errors: not_found.
  Status drop_column(RowKind kind, std::string_view name);
  /// Keeps the present state under a name until `untag`; costs what changes since.  Errors: invalid_argument,
  /// already_exists, not_found.
  Status tag(std::string_view name);
  Status untag(std::string_view name);
  /// In the order of tagging.
  [[nodiscard]] std::vector<TagInfo> tags() const;
  /// Of a store that was just filled with the edges of another one and the numbers of their rows: gives it the values
  /// too.  `renamed`: what internal ids of the other one are here.  What cannot be read is null, and named in `lost`.
  Status take_values(const StoreSnapshot& from,
                     FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed,
                     std::vector<std::string>& lost);
  /// Keeps tagged states of another store too, which are whole there, under their names and times; copies all that they
  /// name.  Errors: not_found; those of reading and writing.
  Status take_tags(const Store& from, std::span<const std::string> names);
  Status close();
  /// Closes the store and removes all that it made, in its directory and in its locations.
  Status discard();

  /// Gives an empty store whose kind of ids was not asked for this kind, by a manifest of its own; any other store
  /// stays as it is.  Returns the kind that it then has.
  Result<IdKind> settle_ids(IdKind kind, bool for_good);
  /// Where a bulk load of this store's empty graph puts its sections; lives at most as long as the store.
  /// `ids`: the kind that the load brings; another than the store's only if that was not asked for.
  Result<std::unique_ptr<LoadTarget>> load_target(IdKind ids);
  /// Where a load puts the sections of this store with what it adds to them: it begins with `present`
  /// (BulkLoader::add_graph), and what it publishes takes the place of all.  Errors: unsupported; when it publishes,
  /// locked if there was a change meanwhile.
  Result<LoadOfPresent> append_target();
  [[nodiscard]] Medium& medium() noexcept { return *medium_; }

 private:
  Store(std::shared_ptr<Medium> medium, StoreOptions options, bool read_only);
  static Result<std::unique_ptr<Store>> opened(std::unique_ptr<Store> store);
  Status change(FunctionRef<Status(Transaction&)> prepare);
  Status list_files(GraphInfo& info) const;
  Status checkpoint_before_close() RIZOMA_REQUIRES(publisher_.mutex);
  Status close_log(const Status& checkpointed) RIZOMA_REQUIRES(publisher_.mutex, publisher_.writer.mutex);
  void stop_threads();

  const std::shared_ptr<Medium> medium_;
  const StoreOptions options_;
  const bool read_only_;
  AccessGuard access_;
  Space space_;
  Contents contents_;
  Writer writer_;
  Publisher publisher_;
  Recovery recovery_;
  Checkpointer checkpointer_;
  Tags tags_;
  Rewriter rewriter_;
  Reorderer reorderer_;
};

}  // namespace rizoma
