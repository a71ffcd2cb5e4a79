#include "store/extent_allocator.h"

#include "base/check.h"
#include "store/format.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace rizoma {
namespace {

constexpr std::uint64_t align_page(std::uint64_t bytes) noexcept {
  return (bytes + format::kPage - 1) / format::kPage * format::kPage;
}

}  // namespace

Status ExtentAllocator::reset(std::vector<Extent> used, std::uint64_t floor) {
  std::sort(used.begin(), used.end(), [](const Extent& a, const Extent& b) { return a.offset < b.offset; });
  const std::lock_guard guard(mutex_);
  free_.clear();
  end_ = 0;
  floor_ = align_page(floor);
  for (const Extent& extent : used) {
    if (extent.offset % format::kPage != 0 || extent.offset < end_ || extent.bytes > UINT64_MAX / 2 - extent.offset) {
      return Error{ErrorCode::corrupt, "the manifest names overlapping or misplaced extents (at byte " +
                                           std::to_string(extent.offset) + " of data)"};
    }
    if (extent.offset > end_) free_.emplace(end_, extent.offset - end_);
    end_ = align_page(extent.offset + extent.bytes);
  }
  std::erase_if(free_, [&](const auto& range) { return range.first < floor_; });
  end_ = std::max(end_, floor_);
  return {};
}

Extent ExtentAllocator::allocate(std::uint64_t bytes) {
  RIZOMA_CHECK(bytes > 0);
  const std::uint64_t size = align_page(bytes);
  const std::lock_guard guard(mutex_);
  for (auto place = free_.begin(); place != free_.end(); ++place) {
    const auto [offset, available] = *place;
    if (available < size) continue;
    free_.erase(place);
    if (available > size) free_.emplace(offset + size, available - size);
    return {offset, bytes};
  }
  const std::uint64_t offset = end_;
  end_ += size;
  return {offset, bytes};
}

void ExtentAllocator::free(Extent extent) {
  if (extent.empty() || extent.offset < floor_) return;
  std::uint64_t begin = extent.offset;
  std::uint64_t end = begin + align_page(extent.bytes);
  const std::lock_guard guard(mutex_);
  const auto next = free_.lower_bound(begin);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    RIZOMA_DCHECK(before->first + before->second <= begin);
    if (before->first + before->second == begin) {
      begin = before->first;
      free_.erase(before);
    }
  }
  if (next != free_.end() && next->first == end) {
    end += next->second;
    free_.erase(next);
  }
  if (end == end_) {
    end_ = begin;
  } else {
    free_.emplace(begin, end - begin);
  }
}

std::uint64_t ExtentAllocator::end() const {
  const std::lock_guard guard(mutex_);
  return end_;
}

std::uint64_t ExtentAllocator::free_bytes() const {
  const std::lock_guard guard(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& range : free_) bytes += range.second;
  return bytes;
}

}  // namespace rizoma
