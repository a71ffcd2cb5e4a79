#include "store/sections/overlay.h"

#include <bit>
#include <cstddef>
#include <utility>

namespace rizoma {

Overlay::Overlay(FoldedLists folded, std::uint32_t num_vertices, EdgeCount image_entries)
    : folded_(std::move(folded)), places_(num_vertices / 64 + 1), before_(places_.size()) {
  for (const std::uint32_t place : folded_.places) places_[place / 64] |= std::uint64_t{1} << (place % 64);
  std::uint32_t count = 0;
  for (std::size_t word = 0; word < places_.size(); ++word) {
    before_[word] = count;
    count += static_cast<std::uint32_t>(std::popcount(places_[word]));
  }
  folded_.places = {};
  const FoldedSection& lists = folded_.lists;
  const ImageLayout layout = image_layout(lists.spec);
  lists_.places = places_.data();
  lists_.before = before_.data();
  lists_.offsets = reinterpret_cast<const std::uint32_t*>(lists.bytes.get() + layout.offsets);
  lists_.targets = lists.bytes.get() + layout.targets;
  if (lists.spec.weights != WeightType::none) lists_.weights = lists.bytes.get() + layout.weights;
  lists_.growth = static_cast<std::int64_t>(folded_.num_entries) - static_cast<std::int64_t>(image_entries);
}

}  // namespace rizoma
