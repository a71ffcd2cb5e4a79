#include "store/space/range_set.h"

#include <algorithm>
#include <iterator>

namespace rizoma {

void RangeSet::add(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second >= begin) {
    next = std::prev(next);
    begin = next->first;
  }
  while (next != ranges_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace_hint(next, begin, end);
}

void RangeSet::remove(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin()) next = std::prev(next);
  while (next != ranges_.end() && next->first < end) {
    const auto [first, last] = *next;
    if (last <= begin) {
      ++next;
      continue;
    }
    next = ranges_.erase(next);
    if (first < begin) ranges_.emplace(first, begin);
    if (last > end) ranges_.emplace(end, last);
  }
}

std::uint64_t RangeSet::size() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& [begin, end] : ranges_) sum += end - begin;
  return sum;
}

}  // namespace rizoma
