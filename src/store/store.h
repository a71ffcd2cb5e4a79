// Store: the durable mutable CSR: log, pending changes, section images, manifest, dictionary.
//
// A batch is appended to the log and synced, then becomes visible at once and whole.  A checkpoint
// moves what the log holds into images (sections that changed much) and deltas (the others), publishes
// a new manifest, and starts a new log.  docs/internals/durability.md says what is promised and why.
//
// Threads.  Any; writers wait for each other, readers (snapshot, info) wait for neither I/O nor writers.
// Failure.  After a failed write or sync of the log or the superblock the durable state is unknown:
// every later change gives that same Error; reading goes on; opening the store anew recovers.
#pragma once

#include <rizoma/edge_batch.h>
#include <rizoma/executor.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>
#include <rizoma/store_types.h>

#include "platform/medium.h"
#include "store/bulk_load.h"
#include "store/dictionary.h"
#include "store/log.h"
#include "store/manifest.h"
#include "store/publish.h"
#include "store/section_table.h"
#include "store/snapshot.h"
#include "store/superblock.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {

class DataFile;

struct StoreOptions {
  GraphSchema schema;                       ///< for a store that is created
  std::uint64_t log_limit = 64u << 20;      ///< a log longer than this is followed by a checkpoint
  std::uint64_t close_limit = 1u << 20;     ///< a log longer than this is not left to the next open
  unsigned rewrite_percent = 25;            ///< a section with more changes than this share of it is rewritten
  unsigned min_target_bytes = 4;            ///< 8: wide targets however few vertices (tests)
};

class Store {
 public:
  /// Errors: already_exists, locked, io, invalid_argument (the schema).
  static Result<std::unique_ptr<Store>> create(std::shared_ptr<Medium> medium, const StoreOptions& options);
  /// Recovers what was acknowledged.  Errors: not_found, locked, corrupt, unsupported, io.
  static Result<std::unique_ptr<Store>> open(std::shared_ptr<Medium> medium, const StoreOptions& options = {});
  /// The last published state, beside a writer of another process if need be; refuses changes.
  static Result<std::unique_ptr<Store>> open_read_only(std::shared_ptr<Medium> medium, const StoreOptions& options = {});
  /// True if there is a store.  Error of code corrupt if there are only remains of one.
  static Result<bool> exists(Medium& medium);
  ~Store();  ///< closes

  [[nodiscard]] GraphSchema schema() const;
  /// The schema for a bulk load of this store: section_bits is 0 if the load may choose.
  [[nodiscard]] GraphSchema load_schema() const;

  /// Adds vertices and edges as one record of the log: after a crash all of it is there or nothing.
  Status add(const EdgeBatch& edges, const IdColumn& vertices);
  Status add_edges(const EdgeBatch& edges) { return add(edges, {}); }
  Status add_vertices(const IdColumn& ids) { return add({}, ids); }

  [[nodiscard]] Result<std::shared_ptr<const StoreSnapshot>> snapshot();
  [[nodiscard]] Result<GraphInfo> info();

  /// Verifies every byte of the dictionary.
  Status verify_dictionary() const;

