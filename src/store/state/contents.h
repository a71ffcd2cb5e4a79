// Contents: what a store holds at present, in memory and in extents: the graph with all changes that are visible, and
// after them those that are staged.  What opening a store makes, and what the successor of a renumbering is.
//
// Locks.  `mutex`, the state lock, guards what readers take; it is held for O(sections), never during I/O.  Staging is
// the writer's alone.  What is not marked is written under the state lock: by a thread that also holds the writer's or
// the publisher's lock, or, when a change becomes visible, by the committer's leader, which holds neither.  So only a
// thread that holds that other lock, while no change is on its way (Writer::settle), may read it without the state
// lock.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>
#include <rizoma/store_types.h>

#include "platform/mutex.h"
#include "store/columns/row_table.h"
#include "store/dictionary/dictionary.h"
#include "store/manifest/manifest.h"
#include "store/sections/pending.h"
#include "store/sections/removed_vertices.h"
#include "store/space/space.h"
#include "store/state/durable.h"
#include "store/state/section_table.h"
#include "store/state/snapshot.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rizoma {

class Contents {
 public:
  /// What a change becomes visible with.
  struct Staged {
    std::vector<SectionTable::Staged> out;
    std::vector<SectionTable::Staged> in;
    VertexId num_vertices = 0;
    std::shared_ptr<const RemovedVertices> removed;
    std::size_t edge_rows = 0;  ///< blocks of rows
    std::size_t vertex_rows = 0;
  };

  /// `space` outlives this.
  explicit Contents(const Space& space)
      : edge_rows(RowKind::edges, space.data()), vertex_rows(RowKind::vertices, space.data()), space_(space) {}

  // ---- as a whole: the caller is alone ----

  /// Nobody else has them yet: it is as if the lock was held.
  void assume_alone() const noexcept RIZOMA_THREADS(assert_capability(mutex)) {}
  /// Takes the schema, the order and the numbers of a manifest.
  void begin(const ManifestState& state, unsigned min_target_bytes);
  /// Takes sections, rows and the places of the rest, once there is a schema.
  void hold(const Durable& durable);
  /// The list of removed vertices, none of which is on its way.
  void set_removed(std::shared_ptr<const RemovedVertices> vertices) noexcept;

  // ---- the writer ----

  /// Makes room for this many vertices.  Errors: invalid_argument (too many).
  Status reserve(VertexId vertices);
  void begin_staging();
  /// Changes both directions of the edges, and both ends of undirected ones; not yet visible.
  void stage(ChangeKind kind, const EdgeColumns& edges);
  Staged end_staging();
  /// Drops the changes staged since `begin_staging`, when there were `vertices`, and these were removed.
  void rollback(VertexId vertices, std::shared_ptr<const RemovedVertices> were_removed);
  /// Drops all that is staged and not visible; `vertices` are left.
  void rollback_all(VertexId vertices);
  /// Makes a change visible; one at a time, in the order of staging.
  void publish(const Staged& change) noexcept;

  // ---- any thread ----

  [[nodiscard]] std::shared_ptr<const StoreSnapshot> snapshot();
  [[nodiscard]] GraphSchema present_schema() const;
  /// The schema for a bulk load: section_bits is 0 if the load may choose.
  [[nodiscard]] GraphSchema load_schema() const;
  [[nodiscard]] bool has_in() const noexcept { return schema.directed && schema.in_edges; }
  /// Of targets of a graph with this many vertices.
  [[nodiscard]] unsigned target_bytes_for(VertexId vertices) const noexcept;

  // ---- under the state lock ----

  /// What a manifest says of it beside its extents; nothing is on its way.
  [[nodiscard]] ManifestState manifest_state() const RIZOMA_REQUIRES(mutex);
  /// What is in extents.
  [[nodiscard]] Durable durable() const RIZOMA_REQUIRES(mutex);
  /// The order was asked for by its name: "auto" would have left its measures.
  [[nodiscard]] bool order_asked_for() const noexcept RIZOMA_REQUIRES(mutex);
  /// The present state is another one than that of the last snapshot.
  void forget_snapshot() noexcept RIZOMA_REQUIRES(mutex) { snapshot_ = nullptr; }
  /// The same, and it is durable as this generation.
  void set_generation(std::uint64_t published) noexcept RIZOMA_REQUIRES(mutex);
  /// Gets the successor's content for its own.  Nothing here may fail.
  void take_over(Contents& successor) noexcept RIZOMA_REQUIRES(mutex, successor.mutex);

  mutable Mutex mutex{LockLevel::contents};
  GraphSchema schema;
  bool bits_fixed = false;
  unsigned target_bytes = 4;  ///< never shrinks: images may have this width already
  VertexOrder order = VertexOrder::given;
  OrderReason order_reason RIZOMA_GUARDED_BY(mutex);
  EdgeCount ordered_entries = 0;
  VertexId num_vertices = 0;
  std::uint64_t generation = 0;
  std::shared_ptr<const Part> part;  ///< of the graph, if this is one part
  std::shared_ptr<Dictionary> dictionary;
  std::vector<IdentifiedExtent> dictionary_extents;
  std::shared_ptr<const RemovedVertices> removed;
  std::shared_ptr<const RemovedVertices> durable_removed;  ///< what removed_extent holds
  std::shared_ptr<const RemovedVertices> staged_removed;   ///< the writer's
  IdentifiedExtent removed_extent;
  std::optional<SectionTable> out;
  std::optional<SectionTable> in;  ///< only where the graph has it
  RowTable edge_rows;              ///< staged: the writer's; published: of the state
  RowTable vertex_rows;
  std::shared_ptr<std::atomic<bool>> cross_validated =
      std::make_shared<std::atomic<bool>>(false);  ///< see StoreSnapshot

 private:
  [[nodiscard]] SectionTable make_table(Direction direction, const std::vector<SectionExtents>& sections) const;
  [[nodiscard]] bool ordered_by_degree() const noexcept RIZOMA_REQUIRES(mutex);

  const Space& space_;
  std::shared_ptr<const void> pin_ RIZOMA_GUARDED_BY(mutex);  ///< of this generation, for snapshots; null: to be made
  std::shared_ptr<const StoreSnapshot> snapshot_ RIZOMA_GUARDED_BY(mutex);  ///< of the present state; null: to be made
};

}  // namespace rizoma
