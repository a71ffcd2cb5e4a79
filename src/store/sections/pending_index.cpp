#include "store/sections/pending_index.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <bit>

namespace rizoma {

namespace {

constexpr std::size_t kFewest = 64;
constexpr std::size_t kGroup = 32;  // whose cache misses overlap
constexpr std::uint64_t kSpread =
    0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: the top bits of a product are mixed

}  // namespace

std::size_t PendingIndex::slot_of(std::uint64_t pair) const noexcept {
  return static_cast<std::size_t>((pair * kSpread) >> (64 - std::countr_zero(newest_.size())));
}

/// Changes [begin, end) begin their chains.
void PendingIndex::chain(const PendingBuffer& buffer, std::size_t begin, std::size_t end) noexcept {
  std::array<std::size_t, kGroup> slots;
  for (std::size_t first = begin; first < end; first += kGroup) {
    const std::size_t size = std::min(kGroup, end - first);
    for (std::size_t i = 0; i < size; ++i) {
      slots[i] = slot_of(pair_of(buffer.word(first + i)));
      __builtin_prefetch(&newest_[slots[i]], 1);
    }
    for (std::size_t i = 0; i < size; ++i) {
      std::uint32_t& newest = newest_[slots[i]];
      before_[first + i] = newest;
      newest = static_cast<std::uint32_t>(first + i);
    }
  }
}

void PendingIndex::know(const PendingBuffer& buffer, std::uint64_t count) {
  RIZOMA_CHECK(count < kMost);
  if (count <= before_.size()) return;
  std::size_t first = before_.size();
  if (count > before_.capacity()) {
    before_.reserve(std::max(static_cast<std::size_t>(count), std::min<std::size_t>(2 * first, kMost)));
  }
  if (count > newest_.size()) {
    newest_ = std::vector<std::uint32_t>(std::bit_ceil(std::max<std::size_t>(count, kFewest)), kNone);
    first = 0;
  }
  before_.resize(count);
  chain(buffer, first, count);
}

void PendingIndex::forget(const PendingBuffer& buffer, std::uint64_t count) noexcept {
  for (std::size_t i = before_.size(); i > count; --i) {
    const auto change = static_cast<std::uint32_t>(i - 1);
    newest_[slot_of(pair_of(buffer.word(change)))] = before_[change];
  }
  if (count < before_.size()) before_.resize(count);
}

PendingIndex::Found PendingIndex::find(const PendingBuffer& buffer, std::span<const std::uint64_t> pairs) const {
  Found found;
  found.ends.reserve(pairs.size());
  if (before_.empty()) {
    found.ends.resize(pairs.size());
    return found;
  }
  std::array<std::size_t, kGroup> slots;
  for (std::size_t first = 0; first < pairs.size(); first += kGroup) {
    const auto group = pairs.subspan(first, std::min(kGroup, pairs.size() - first));
    for (std::size_t i = 0; i < group.size(); ++i) {
      slots[i] = slot_of(group[i]);
      __builtin_prefetch(&newest_[slots[i]]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::uint32_t newest = newest_[slots[i]];
      if (newest == kNone) continue;
      buffer.prefetch(newest);
      __builtin_prefetch(&before_[newest]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto begin = static_cast<std::ptrdiff_t>(found.changes.size());
      for (std::uint32_t c = newest_[slots[i]]; c != kNone; c = before_[c]) {
        if (pair_of(buffer.word(c)) == group[i]) found.changes.push_back(c);
      }
      std::reverse(found.changes.begin() + begin, found.changes.end());
      found.ends.push_back(found.changes.size());
    }
  }
  return found;
}

}  // namespace rizoma
