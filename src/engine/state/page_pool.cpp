#include "engine/state/page_pool.h"

#include "platform/pages.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kPlaces = 16;  // of a page, at which maps begin: further apart than stores on their way reach
constexpr std::size_t kStride = 7;   // maps made one after the other are two places apart at least, most of them more

/// The end of the last page of each block has the pool that it returns to.
struct Tail {
  std::shared_ptr<PagePool> pool;
};

constexpr std::size_t pages_of(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// The same for every place.
constexpr std::size_t length_of(std::size_t bytes) {
  return pages_of(bytes + kPage / kPlaces * (kPlaces - 1) + sizeof(Tail));
}

std::size_t place_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % kPage; }
std::byte* at(void* pages, std::size_t offset) { return static_cast<std::byte*>(pages) + offset; }
std::byte* pages_at(void* data) { return static_cast<std::byte*>(data) - place_of(data); }

/// Memory beyond what a pool keeps.
VertexMemory great_block(std::byte* pages, std::size_t place, std::size_t bytes) {
  return {at(pages, place), bytes,
          [](void* data, std::size_t size) noexcept { release_pages(pages_at(data), size + place_of(data)); }};
}

Tail* tail_of(void* pages, std::size_t length) { return reinterpret_cast<Tail*>(at(pages, length - sizeof(Tail))); }

}  // namespace

std::size_t PagePool::next_place() {
  const MutexLock lock(mutex_);
  return places_++ * kStride % kPlaces * (kPage / kPlaces);
}

/// The one of that kind that was kept last; without pages if there is none.
PagePool::Block PagePool::find_kept(std::size_t length, bool in_parts) {
  const MutexLock lock(mutex_);
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(),
                                  [&](const Block& one) { return one.length == length && one.in_parts == in_parts; });
  if (found == kept_.rend()) return {nullptr, length, 0, in_parts};
  const Block block = *found;
  kept_bytes_ -= block.length;
  kept_.erase(std::next(found).base());
  return block;
}

VertexMemory PagePool::take(std::size_t bytes, bool zeros) {
  if (bytes == 0) return {};
  if (bytes > kGreatestBlock) {
    const std::size_t place = next_place();
    return great_block(static_cast<std::byte*>(allocate_pages(bytes + place)), place, bytes);
  }
  Block block = find_kept(length_of(bytes), false);
  if (block.pages == nullptr) {
    block.place = next_place();
    block.pages = allocate_pages(block.length);
    touch_pages(block.pages, block.length);
  } else if (zeros) {
    std::memset(at(block.pages, block.place), 0, bytes);
  }
  new (tail_of(block.pages, block.length)) Tail{shared_from_this()};
  return {at(block.pages, block.place), bytes, &PagePool::release<false>};
}

VertexMemory PagePool::take_in_parts(std::size_t bytes) {
  if (bytes == 0) return {};
  if (bytes > kGreatestBlock) {
    const std::size_t place = next_place();
    return great_block(static_cast<std::byte*>(reserve_pages(bytes + place)), place, bytes);
  }
  Block block = find_kept(length_of(bytes), true);
  if (block.pages == nullptr) {
    block.place = next_place();
    block.pages = reserve_pages(block.length);
  }
  new (tail_of(block.pages, block.length)) Tail{shared_from_this()};
  return {at(block.pages, block.place), bytes, &PagePool::release<true>};
}

template <bool kInParts>
void PagePool::release(void* data, std::size_t bytes) noexcept {
  if (data == nullptr) return;
  if constexpr (kInParts) clear_pages(data, bytes);
  const Block block{pages_at(data), length_of(bytes), place_of(data), kInParts};
  Tail* const tail = tail_of(block.pages, block.length);
  const std::shared_ptr<PagePool> pool = std::move(tail->pool);
  tail->~Tail();
  pool->keep(block);
}

/// In place of those kept longest, if there are too many.
void PagePool::keep(Block block) noexcept {
  std::vector<Block> dropped;
  {
    const MutexLock lock(mutex_);
    try {
      dropped.reserve(kept_.size() + 1);
      kept_.push_back(block);
      kept_bytes_ += block.length;
    } catch (const std::bad_alloc&) {
      release_pages(block.pages, block.length);
      return;
    }
    auto first = kept_.begin();
    for (; kept_bytes_ > kMostBytes; ++first) {
      kept_bytes_ -= first->length;
      dropped.push_back(*first);
    }
    kept_.erase(kept_.begin(), first);
  }
  for (const Block& old : dropped) release_pages(old.pages, old.length);
}

std::size_t PagePool::kept_bytes() const {
  const MutexLock lock(mutex_);
  return kept_bytes_;
}

PagePool::~PagePool() {
  for (const Block& block : kept_) release_pages(block.pages, block.length);
}

}  // namespace rizoma
