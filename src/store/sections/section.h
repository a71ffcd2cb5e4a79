// Section: what a store and its snapshots hold of one section in one direction.
//
//   StoredImage, StoredDelta  an extent of `data`; mapped and verified once, when first touched
//   SectionVersion            image + delta + the first `count` pending changes: immutable.  When a whole view first
//                             needs it, the lists that have changes are merged and laid over the image, or
//                             the section is merged if they are much of it; all snapshots that have it share that,
//                             and a later version carries it over: only what has changed since is merged again.
//                             A part of a section, which views filter out of it, is one in memory alone
//
// Any thread may use them.  Errors of loading: corrupt, io, unsupported, out_of_memory.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include <rizoma/detail/neighbor_list.h>

#include "platform/mutex.h"
#include "platform/medium.h"
#include "platform/process.h"
#include "store/sections/delta.h"
#include "store/space/extent_allocator.h"
#include "store/sections/merge.h"
#include "store/sections/image.h"
#include "store/sections/overlay.h"
#include "store/sections/parallel_edges.h"
#include "store/sections/part.h"
#include "store/sections/pending.h"
#include "store/sections/pair_weights.h"
#include "store/sections/pending_index.h"
#include "store/validation/validation.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

class DataFiles;

/// What all sections of a store in one direction have in common.
struct SectionContext {
  std::shared_ptr<const DataFiles> data;
  Direction direction = Direction::out;
  unsigned section_bits = 0;
  WeightType weights = WeightType::none;
  bool rows = false;  ///< the weights are row numbers; an edge without values has row 0
  ParallelEdges parallel_edges = ParallelEdges::merge;
  SelfLoops self_loops = SelfLoops::keep;
  std::int64_t process = process_id();  ///< that opened the store
  std::shared_ptr<const Part> part;     ///< null: this is the whole graph
};

/// Bytes of an extent, loaded once on demand: Spec is ImageSpec or DeltaSpec.
template <class Spec>
class StoredExtent {
 public:
  struct Loaded {
    Spec spec;
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };

  /// `id` is the header checksum that the manifest names, `num_entries` what it counts.
  StoredExtent(std::shared_ptr<const ExtentLease> lease, std::uint64_t id, EdgeCount num_entries,
               EdgeCount num_self_loops = 0) noexcept
      : lease_(std::move(lease)), id_(id), num_entries_(num_entries), num_self_loops_(num_self_loops) {}

  [[nodiscard]] Extent extent() const noexcept { return lease_->extent(); }
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] EdgeCount num_entries() const noexcept { return num_entries_; }
  [[nodiscard]] EdgeCount num_self_loops() const noexcept { return num_self_loops_; }

  /// The content, verified and validated against `facts`, which only grow.  `reader` is for the one who does so.
  Result<const Loaded*> load(const SectionContext& context, const SectionFacts& facts,
                             EntryReader* reader = nullptr) const;

 private:
  Result<Loaded> verified(const SectionContext& context, const SectionFacts& facts, EntryReader* reader) const;
  Result<Loaded> verified_head(const SectionContext& context, const SectionFacts& facts,
                               const std::string& where) const;

  std::shared_ptr<const ExtentLease> lease_;
  std::uint64_t id_;
  EdgeCount num_entries_;
  EdgeCount num_self_loops_;
  mutable Mutex mutex_{LockLevel::stored};
  mutable std::atomic<bool> done_{false};
  mutable Loaded loaded_;
};

using StoredImage = StoredExtent<ImageSpec>;
using StoredDelta = StoredExtent<DeltaSpec>;

/// A section as a view reads it; pointers stay valid while the SectionVersion lives.
struct SectionBytes {
  ImageSpec spec;
  std::span<const std::byte> bytes;
};

/// A section as stored: bytes, and the lists that count instead of theirs.  Both stay valid while the SectionVersion
/// lives.
struct SectionView {
  SectionBytes base;
  const DeltaLists* changed = nullptr;  ///< null: none
  EdgeCount num_entries = 0;            ///< of both together
  EdgeCount num_self_loops = 0;
};

/// The first `count` changes of a buffer.
struct PendingPart {
  std::shared_ptr<const PendingBuffer> buffer;
  std::uint64_t count = 0;
};

/// What a version has merged for views: lists to lie over the base, which is the image or a section that was merged.
struct MergedSection {
  std::optional<MergedImage> base;         ///< none: the image
  std::uint64_t base_changes = 0;          ///< in order, that are in the base and not in the image
  std::shared_ptr<const Overlay> overlay;  ///< null: the base is all
  std::uint64_t changes = 0;               ///< in order, that are in both
  std::uint32_t num_vertices = 0;
  unsigned target_bytes = 4;
};

class SectionVersion {
 public:
  struct Parts {
    SectionId section = 0;
    std::uint32_t num_vertices = 0;
    VertexId target_bound = 0;                 ///< vertices of the graph
    unsigned target_bytes = 4;                 ///< of the graph; the image's may be narrower
    std::shared_ptr<const StoredImage> image;  ///< null if there is none
    std::shared_ptr<const StoredDelta> delta;
    std::vector<PendingPart> pending;  ///< in order
    std::uint64_t pending_count = 0;   ///< of all of them
  };
  /// `former`: what an earlier version of the same image, with the first of the same changes, merged; null: nothing.
  SectionVersion(std::shared_ptr<const SectionContext> context, Parts parts,
                 std::shared_ptr<const MergedSection> former = nullptr) noexcept
      : context_(std::move(context)), parts_(std::move(parts)), former_(fitting(std::move(former))) {}
  /// A section that is in memory alone: `parts` has no image and no changes.
  SectionVersion(std::shared_ptr<const SectionContext> context, Parts parts, MergedImage section) noexcept
      : context_(std::move(context)), parts_(std::move(parts)), merge_done_(true), merged_image_(std::move(section)) {}

