// SectionTable: the present state of all sections of a store in one direction.
//
// One writer stages changes (`stage`), which readers do not see until `publish_staged`; readers take
// immutable versions.  A checkpoint freezes what is published, writes it while more is staged behind it,
// and puts the written parts in its place.  All but `stage` need the store's state lock; stage does not,
// as it touches nothing but the newest pending buffers, which are append-only.
#pragma once

#include <rizoma/ids.h>

#include "store/manifest.h"
#include "store/section.h"
#include "store/snapshot.h"

#include <memory>
#include <vector>

namespace rizoma {

/// The durable parts of a section.
struct SectionParts {
  std::shared_ptr<const StoredImage> image;
  std::shared_ptr<const StoredDelta> delta;
};

/// Sections as a manifest lists them, and back.
[[nodiscard]] std::vector<SectionEntry> to_entries(const std::vector<SectionParts>& sections);
[[nodiscard]] std::vector<SectionParts> to_parts(const std::vector<SectionEntry>& entries,
                                                 const std::shared_ptr<ExtentAllocator>& extents);

class SectionTable {
 public:
  explicit SectionTable(std::shared_ptr<const SectionContext> context) noexcept : context_(std::move(context)) {}

  [[nodiscard]] const std::shared_ptr<const SectionContext>& context() const noexcept { return context_; }

  /// Makes room for the sections of a graph of this size; under the state lock.
  void reserve(VertexId num_vertices);
  /// Adds the change to the section of `source`, for which there is room.
  void stage(VertexId source, VertexId target, double weight);
  /// Makes what was staged part of the state.
  void publish_staged();

  /// The state as immutable versions, for a graph of this size.
  [[nodiscard]] StoreSnapshot::Versions versions(VertexId num_vertices, unsigned target_bytes);

  /// Later changes go to new buffers.  Nothing is staged.
  void freeze();
  /// The durable parts of all sections.
  [[nodiscard]] std::vector<SectionParts> parts() const;
  /// A checkpoint is durable: `sections` hold everything that was there at the last `freeze`.
  void replace(std::vector<SectionParts> sections);

  /// Entries of images and changes together: at least as many as there are.
  [[nodiscard]] EdgeCount upper_entries() const noexcept { return upper_entries_; }

 private:
  struct Slot {
    SectionParts durable;
    std::vector<PendingPart> frozen;  ///< in order; published, and not yet durable in a section
    std::shared_ptr<PendingBuffer> pending;
    std::uint64_t published = 0;  ///< of `pending`
    std::shared_ptr<const SectionVersion> version;  ///< null: to be made
  };
  [[nodiscard]] std::shared_ptr<const SectionVersion> make_version(const Slot& slot, SectionVersion::Parts parts) const;

  std::shared_ptr<const SectionContext> context_;
  std::vector<Slot> slots_;       ///< resized by `reserve` and `replace`, under the lock
  std::vector<SectionId> staged_;  ///< sections with staged changes
  EdgeCount upper_entries_ = 0;
};

}  // namespace rizoma
