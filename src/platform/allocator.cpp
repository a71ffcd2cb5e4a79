#include "platform/allocator.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace rizoma {

void return_large_blocks() noexcept {
#ifdef __GLIBC__
  constexpr int kLarge = 128 << 10;  // where glibc begins
  constexpr int kAtEnd = 1 << 20;    // free bytes at the end of the heap, which the next call may need
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
  ::mallopt(M_TRIM_THRESHOLD, kAtEnd);
#endif
}

}  // namespace rizoma
