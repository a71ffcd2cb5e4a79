// MergeArena: places for merged sections, side by side on huge pages.
//
// Sections in allocations of their own are on small pages: a sweep's random reads of offsets and lists
// then miss the TLB, which cost BFS 17% with 5% of the edges pending.
// How: places are cut from slabs.  The first is small, as a huge page takes longer to be zeroed than a few
// sections to be merged; each next one is twice as large, up to a few MiB.  A slab lives while any of its
// places does; it stays small, so that one section that outlives its neighbours holds little.
// Cost: O(1) a place; at most half a slab is left empty.  Any thread.
// What is reserved is apart, on small pages, of which only those that are written to take memory.
#pragma once

#include "platform/mutex.h"

#include <cstddef>
#include <memory>

namespace rizoma {

class MergeArena {
 public:
  /// `bytes` of zeroed memory aligned to 64.  Throws std::bad_alloc.
  [[nodiscard]] std::shared_ptr<std::byte> take(std::size_t bytes);
  /// The same for places that are written to in parts, or later.
  [[nodiscard]] std::shared_ptr<std::byte> reserve(std::size_t bytes);

 private:
  struct Slab {
    std::shared_ptr<std::byte> bytes;
    std::size_t size = 0;
    std::size_t used = 0;
  };
  Mutex mutex_{LockLevel::last};
  Slab taken_ RIZOMA_GUARDED_BY(mutex_);
  Slab reserved_ RIZOMA_GUARDED_BY(mutex_);
};

}  // namespace rizoma
