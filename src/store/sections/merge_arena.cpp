#include "store/sections/merge_arena.h"

#include "platform/pages.h"

#include <algorithm>
#include <bit>

namespace rizoma {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFirstSlab = std::size_t{64} << 10;
constexpr std::size_t kLastSlab = std::size_t{8} << 20;

constexpr std::size_t kFirstReserve = std::size_t{1} << 20;
constexpr std::size_t kLastReserve = std::size_t{64} << 20;

std::shared_ptr<std::byte> make_slab(std::size_t bytes) {
  return {static_cast<std::byte*>(allocate_pages(bytes)), [bytes](std::byte* data) { release_pages(data, bytes); }};
}

std::shared_ptr<std::byte> make_reserve(std::size_t bytes) {
  return {static_cast<std::byte*>(reserve_pages(bytes)), [bytes](std::byte* data) { release_pages(data, bytes); }};
}

/// Cuts `length` bytes from a slab, or from a new one, which `make` makes, if it has not as many left.
template <class Slab>
std::shared_ptr<std::byte> cut(Slab& slab, std::size_t length, std::size_t first, std::size_t last,
                               std::shared_ptr<std::byte> (*make)(std::size_t)) {
  if (slab.used + length > slab.size) {
    const std::size_t size = std::clamp(std::max(2 * slab.size, std::bit_ceil(2 * length)), first, last);
    slab = {make(size), size, 0};
  }
  std::shared_ptr<std::byte> place(slab.bytes, slab.bytes.get() + slab.used);
  slab.used += length;
  return place;
}

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

std::shared_ptr<std::byte> MergeArena::take(std::size_t bytes) {
  const std::size_t length = aligned(bytes);
  if (length > kLastSlab / 2) return make_slab(length);
  const MutexLock guard(mutex_);
  return cut(taken_, length, kFirstSlab, kLastSlab, make_slab);
}

std::shared_ptr<std::byte> MergeArena::reserve(std::size_t bytes) {
  const std::size_t length = aligned(bytes);
  if (length > kLastReserve / 2) return make_reserve(length);
  const MutexLock guard(mutex_);
  return cut(reserved_, length, kFirstReserve, kLastReserve, make_reserve);
}

}  // namespace rizoma
