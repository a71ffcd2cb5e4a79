#include "store/sections/fold_memory.h"

#include "platform/pages.h"

#include <algorithm>
#include <bit>

namespace rizoma {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFirstSlab = std::size_t{64} << 10;
constexpr std::size_t kLastSlab = std::size_t{8} << 20;

std::shared_ptr<std::byte> make_slab(std::size_t bytes) {
  return {static_cast<std::byte*>(allocate_pages(bytes)), [bytes](std::byte* data) { release_pages(data, bytes); }};
}

}  // namespace

std::shared_ptr<std::byte> FoldMemory::take(std::size_t bytes) {
  const std::size_t length = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (length > kLastSlab / 2) return make_slab(length);
  const MutexLock guard(mutex_);
  if (used_ + length > size_) {
    const std::size_t size = std::clamp(std::max(2 * size_, std::bit_ceil(2 * length)), kFirstSlab, kLastSlab);
    slab_ = make_slab(size);
    size_ = size;
    used_ = 0;
  }
  std::shared_ptr<std::byte> place(slab_, slab_.get() + used_);
  used_ += length;
  return place;
}

}  // namespace rizoma
