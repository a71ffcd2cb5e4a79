#include "base/checksum.h"

#if defined(RIZOMA_XXHASH_DISPATCH)
#include <xxh_x86dispatch.h>  // the same functions, by the widest vectors that the processor has
#else
#include <xxhash.h>
#endif

namespace rizoma {

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace rizoma
