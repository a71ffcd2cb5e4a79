// DeltaLists: the lists that count instead of a section's own, and those that are told by what differs.
// Module: graph.
//
// A list that has changed lies whole in a place of its own.  A great one in which little has changed is patched: what
// differs from the section's own list is there, and the rest stays where it is.  Whoever takes entries as they come
// reads such a list in runs (SectionEdges::for_runs); it is merged, once, for the first who wants it in one piece.
#pragma once

#include <rizoma/ids.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

namespace rizoma {

/// Some entries in place of others.
struct Patch {
  std::uint32_t at = 0;     ///< the entry of the section's own arrays before which they stand
  std::uint32_t gone = 0;   ///< entries from there on that no longer count
  std::uint32_t begin = 0;  ///< entries [begin, end) of those that came
  std::uint32_t end = 0;
  std::uint32_t to = 0;  ///< where the first of them is in the list as it is now
};

/// The patched ones among the changed lists of a section, and the room where they are merged.
struct PatchedLists {
  const std::uint32_t* begins = nullptr;  ///< by changed list, and one more: its first patch; a whole list has none
  const Patch* patches = nullptr;
  const void* targets = nullptr;                 ///< of the entries that came
  const void* weights = nullptr;                 ///< parallel to targets; null if unweighted
  void* room = nullptr;                          ///< for all their targets
  void* weight_room = nullptr;                   ///< parallel to it
  std::uint32_t weight_bytes = 0;                ///< of one; 0 if unweighted
  std::atomic<std::uint32_t>* states = nullptr;  ///< by changed list; greater ones: the process that merges it, and 2
  enum State : std::uint32_t { kPatched, kMerged, kBusy };
  std::uint32_t (*process)() = nullptr;  ///< number of the calling process, below 2^31

  [[nodiscard]] std::span<const Patch> of(std::uint32_t list) const noexcept {
    return {patches + begins[list], patches + begins[list + 1]};
  }
  /// Whether the list is not in one piece.
  [[nodiscard]] bool waits(std::uint32_t list) const noexcept {
    return begins[list] != begins[list + 1] && states[list].load(std::memory_order_acquire) != kMerged;
  }
  /// Calls merge() unless it has been for this list; waits for another thread that is about it.  In a child that was
  /// forked meanwhile there is no such thread: it merges the list again, in its own copy of the room.
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

/// Where a list lies: entries [begin, end).
struct ListBounds {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const ListBounds&, const ListBounds&) = default;
};

/// The lists that count instead of a section's own, for the vertices whose edges have changed since.  Where the i-th of
/// these vertices has its list say bounds[i]: in `targets`, or, if it is patched, in the room for it, whose first entry
/// has the number `room_begin`; it is there once it is merged.
struct DeltaLists {
  static constexpr std::uint32_t kNoRoom = UINT32_MAX;
  const std::uint64_t* places = nullptr;  ///< a bit for each vertex of the section: set if its list has changed
  const std::uint32_t* before = nullptr;  ///< for each word of `places`: the bits set in the words before it
  const ListBounds* bounds = nullptr;     ///< one for each changed list
  const void* targets = nullptr;          ///< of the section's type
  const void* weights = nullptr;          ///< parallel to targets; null if unweighted
  std::int64_t growth = 0;                ///< entries that the section has more than its own arrays
  const PatchedLists* patched = nullptr;  ///< null: all lists are whole
  std::uint32_t room_begin = kNoRoom;

  [[nodiscard]] bool has(VertexId place) const noexcept { return (places[place >> 6] >> (place & 63) & 1) != 0; }
  /// Which of the changed lists is that of a place that has one.
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
