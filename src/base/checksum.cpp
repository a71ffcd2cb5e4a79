#include "base/checksum.h"

#define XXH_STATIC_LINKING_ONLY  // for the size of its state
#if defined(RIZOMA_XXHASH_DISPATCH)
#include <xxh_x86dispatch.h>  // the same functions, by the widest vectors that the processor has
#else
#include <xxhash.h>
#endif
#undef XXH_STATIC_LINKING_ONLY

#include <new>

namespace rizoma {

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

static_assert(sizeof(XXH3_state_t) <= 576 && alignof(XXH3_state_t) <= 64);

RunningChecksum::RunningChecksum(std::uint64_t seed) noexcept {
  auto* const state = new (state_.data()) XXH3_state_t;
  XXH3_INITSTATE(state);  // otherwise the compiler may keep the value of the former object
  XXH3_64bits_reset_withSeed(state, seed);
}

void RunningChecksum::add(std::span<const std::byte> bytes) noexcept {
  XXH3_64bits_update(std::launder(reinterpret_cast<XXH3_state_t*>(state_.data())), bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const noexcept {
  return XXH3_64bits_digest(std::launder(reinterpret_cast<const XXH3_state_t*>(state_.data())));
}

}  // namespace rizoma
