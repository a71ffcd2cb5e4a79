#include "store/sections/pending_index.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <bit>

namespace rizoma {

namespace {

constexpr std::size_t kFewest = 64;
constexpr unsigned kTagBits = 31;
constexpr std::uint32_t kTagMask = (std::uint32_t{1} << kTagBits) - 1;
constexpr std::size_t kGroup = 32;  // whose cache misses overlap
constexpr std::uint64_t kSpread =
    0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: the top bits of a product are mixed

}  // namespace

PendingIndex::Place PendingIndex::place_of(std::uint64_t pair) const noexcept {
  const std::uint64_t half = pair * kSpread;  // grids of places and targets would leave whole runs of slots taken
  const std::uint64_t hash = (half ^ (half >> 32)) * kSpread;
  const auto bits = static_cast<unsigned>(std::countr_zero(slots_.size()));
  return {static_cast<std::size_t>(hash >> (64 - bits)),
          static_cast<std::uint32_t>((hash >> (64 - kTagBits - bits)) & kTagMask)};
}

/// The first slot that has the tag, or is free.
std::size_t PendingIndex::likely_slot(Place place) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = place.slot;
  while (slots_[slot].newest != kNone && slots_[slot].tag != place.tag) slot = (slot + 1) & mask;
  return slot;
}

/// The slot of the pair, or the one that it would get.
std::size_t PendingIndex::slot_of(const PendingBuffer& buffer, std::uint64_t pair, Place place) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  while (true) {
    const std::size_t slot = likely_slot(place);
    const std::uint32_t newest = slots_[slot].newest;
    if (newest == kNone || pair_of(buffer.word(newest)) == pair) return slot;
    place.slot = (slot + 1) & mask;
  }
}

/// Changes [begin, end) become the newest of their pairs.
void PendingIndex::chain(const PendingBuffer& buffer, std::size_t begin, std::size_t end) noexcept {
  std::array<Place, kGroup> places;
  for (std::size_t first = begin; first < end; first += kGroup) {
    const std::size_t size = std::min(kGroup, end - first);
    for (std::size_t i = 0; i < size; ++i) {
      places[i] = place_of(pair_of(buffer.word(first + i)));
      __builtin_prefetch(&slots_[places[i].slot], 1);
    }
    for (std::size_t i = 0; i < size; ++i) {
      Slot& slot = slots_[slot_of(buffer, pair_of(buffer.word(first + i)), places[i])];
      before_[first + i] = slot.newest;
      slot.older = slot.newest == kNone ? 0 : 1;
      slot.newest = static_cast<std::uint32_t>(first + i);
      slot.tag = places[i].tag & kTagMask;
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
  if (count + count / 4 > slots_.size()) {
    slots_ = std::vector<Slot>(std::bit_ceil(std::max<std::size_t>(count + count / 4, kFewest)));
    first = 0;
  }
  before_.resize(count);
  chain(buffer, first, count);
}

void PendingIndex::forget(const PendingBuffer& buffer, std::uint64_t count) noexcept {
  for (std::size_t i = before_.size(); i > count; --i) {
    const std::uint64_t pair = pair_of(buffer.word(i - 1));
    Slot& slot = slots_[slot_of(buffer, pair, place_of(pair))];
    slot.newest = before_[i - 1];
    slot.older = slot.newest != kNone && before_[slot.newest] != kNone ? 1 : 0;
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
  std::array<Place, kGroup> places;
  for (std::size_t first = 0; first < pairs.size(); first += kGroup) {
    const auto group = pairs.subspan(first, std::min(kGroup, pairs.size() - first));
    for (std::size_t i = 0; i < group.size(); ++i) {
      places[i] = place_of(group[i]);
      __builtin_prefetch(&slots_[places[i].slot]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      places[i].slot = likely_slot(places[i]);
      const Slot& slot = slots_[places[i].slot];
      if (slot.newest == kNone) continue;
      buffer.prefetch(slot.newest);
      if (slot.older != 0) __builtin_prefetch(&before_[slot.newest]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto begin = static_cast<std::ptrdiff_t>(found.changes.size());
      const Slot& slot = slots_[slot_of(buffer, group[i], places[i])];
      if (slot.newest != kNone) found.changes.push_back(slot.newest);
      if (slot.older != 0) {
        for (std::uint32_t c = before_[slot.newest]; c != kNone; c = before_[c]) found.changes.push_back(c);
        std::reverse(found.changes.begin() + begin, found.changes.end());
      }
      found.ends.push_back(found.changes.size());
    }
  }
  return found;
}

}  // namespace rizoma
