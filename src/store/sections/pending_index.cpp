#include "store/sections/pending_index.h"

#include "base/check.h"

#include <algorithm>
#include <bit>

namespace rizoma {

namespace {

constexpr std::size_t kFewest = 64;
constexpr std::uint64_t kSpread =
    0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: the top bits of a product are mixed

}  // namespace

std::size_t PendingIndex::slot_of(std::uint64_t pair) const noexcept {
  return static_cast<std::size_t>((pair * kSpread) >> (64 - std::countr_zero(newest_.size())));
}

void PendingIndex::chain(const PendingBuffer& buffer, std::uint32_t change) noexcept {
  std::uint32_t& newest = newest_[slot_of(pair_of(buffer.word(change)))];
  before_[change] = newest;
  newest = change;
}

void PendingIndex::know(const PendingBuffer& buffer, std::uint64_t count) {
  RIZOMA_CHECK(count < kMost);
  if (count <= before_.size()) return;
  std::size_t first = before_.size();
  before_.reserve(std::max(static_cast<std::size_t>(count), std::min<std::size_t>(2 * first, kMost)));
  if (count > newest_.size()) {
    newest_ = std::vector<std::uint32_t>(std::bit_ceil(std::max<std::size_t>(count, kFewest)), kNone);
    first = 0;
  }
  before_.resize(count);
  for (std::size_t i = first; i < count; ++i) chain(buffer, static_cast<std::uint32_t>(i));
}

void PendingIndex::forget(const PendingBuffer& buffer, std::uint64_t count) noexcept {
  for (std::size_t i = before_.size(); i > count; --i) {
    const auto change = static_cast<std::uint32_t>(i - 1);
    newest_[slot_of(pair_of(buffer.word(change)))] = before_[change];
  }
  if (count < before_.size()) before_.resize(count);
}

void PendingIndex::find(const PendingBuffer& buffer, std::uint64_t pair, std::vector<std::uint32_t>& found) const {
  found.clear();
  if (before_.empty()) return;
  for (std::uint32_t i = newest_[slot_of(pair)]; i != kNone; i = before_[i]) {
    if (pair_of(buffer.word(i)) == pair) found.push_back(i);
  }
  std::reverse(found.begin(), found.end());
}

}  // namespace rizoma
