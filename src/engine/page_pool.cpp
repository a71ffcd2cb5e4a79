#include "engine/page_pool.h"

#include "platform/pages.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kPage = 4096;

/// What lies at the end of the last page of each block: the pool that it goes back to.
struct Tail {
  std::shared_ptr<PagePool> pool;
};

constexpr std::size_t length_of(std::size_t bytes) { return (bytes + sizeof(Tail) + kPage - 1) / kPage * kPage; }

Tail* tail_of(void* data, std::size_t length) {
  return reinterpret_cast<Tail*>(static_cast<std::byte*>(data) + length - sizeof(Tail));
}

}  // namespace

VertexMemory PagePool::take(std::size_t bytes, bool zeros) {
  if (bytes == 0) return {};
  if (bytes > kGreatestBlock) {
    return {allocate_pages(bytes), bytes, [](void* data, std::size_t size) noexcept { release_pages(data, size); }};
  }
  const std::size_t length = length_of(bytes);
  void* data = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(kept_.rbegin(), kept_.rend(), [&](const Block& block) { return block.length == length; });
    if (found != kept_.rend()) {
      data = found->data;
      kept_bytes_ -= length;
      kept_.erase(std::next(found).base());
    }
  }
  if (data == nullptr) data = allocate_pages(length);
  else if (zeros) std::memset(data, 0, bytes);
  new (tail_of(data, length)) Tail{shared_from_this()};
  return {data, bytes, &PagePool::release};
}

void PagePool::release(void* data, std::size_t bytes) noexcept {
  if (data == nullptr) return;
  const std::size_t length = length_of(bytes);
  Tail* const tail = tail_of(data, length);
  const std::shared_ptr<PagePool> pool = std::move(tail->pool);
  tail->~Tail();
  pool->keep({data, length});
}

/// In place of those kept longest, if there are too many.
void PagePool::keep(Block block) noexcept {
  std::vector<Block> dropped;
  {
    const std::lock_guard lock(mutex_);
    try {
      dropped.reserve(kept_.size() + 1);
      kept_.push_back(block);
      kept_bytes_ += block.length;
    } catch (const std::bad_alloc&) {
      release_pages(block.data, block.length);
      return;
    }
    auto first = kept_.begin();
    for (; kept_bytes_ > kMostBytes; ++first) {
      kept_bytes_ -= first->length;
      dropped.push_back(*first);
    }
    kept_.erase(kept_.begin(), first);
  }
  for (const Block& old : dropped) release_pages(old.data, old.length);
}

std::size_t PagePool::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_bytes_;
}

PagePool::~PagePool() {
  for (const Block& block : kept_) release_pages(block.data, block.length);
}

}  // namespace rizoma
