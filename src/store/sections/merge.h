// Merge: image + changes -> one compact CSR in memory, laid out as an image, so that a view reads it
// like a mapped image and a checkpoint writes it after sealing.
//
// How.  Changes are bucketed by vertex (a stable counting sort), each bucket is sorted by target
// (stable; many changes in passes over all of them, before), and merged with the vertex's list.  Lists without changes
// are copied in runs.
// Policy.  merge: of equal targets one stays, with the weight that came last.  keep: all stay, those
// of the image first, then by arrival.  What is removed leaves no trace: the result is a plain CSR.
// Cost.  O(entries + changes log of the longest bucket); streaming reads and writes.
// Memory.  The result, plus 16 bytes a change (32 weighted) while it runs.
// Where few lists have changes, those alone are made: merge_lists.h.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "store/sections/merge_arena.h"
#include "store/sections/image.h"
#include "store/sections/pending.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace rizoma {

struct MergeInput {
  /// The form of the result: section, direction, width, weight type, vertices, target bound.  Its num_entries and
  /// num_self_loops are not read.
  ImageSpec shape;
  unsigned section_bits = 0;
  ParallelEdges parallel_edges = ParallelEdges::merge;
  /// A verified image of the section with no more vertices and no wider targets; may be empty.
  ImageSpec image_spec;
  std::span<const std::byte> image;
  std::span<const ChangeRun> changes;
};

/// A section in memory: the bytes of an image; its header is blank until seal_image.
struct MergedImage {
  ImageSpec spec;
  std::shared_ptr<std::byte> bytes;
  [[nodiscard]] std::span<std::byte> span() const noexcept { return {bytes.get(), image_layout(spec).bytes}; }
};

/// The result is in `memory`.  Errors: unsupported if the section would have 2^32 entries.  Throws
/// std::bad_alloc.
Result<MergedImage> merge_section(const MergeInput& input, MergeArena& memory);

}  // namespace rizoma
