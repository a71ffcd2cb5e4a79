#include "base/checksum.h"

#include <xxhash.h>

namespace rizoma {

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace rizoma
