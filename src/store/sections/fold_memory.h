// FoldMemory: places for folded sections, side by side on huge pages.
//
// Sections in allocations of their own lie on small pages: a sweep's random reads of offsets and lists
// then miss the TLB, which cost BFS 17% with 5% of the edges pending.
// How: places are cut from slabs.  The first is small, as a huge page takes longer to be zeroed than a few
// sections to be folded; each next one is twice as large, up to a few MiB.  A slab lives while any of its
// places does; it stays small, so that one section that outlives its neighbours holds little.
// Cost: O(1) a place; at most half a slab is left empty.  Any thread.
#pragma once

#include "platform/mutex.h"

#include <cstddef>
#include <memory>

namespace rizoma {

class FoldMemory {
 public:
  /// `bytes` aligned to 64.  Throws std::bad_alloc.
  [[nodiscard]] std::shared_ptr<std::byte> take(std::size_t bytes);

 private:
  Mutex mutex_;
  std::shared_ptr<std::byte> slab_ RIZOMA_GUARDED_BY(mutex_);
  std::size_t size_ RIZOMA_GUARDED_BY(mutex_) = 0;  // of the slab
  std::size_t used_ RIZOMA_GUARDED_BY(mutex_) = 0;
};

}  // namespace rizoma
