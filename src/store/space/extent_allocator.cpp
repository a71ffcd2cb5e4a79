#include "store/space/extent_allocator.h"

#include "base/check.h"
#include "base/random.h"
#include "store/disk_format.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// Blocks returned in one step: changes may wait for their sync as long as it takes.
constexpr std::uint64_t kMostAtOnce = std::uint64_t{2} << 20;
/// This share of the rest at once, if that is more: holes let a file claim any size.
constexpr std::uint64_t kLeastPart = std::uint64_t{1} << 16;

constexpr std::uint64_t align_page(std::uint64_t bytes) noexcept {
  return (bytes + format::kPage - 1) / format::kPage * format::kPage;
}

}  // namespace

// ---- ExtentSpace ----

std::optional<std::vector<Extent>> ExtentSpace::reset(std::span<const Extent> used, const FoundSpace& found) {
  free_.clear();
  filled_.clear();
  below_.clear();
  end_ = 0;
  floor_ = align_page(found.floor);
  std::vector<Extent> gaps;
  const auto add_gap = [&](std::uint64_t end) {
    if (end > end_ && end_ >= floor_) gaps.push_back({end_, end - end_});
    else if (end > end_) below_.add(end_, end);
    end_ = std::max(end, end_);
  };
  for (const Extent& extent : used) {
    if (extent.offset % format::kPage != 0 || extent.offset < end_ || extent.bytes > UINT64_MAX / 2 - extent.offset) {
      return std::nullopt;
    }
    add_gap(extent.offset);
    end_ = align_page(extent.offset + extent.bytes);
  }
  add_gap(align_page(found.size));
  return gaps;
}

std::uint64_t ExtentSpace::allocate(std::uint64_t bytes) {
  const std::uint64_t size = align_page(bytes);
  for (const auto& [begin, end] : free_.ranges()) {
    if (end - begin < size) continue;
    const std::uint64_t offset = begin;
    free_.remove(offset, offset + size);
    filled_.remove(offset, offset + size);
    return offset;
  }
  return std::exchange(end_, end_ + size);
}

void ExtentSpace::free(std::uint64_t offset, std::uint64_t bytes, bool empty) noexcept {
  const std::uint64_t end = offset + align_page(bytes);
  try {
    if (offset < floor_) return below_.add(offset, end);
    free_.add(offset, end);
    if (!empty) filled_.add(offset, end);
  } catch (const std::bad_alloc&) {  // nothing is wrong but that this space is not used again before the next open
    return;
  }
  const auto last = std::prev(free_.ranges().end());
  if (last->second < end_) return;
  end_ = last->first;
  free_.remove(end_, UINT64_MAX);
  filled_.remove(end_, UINT64_MAX);
}

void ExtentSpace::lift_floor() noexcept {
  floor_ = 0;
  below_.clear();
}

void ExtentSpace::end_filled(std::uint64_t size) { filled_.remove(align_page(size), UINT64_MAX); }

std::optional<Extent> ExtentSpace::take_filled(std::uint64_t keep) {
  const std::uint64_t filled = filled_.size();
  if (filled <= keep) return std::nullopt;
  const auto [begin, end] = *std::prev(filled_.ranges().end());
  const std::uint64_t step = std::max(kMostAtOnce, align_page(filled / kLeastPart));
  const std::uint64_t bytes = std::min({end - begin, align_page(filled - keep), step});
  free_.remove(end - bytes, end);
  filled_.remove(end - bytes, end);
  return Extent{end - bytes, bytes};
}

// ---- ExtentAllocator ----

Status ExtentAllocator::reset(std::vector<Extent> used, const std::vector<FoundSpace>& found,
                              std::uint64_t generation) {
  const auto before = [](const Extent& a, const Extent& b) {
    return std::pair(a.location, a.offset) < std::pair(b.location, b.offset);
  };
  if (!std::is_sorted(used.begin(), used.end(), before)) std::sort(used.begin(), used.end(), before);
  const MutexLock guard(mutex_);
  spaces_.resize(std::max<std::size_t>(found.size(), used.empty() ? 1 : used.back().location + 1));
  generation_ = generation;
  waiting_.clear();
  auto begin = used.begin();
  for (unsigned location = 0; location < spaces_.size(); ++location) {
    const auto end = std::find_if(begin, used.end(), [&](const Extent& extent) { return extent.location != location; });
    auto gaps = spaces_[location].reset({begin, end}, location < found.size() ? found[location] : FoundSpace{});
    if (!gaps) {
      return Error{ErrorCode::corrupt,
                   "the manifest names overlapping or misplaced extents in location " + std::to_string(location)};
    }
    for (Extent& gap : *gaps) {
      gap.location = location;
      waiting_.push_back({gap, 0, generation});
    }
    begin = end;
  }
  return {};
}