  Status checkpoint();
  Status compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings = {});
  Status close();

  /// Where a bulk load of this store's empty graph puts its sections; lives at most as long as the store.
  Result<std::unique_ptr<LoadTarget>> load_target();
  [[nodiscard]] Medium& medium() noexcept { return *medium_; }

 private:
  friend class StoreLoadTarget;
  class Replayer;
  /// Everything durable, held by its leases.
  struct Durable {
    std::vector<SectionParts> out;
    std::vector<SectionParts> in;
    std::vector<std::shared_ptr<const ExtentLease>> dictionary;
  };

  /// One change on its way into the log.
  struct Change {
    std::vector<VertexId> sources;
    std::vector<VertexId> targets;
    std::vector<double> weights;
    LogPayload payload;
    [[nodiscard]] EdgeColumns edges() const noexcept { return {sources, targets, weights}; }
  };

  Store(std::shared_ptr<Medium> medium, const StoreOptions& options, bool read_only);

  // opening: recovery.cpp
  Status create_files();
  Status recover();
  Status choose_next_number(const SuperblockSlots& slots);
  Status load_manifest(const ManifestState& state);
  Status load_dictionary(const ManifestState& state);
  Status replay(const ManifestFile& manifest);
  void make_tables();
  [[nodiscard]] std::shared_ptr<SectionContext> make_context(Direction direction) const;

  // changing: store.cpp
  Status check_writable() const;
  Result<Change> prepare(const EdgeBatch& edges, const IdColumn& vertices);
  Status commit(const LogPayload& payload);
  Status apply(const EdgeColumns& edges, VertexId num_vertices);
  Status log_new_vertices(VertexId before, LogPayload& payload) const;
  Status set_num_vertices(VertexId num_vertices);
  Status checkpoint_if_due();
  Status write_closed_record();
  Status list_files(GraphInfo& info) const;
  [[nodiscard]] bool has_in() const noexcept { return schema_.directed && schema_.in_edges; }
  [[nodiscard]] unsigned target_bytes_for(VertexId num_vertices) const noexcept;
  [[nodiscard]] bool ordered_by_degree() const noexcept;

  // publishing: checkpoint.cpp
  Status checkpoint_locked(unsigned rewrite_percent);
  Result<std::vector<SectionParts>> write_sections(SectionTable& table, const StoreSnapshot::Versions& versions,
                                                   unsigned rewrite_percent);
  Result<SectionParts> write_section(const SectionVersion& version, const SectionContext& context, bool rewrite,
                                     FoldMemory& memory);
  Result<std::shared_ptr<const ExtentLease>> write_extent(std::span<const std::byte> bytes);
  [[nodiscard]] ManifestState manifest_state(const Durable& durable) const;
  Result<Published> publish(ManifestState& state);
  void adopt(Published published, const ManifestState& state);
  [[nodiscard]] std::unique_ptr<LoadTarget> make_load_target();
  Status install(Durable durable, ManifestState state, std::shared_ptr<Dictionary> dictionary);

  const std::shared_ptr<Medium> medium_;
  const StoreOptions options_;
  const bool read_only_;

  std::mutex writer_mutex_;  ///< one change at a time; taken before state_mutex_
  std::unique_ptr<WriterLock> lock_;
  format::StoreId store_id_;
  std::shared_ptr<DataFile> data_;
  std::shared_ptr<ExtentAllocator> extents_ = std::make_shared<ExtentAllocator>();
  std::unique_ptr<Log> log_;
  std::uint64_t file_number_ = 0;       ///< N of the present manifest.N and log.N
  std::uint64_t next_file_number_ = 1;  ///< grows with every attempt to publish
  std::uint64_t manifest_end_ = 0;
  std::uint64_t checkpoint_at_ = 0;     ///< length of the log that asks for a checkpoint
  std::vector<std::shared_ptr<const ExtentLease>> dictionary_extents_;
  std::optional<Error> failure_;        ///< see Failure above
  bool closed_ = false;

  mutable std::mutex state_mutex_;  ///< guards what follows; held for O(sections), never during I/O
  GraphSchema schema_;
  bool bits_fixed_ = false;
  unsigned target_bytes_ = 4;  ///< never shrinks: images may have this width already
  VertexOrder order_ = VertexOrder::given;
  EdgeCount ordered_entries_ = 0;
  VertexId num_vertices_ = 0;
  std::uint64_t generation_ = 0;
  std::shared_ptr<Dictionary> dictionary_;
  std::optional<SectionTable> out_;
  std::optional<SectionTable> in_;
  std::shared_ptr<const StoreSnapshot> snapshot_;  ///< of the present state; null: to be made
};

}  // namespace rizoma
