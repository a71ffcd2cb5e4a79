#include "store/fold_memory.h"

#include "platform/pages.h"

namespace rizoma {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSlab = std::size_t{8} << 20;

std::shared_ptr<std::byte> make_slab(std::size_t bytes) {
  return {static_cast<std::byte*>(allocate_pages(bytes)), [bytes](std::byte* data) { release_pages(data, bytes); }};
}

}  // namespace

std::shared_ptr<std::byte> FoldMemory::take(std::size_t bytes) {
  const std::size_t length = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (length > kSlab / 2) return make_slab(length);
  const std::lock_guard guard(mutex_);
  if (slab_ == nullptr || used_ + length > kSlab) {
    slab_ = make_slab(kSlab);
    used_ = 0;
  }
  std::shared_ptr<std::byte> place(slab_, slab_.get() + used_);
  used_ += length;
  return place;
}

}  // namespace rizoma
