// Sorting by numbers of 64 bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma {

/// Sorts by rising key(item), which has 64 bits; items of the same key stay in their order.
/// How: counting passes over the bits in which keys differ, lowest first.  Cost: O(n) for each 11 of these bits, and
/// room for a copy of the items.
template <class T, class Key>
void radix_sort(std::vector<T>& items, Key key) {
  constexpr std::size_t kFew = 1 << 12;
  constexpr int kBits = 11;
  constexpr std::uint64_t kMask = (1 << kBits) - 1;
  if (items.size() < kFew) {
    std::ranges::stable_sort(items, {}, key);
    return;
  }
  std::uint64_t varying = 0;
  for (const T& item : items) varying |= key(item) ^ key(items.front());
  if (varying == 0) return;
  std::vector<T> sorted(items.size());
  std::vector<std::size_t> places;
  for (int shift = std::countr_zero(varying); shift < static_cast<int>(std::bit_width(varying)); shift += kBits) {
    places.assign(kMask + 1, 0);
    for (const T& item : items) ++places[(key(item) >> shift) & kMask];
    std::size_t next = 0;
    for (std::size_t& place : places) next += std::exchange(place, next);
    for (const T& item : items) sorted[places[(key(item) >> shift) & kMask]++] = item;
    items.swap(sorted);
  }
}

}  // namespace rizoma
