// Fold: image + changes -> one compact CSR in memory, laid out as an image, so that a view reads it
// like a mapped image and a checkpoint writes it after sealing.
//
// How.  Changes are bucketed by vertex (a stable counting sort), each bucket is sorted by target
// (stable), and merged with the vertex's list.  Lists without changes are copied in runs.
// Policy.  merge: of equal targets one stays, with the weight that came last.  keep: all stay, those
// of the image first, then by arrival.  What is removed leaves no trace: the result is a plain CSR.
// Cost.  O(entries + changes log of the longest bucket); streaming reads and writes.
// Memory.  The result, plus 16 bytes a change (24 weighted) while it runs.
// Where few lists have changes, `fold_lists` makes those alone, by the same rules: O(changes log changes + their
// entries), whatever the size of the section.  Of a great list with few changes it only finds what differs, by a search
// for each: O(changes log entries).
#pragma once

#include <rizoma/changed_lists.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/sections/fold_memory.h"
#include "store/sections/image.h"
#include "store/sections/pending.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

struct FoldInput {
  /// What comes out: section, direction, width, weight type, vertices, target bound.  Its
  /// num_entries and num_self_loops are not read.
  ImageSpec shape;
  unsigned section_bits = 0;
  ParallelEdges parallel_edges = ParallelEdges::merge;
  /// A verified image of the section with no more vertices and no wider targets; may be empty.
  ImageSpec image_spec;
  std::span<const std::byte> image;
  std::span<const ChangeRun> changes;
  /// fold_lists: lists of so many entries in the image are patched if few of them change; not if the weights are
  /// numbers of rows, which views have with and without.
  std::uint32_t great = kGreatList;
  static constexpr std::uint32_t kGreatList = 256;
  static constexpr std::uint32_t kNeverGreat = UINT32_MAX;
};

/// A section in memory: the bytes of an image; its header is blank until seal_image.
struct FoldedSection {
  ImageSpec spec;
  std::shared_ptr<std::byte> bytes;
  [[nodiscard]] std::span<std::byte> span() const noexcept { return {bytes.get(), image_layout(spec).bytes}; }
};

/// The result lies in `memory`.  Errors: unsupported if the section comes to 2^32 entries.  Throws
/// std::bad_alloc.
Result<FoldedSection> fold(const FoldInput& input, FoldMemory& memory);

/// What differs in the great lists that are patched (changed_lists.h).
struct FoldedPatches {
  std::vector<std::uint32_t> begins;  ///< by list, and one more
  std::vector<Patch> patches;
  std::vector<std::byte> targets;  ///< of the entries that came
  std::vector<std::byte> weights;
};

/// The lists that have changes, and no others.
struct FoldedLists {
  std::shared_ptr<std::byte> bytes;  ///< where `lists` lie, with the bits that say whose they are
  std::shared_ptr<std::byte> room;   ///< for those that are patched
  ChangedLists lists;                ///< but for `patched`
  std::byte* target_room = nullptr;
  std::byte* weight_room = nullptr;  ///< null if unweighted
  std::uint32_t weight_bytes = 0;
  std::uint32_t count = 0;    ///< of lists
  FoldedPatches patched;      ///< empty if no list is
  EdgeCount num_entries = 0;  ///< of the whole section
  EdgeCount num_self_loops = 0;
};

/// Nothing if these lists are so much of the section that folding it is better.  The input has an image.  The result
/// lies in `memory`.  Throws std::bad_alloc.
std::optional<FoldedLists> fold_lists(const FoldInput& input, FoldMemory& memory);

}  // namespace rizoma
