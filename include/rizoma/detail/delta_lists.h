// DeltaLists: the delta of a section: lists that replace those of its image, whole or as patches.  Module: graph.
//
// A changed list lies whole in the delta.  A long list with few changes is patched: the delta holds the differences
// from the image's list only.  Readers of single entries read a patched list in runs (SectionEdges::for_runs); the
// first reader that needs it contiguous merges it, once.
#pragma once

#include <rizoma/ids.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

namespace rizoma {

/// A replacement of some entries by others.
struct Patch {
  std::uint32_t at = 0;     ///< the image's entry before which they stand
  std::uint32_t gone = 0;   ///< image entries from there on that are deleted
  std::uint32_t begin = 0;  ///< entries [begin, end) of those inserted
  std::uint32_t end = 0;
  std::uint32_t to = 0;  ///< place of the first one in the new list
};

/// The patched lists of a section, and the buffer that merges write to.
struct PatchedLists {
  const std::uint32_t* begins = nullptr;  ///< by changed list, plus one: its first patch; whole lists have none
  const Patch* patches = nullptr;
  const void* targets = nullptr;                 ///< of the inserted entries
  const void* weights = nullptr;                 ///< parallel to targets; null if unweighted
  void* room = nullptr;                          ///< buffer of merged targets
  void* weight_room = nullptr;                   ///< parallel to it
  std::uint32_t weight_bytes = 0;                ///< of one; 0 if unweighted
  std::atomic<std::uint32_t>* states = nullptr;  ///< by changed list; above 1: the merging process + 2
  enum State : std::uint32_t { kPatched, kMerged, kBusy };
  std::uint32_t (*process)() = nullptr;  ///< number of the calling process, below 2^31

  [[nodiscard]] std::span<const Patch> of(std::uint32_t list) const noexcept {
    return {patches + begins[list], patches + begins[list + 1]};
  }
  /// Whether the list is patched.
  [[nodiscard]] bool waits(std::uint32_t list) const noexcept {
    return begins[list] != begins[list + 1] && states[list].load(std::memory_order_acquire) != kMerged;
  }
  /// Calls merge() unless this list is merged; waits for a thread that merges it.  A child forked meanwhile has no such
  /// thread: it merges the list again, in its own copy of the buffer.
  template <class Merge>
  void merge_once(std::uint32_t list, Merge&& merge) const noexcept {
    const std::uint32_t busy = kBusy + process();
    for (std::uint32_t state = kPatched; state != kMerged;) {
      if (states[list].compare_exchange_strong(state, busy, std::memory_order_acquire)) {
        merge();
        states[list].store(kMerged, std::memory_order_release);
        states[list].notify_all();
        return;
      }
      if (state != busy) continue;  // merged, or another process's
      states[list].wait(busy, std::memory_order_acquire);
      state = kMerged;
    }
  }
};

/// Bounds of a list: entries [begin, end).
struct ListBounds {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const ListBounds&, const ListBounds&) = default;
};

/// The changed lists of a section.  bounds[i] locates the list of the i-th changed vertex: in `targets`, or, if
/// patched, in the merge buffer, whose first entry has number `room_begin`, valid once merged.
struct DeltaLists {
  static constexpr std::uint32_t kNoRoom = UINT32_MAX;
  const std::uint64_t* places = nullptr;  ///< one bit a vertex of the section: its list has changed
  const std::uint32_t* before = nullptr;  ///< for each word of `places`: the bits set in the words before it
  const ListBounds* bounds = nullptr;     ///< one for each changed list
  const void* targets = nullptr;          ///< of the section's type
  const void* weights = nullptr;          ///< parallel to targets; null if unweighted
  std::int64_t growth = 0;                ///< entries added minus entries deleted
  const PatchedLists* patched = nullptr;  ///< null: all lists are whole
  std::uint32_t room_begin = kNoRoom;

  [[nodiscard]] bool has(VertexId place) const noexcept { return (places[place >> 6] >> (place & 63) & 1) != 0; }
  /// The index of a place among the changed lists.
  [[nodiscard]] std::uint32_t index(VertexId place) const noexcept {
    const std::uint64_t lower = places[place >> 6] & ((std::uint64_t{1} << (place & 63)) - 1);
    return before[place >> 6] + static_cast<std::uint32_t>(std::popcount(lower));
  }
  [[nodiscard]] EdgeCount size(VertexId place) const noexcept {
    const ListBounds of = bounds[index(place)];
    return of.end - of.begin;
  }
  [[nodiscard]] bool waits(VertexId place) const noexcept {
    return patched != nullptr && has(place) && patched->waits(index(place));
  }
};

}  // namespace rizoma
