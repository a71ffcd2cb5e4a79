// Overlay: the changed lists of a section, to be read instead of those in its image.
//
// A view of a store to which a small batch came costs what the batch touched: the lists of its vertices are merged,
// and all others are read where the image has them.  A bit for each vertex tells which are which.
// Memory: the merged lists, and 3 bits a vertex.  Great lists with few changes take only what differs, until a
// caller asks for one in one piece (delta_lists.h).
#pragma once

#include <rizoma/detail/adjacency.h>

#include "store/sections/merge_lists.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace rizoma {

class Overlay {
 public:
  explicit Overlay(MergedLists merged);
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  /// Valid while this lives.
  [[nodiscard]] const DeltaLists& lists() const noexcept { return merged_image_.lists; }
  /// For a later state to carry over.
  [[nodiscard]] const MergedLists& merged() const noexcept { return merged_image_; }
  /// Of the whole section.
  [[nodiscard]] EdgeCount num_entries() const noexcept { return merged_image_.num_entries; }
  [[nodiscard]] EdgeCount num_self_loops() const noexcept { return merged_image_.num_self_loops; }

 private:
  MergedLists merged_image_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> states_;  ///< of patched lists
  PatchedLists patched_;
};

}  // namespace rizoma
