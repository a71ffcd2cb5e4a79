// SectionTable: the present state of all sections of a store in one direction.
//
// One writer stages changes, batch by batch; readers, which have immutable versions, see a batch once it is
// published.  Batches are published in order, or rolled back.  A checkpoint freezes what is published,
// writes it while the writer stages more after it, and replaces it by the written extents.
// Calls of the writer need its lock and, as pending buffers are append-only for readers, no other; all
// others need the store's state lock.
#pragma once

#include <rizoma/ids.h>

#include "store/manifest/manifest.h"
#include "store/sections/section.h"
#include "store/state/snapshot.h"

#include <memory>
#include <vector>

namespace rizoma {

/// The durable parts of a section.
struct SectionExtents {
  std::shared_ptr<const StoredImage> image;
  std::shared_ptr<const StoredDelta> delta;
};

/// Sections as a manifest lists them, and back.
[[nodiscard]] std::vector<SectionEntry> to_entries(const std::vector<SectionExtents>& sections);
[[nodiscard]] std::vector<SectionExtents> to_parts(const std::vector<SectionEntry>& entries, LeaseBook& leases);

class SectionTable {
 public:
  explicit SectionTable(std::shared_ptr<const SectionContext> context) noexcept : context_(std::move(context)) {}

  [[nodiscard]] const std::shared_ptr<const SectionContext>& context() const noexcept { return context_; }

  /// Makes room for the sections of a graph of this size; by the writer, under the state lock too.
  void reserve(VertexId num_vertices);

  // ---- the writer ----

  /// Changes of one section that are staged: those of its newest buffer from `begin` to `end`.
  struct Staged {
    SectionId section = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// A batch begins.
  void begin_batch() noexcept;
  /// Adds the change to the section of `source`, for which there is room.
  void stage(ChangeKind kind, VertexId source, VertexId target, double weight);
  /// What the batch has staged, to be published; until the next batch begins it can be rolled back.
  [[nodiscard]] std::vector<Staged> end_batch();
  /// Rolls back the staged changes of the batch.
  void rollback() noexcept;
  /// Rolls back all that is staged and not published, while no batch is being published.
  void rollback_all() noexcept;
  /// The section with all that is staged, for a graph of this size; null if it has no edges and no changes.
  [[nodiscard]] std::shared_ptr<const SectionVersion> staged(SectionId section, VertexId num_vertices,
                                                             unsigned target_bytes) const;
  /// What SectionVersion::find finds in that section.
  Status find(SectionId section, std::span<const std::uint64_t> pairs, VertexId num_vertices, unsigned target_bytes,
              PairWeights& found);

  // ---- under the state lock ----

  /// Makes a batch part of the state.
  void publish(const std::vector<Staged>& batch) noexcept;

  /// The state as immutable versions, for a graph of this size.
  [[nodiscard]] StoreSnapshot::Versions versions(VertexId num_vertices, unsigned target_bytes);

  /// Later changes go to new buffers.  Nothing is staged.
  void freeze();
  /// The durable parts of all sections.
  [[nodiscard]] std::vector<SectionExtents> parts() const;
  /// A checkpoint is durable: `sections` hold everything that was there at the last `freeze`.
  void replace(std::vector<SectionExtents> sections);

  /// Entries of images and changes together: at least as many as there are.
  [[nodiscard]] EdgeCount upper_entries() const noexcept { return upper_entries_; }

 private:
  struct Slot {
    SectionExtents durable;
    std::vector<PendingPart> frozen;  ///< in order; published, and not yet durable in a section
    std::shared_ptr<PendingBuffer> pending;
    std::vector<PendingIndex> indexes;  ///< of `frozen`, then of `pending`, as far as the writer has asked for them
    std::uint64_t published = 0;        ///< of `pending`
    std::uint64_t batch = 0;            ///< that staged something here last; the writer's
    std::shared_ptr<const SectionVersion> version;  ///< null: to be made
    std::shared_ptr<const SectionVersion> before;   ///< the last one, if nothing but changes was added since
  };
  static void rollback(Slot& slot, std::uint64_t from) noexcept;
  [[nodiscard]] std::shared_ptr<const SectionVersion> make_version(
      SectionId section, VertexId num_vertices, unsigned target_bytes, std::uint64_t pending,
      std::shared_ptr<const MergedSection> former = nullptr) const;

  std::shared_ptr<const SectionContext> context_;
  std::vector<Slot> slots_;      ///< resized by `reserve` and `replace`, under the lock
  std::uint64_t batch_ = 0;      ///< number of the writer's batch
  std::vector<Staged> journal_;  ///< what it has staged
  EdgeCount upper_entries_ = 0;
};

}  // namespace rizoma
