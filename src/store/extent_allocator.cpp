#include "store/extent_allocator.h"

#include "base/check.h"
#include "store/format.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t align_page(std::uint64_t bytes) noexcept {
  return (bytes + format::kPage - 1) / format::kPage * format::kPage;
}

}  // namespace

bool ExtentSpace::reset(std::span<const Extent> used, std::uint64_t floor) {
  free_.clear();
  end_ = 0;
  floor_ = align_page(floor);
  for (const Extent& extent : used) {
    if (extent.offset % format::kPage != 0 || extent.offset < end_ || extent.bytes > UINT64_MAX / 2 - extent.offset) {
      return false;
    }
    if (extent.offset > end_) free_.emplace(end_, extent.offset - end_);
    end_ = align_page(extent.offset + extent.bytes);
  }
  std::erase_if(free_, [&](const auto& range) { return range.first < floor_; });
  end_ = std::max(end_, floor_);
  return true;
}

std::uint64_t ExtentSpace::allocate(std::uint64_t bytes) {
  const std::uint64_t size = align_page(bytes);
  for (auto place = free_.begin(); place != free_.end(); ++place) {
    const auto [offset, available] = *place;
    if (available < size) continue;
    auto range = free_.extract(place);
    if (available == size) return offset;
    range.key() = offset + size;
    range.mapped() = available - size;
    free_.insert(std::move(range));  // without need of memory
    return offset;
  }
  return std::exchange(end_, end_ + size);
}

void ExtentSpace::free(std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (offset < floor_) return;
  std::uint64_t begin = offset;
  std::uint64_t end = begin + align_page(bytes);
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
    return;
  }
  try {
    free_.emplace(begin, end - begin);
  } catch (const std::bad_alloc&) {  // nothing is wrong but that this space is not used again before the next open
  }
}

std::uint64_t ExtentSpace::free_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& range : free_) sum += range.second;
  return sum;
}

Status ExtentAllocator::reset(std::vector<Extent> used, const std::vector<std::uint64_t>& floors) {
  std::sort(used.begin(), used.end(), [](const Extent& a, const Extent& b) {
    return std::pair(a.location, a.offset) < std::pair(b.location, b.offset);
  });
  const std::lock_guard guard(mutex_);
  spaces_.resize(std::max<std::size_t>(floors.size(), used.empty() ? 1 : used.back().location + 1));
  auto begin = used.begin();
  for (unsigned location = 0; location < spaces_.size(); ++location) {
    const auto end = std::find_if(begin, used.end(), [&](const Extent& extent) { return extent.location != location; });
    if (!spaces_[location].reset({begin, end}, location < floors.size() ? floors[location] : 0)) {
      return Error{ErrorCode::corrupt, "the manifest names overlapping or misplaced extents in location " +
                                           std::to_string(location)};
    }
    begin = end;
  }
  return {};
}

Extent ExtentAllocator::allocate(std::uint64_t bytes, unsigned location) {
  RIZOMA_CHECK(bytes > 0);
  const std::lock_guard guard(mutex_);
  if (location >= spaces_.size()) spaces_.resize(location + 1);
  return {spaces_[location].allocate(bytes), bytes, location};
}

void ExtentAllocator::free(Extent extent) noexcept {
  if (extent.empty()) return;
  const std::lock_guard guard(mutex_);
  spaces_[extent.location].free(extent.offset, extent.bytes);
}

std::uint64_t ExtentAllocator::end(unsigned location) const {
  const std::lock_guard guard(mutex_);
  return location < spaces_.size() ? spaces_[location].end() : 0;
}

std::uint64_t ExtentAllocator::free_bytes() const {
  const std::lock_guard guard(mutex_);
  std::uint64_t sum = 0;
  for (const ExtentSpace& space : spaces_) sum += space.free_bytes();
  return sum;
}

}  // namespace rizoma