Extent ExtentAllocator::allocate(std::uint64_t bytes, unsigned location) {
  RIZOMA_CHECK(bytes > 0);
  const MutexLock guard(mutex_);
  if (location >= spaces_.size()) spaces_.resize(location + 1);
  return {spaces_[location].allocate(bytes), bytes, location};
}

void ExtentAllocator::set_generation(std::uint64_t generation) {
  const MutexLock guard(mutex_);
  generation_ = generation;
}

std::uint64_t ExtentAllocator::next_generation() const {
  const MutexLock guard(mutex_);
  return generation_ + 1;
}

void ExtentAllocator::expect_return() {
  const MutexLock guard(mutex_);
  const std::size_t needed = waiting_.size() + leases_ + 1;
  if (waiting_.capacity() < needed) waiting_.reserve(std::max(needed, 2 * waiting_.capacity()));
  ++leases_;
}

void ExtentAllocator::let_go(Extent extent, std::uint64_t first_generation) noexcept {
  if (process_id() != process_) return;  // a forked child's copy, whose lock may be held for ever
  const MutexLock guard(mutex_);
  --leases_;
  if (!extent.empty()) waiting_.push_back({extent, first_generation, generation_});
}

void ExtentAllocator::reclaim(std::span<const std::uint64_t> read) noexcept {
  const MutexLock guard(mutex_);
  for (std::size_t i = 0; i < waiting_.size();) {
    const Waiting each = waiting_[i];
    const auto reader = std::lower_bound(read.begin(), read.end(), each.first);
    if (reader != read.end() && *reader < each.end) {
      ++i;
      continue;
    }
    waiting_[i] = waiting_.back();
    waiting_.pop_back();
    spaces_[each.extent.location].free(each.extent.offset, each.extent.bytes);
  }
}

bool ExtentAllocator::has_floor(unsigned location) const {
  const MutexLock guard(mutex_);
  return location < spaces_.size() && spaces_[location].has_floor();
}

void ExtentAllocator::lift_floor(unsigned location) {
  const MutexLock guard(mutex_);
  const auto& ranges = spaces_[location].below_floor().ranges();
  waiting_.reserve(waiting_.size() + leases_ + ranges.size());
  for (const auto& [begin, end] : ranges) waiting_.push_back({{begin, end - begin, location}, 0, generation_});
  spaces_[location].lift_floor();
}

void ExtentAllocator::end_filled(unsigned location, std::uint64_t size) {
  const MutexLock guard(mutex_);
  if (location < spaces_.size()) spaces_[location].end_filled(size);
}

std::optional<Extent> ExtentAllocator::take_filled(unsigned location, std::uint64_t keep) {
  const MutexLock guard(mutex_);
  if (location >= spaces_.size()) return std::nullopt;
  auto taken = spaces_[location].take_filled(keep);
  if (taken) taken->location = location;
  return taken;
}

void ExtentAllocator::put_back(const Extent& range, bool empty) noexcept {
  const MutexLock guard(mutex_);
  spaces_[range.location].free(range.offset, range.bytes, empty);
}

std::uint64_t ExtentAllocator::end(unsigned location) const {
  const MutexLock guard(mutex_);
  return location < spaces_.size() ? spaces_[location].end() : 0;
}

std::uint64_t ExtentAllocator::in_use(unsigned location) const {
  const MutexLock guard(mutex_);
  return location < spaces_.size() ? spaces_[location].in_use() : 0;
}

// ---- LeaseBook ----

/// The place of its lease, present or future.
std::shared_ptr<const ExtentLease>& LeaseBook::place_of(const Extent& extent) {
  const std::size_t mask = leases_.size() - 1;
  // The address of the allocator is unknown to an author of a crafted store: extents cannot all want the same place.
  const auto salt = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(extents_.get()));
  for (std::size_t i = mix64(mix64(salt) ^ extent.offset ^ extent.location) & mask;; i = (i + 1) & mask) {
    std::shared_ptr<const ExtentLease>& lease = leases_[i];
    if (lease == nullptr) {
      ++used_;
      RIZOMA_CHECK(used_ < leases_.size());  // or the search for one more would not end
      return lease;
    }
    const Extent held = lease->extent();
    if (held.location == extent.location && held.offset == extent.offset) return lease;
  }
}

std::shared_ptr<const ExtentLease> LeaseBook::of(const Extent& extent) {
  std::shared_ptr<const ExtentLease>& lease = place_of(extent);
  if (lease == nullptr) lease = std::make_shared<const ExtentLease>(extents_, extent);
  return lease;
}

void LeaseBook::add(std::shared_ptr<const ExtentLease> lease) {
  std::shared_ptr<const ExtentLease>& place = place_of(lease->extent());
  RIZOMA_CHECK(place == nullptr);
  place = std::move(lease);
}

}  // namespace rizoma