  [[nodiscard]] const std::shared_ptr<const SectionContext>& context() const noexcept { return context_; }
  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  /// Of another part of the graph than the one here: the lengths of its lists are known, and nothing else.
  [[nodiscard]] bool elsewhere() const noexcept {
    return context_->part != nullptr && !context_->part->has(parts_.section);
  }
  /// What a section is that is in memory alone; null for any other.
  [[nodiscard]] const ImageSpec* in_memory() const noexcept {
    return parts_.image == nullptr && num_changes() == 0 ? &merged_image_.spec : nullptr;
  }
  /// Changes that the image lacks.
  [[nodiscard]] std::uint64_t num_changes() const noexcept {
    return parts_.pending_count + (parts_.delta ? parts_.delta->num_entries() : 0);
  }

  /// The whole section, verified and merged: the mapped image itself if nothing changed since.  What is
  /// merged now is in `memory`: one for the sections of a view brings them side by side.
  Result<SectionBytes> load(MergeArena& memory) const;
  /// The same without merging more than the lists that have changes, where these are few.
  Result<SectionView> view(MergeArena& memory) const;
  /// What was merged so far, for a later version; null: nothing.
  [[nodiscard]] std::shared_ptr<const MergedSection> merged() const;
  /// Verifies the image with a reader of its entries, if the version is the image alone and was not verified before.
  Status verify_for(EntryReader& reader) const;
  /// Verifies image and delta, without merging.
  Status verify() const;
  /// Entries and self-loops; exact.  Loads the section only if changes may have merged.
  Result<std::pair<EdgeCount, EdgeCount>> count(MergeArena& memory) const;

  /// Calls visit(place, neighbours ascending, their weights: 1 in a graph without) for each of the
  /// places, which ascend, without merging.  Cost: the changes, and the lists.
  using ListVisitor = FunctionRef<void(std::uint32_t, std::span<const VertexId>, std::span<const double>)>;
  Status lists(std::span<const std::uint32_t> places, ListVisitor visit) const;
  /// The list of one place as it is in the image or in what was merged; kept by this version.  Nothing if
  /// there are pending changes that were not merged yet, until the searches have cost as much as a merge.  Numbers of
  /// rows may be left out of it, unless it is asked for them: where they are packed they are copied.
  Result<std::optional<NeighborList>> list(std::uint32_t place, bool with_rows) const;
  /// Appends the weights (1 in a graph without) of the edges of each pair to `found`.  A pair is the change_word that
  /// adds it; they ascend.  `indexes`: of the pending parts, in order; made if they are missing.  The writer's.
  /// Cost: the delta's changes, a search a pair.
  Status find(std::span<const std::uint64_t> pairs, std::vector<PendingIndex>& indexes, PairWeights& found) const;
  /// The changes in order: the delta's, then the pending ones.
  Result<std::vector<ChangeRun>> changes() const;

  /// Where the entries of `section`, which `load` or `view` gave, have their numbers of rows packed: these as float64,
  /// kept by this version; null if they lie as they are, or there are none.
  Result<const double*> unpacked_rows(const SectionBytes& section, MergeArena& memory) const;

  /// The values of an edge column for each entry that `load` gives, if they were looked up and are among the last ones
  /// that this version keeps; null if not.  Rows never change, so that they are those of every state that has this
  /// version.
  Result<std::shared_ptr<const std::byte>> kept_values(std::uint32_t column) const;
  Status keep_values(std::uint32_t column, std::shared_ptr<const std::byte> values) const;

 private:
  [[nodiscard]] SectionFacts facts() const noexcept;
  [[nodiscard]] Status expect_here() const;
  Result<SectionBytes> image_bytes() const;
  Result<std::vector<ChangeRun>> stored_changes() const;
  [[nodiscard]] MergeInput merge_input(const SectionBytes& image, std::span<const ChangeRun> runs) const noexcept;
  Status merge_once(MergeArena& memory) const;
  Status lay_over_once(const SectionBytes& base, MergeArena& memory) const;
  [[nodiscard]] std::shared_ptr<const MergedSection> fitting(
      std::shared_ptr<const MergedSection> former) const noexcept;
  Result<SectionBytes> base_of_view() const;
  Result<std::vector<ChangeRun>> changes_since(std::uint64_t first) const;
  [[nodiscard]] MergeLimits limits_over(const SectionBytes& base) const noexcept;
  [[nodiscard]] bool fits(const ImageSpec& image) const noexcept;
  [[nodiscard]] bool merging_pays() const noexcept;
  [[nodiscard]] bool image_serves() const noexcept;

  std::shared_ptr<const SectionContext> context_;
  Parts parts_;
  mutable Mutex mutex_{LockLevel::section};
  mutable std::atomic<bool> merge_done_{false};
  mutable MergedImage merged_image_;
  std::shared_ptr<const MergedSection> former_;
  mutable std::atomic<bool> overlay_done_{false};        ///< it exists, or would be too large
  mutable std::shared_ptr<const MergedSection> merged_;  ///< with the overlay; null if that would be too much
  mutable std::atomic<std::uint64_t> searched_{0};       ///< places, and changes for which `list` had no answer
  /// By column, the last ones last; guarded by mutex_.
  mutable std::vector<std::pair<std::uint32_t, std::shared_ptr<const std::byte>>> values_;
  mutable std::shared_ptr<const std::byte> rows_;  ///< unpacked; guarded by mutex_
};

}  // namespace rizoma
