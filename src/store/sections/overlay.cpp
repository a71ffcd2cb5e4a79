#include "store/sections/overlay.h"

#include "platform/process.h"

#include <bit>
#include <cstddef>
#include <cstdint>
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
  lists_.places = places_.data();
  lists_.before = before_.data();
  lists_.offsets = folded_.offsets;
  lists_.targets = folded_.targets;
  lists_.weights = folded_.weights;
  lists_.growth = static_cast<std::int64_t>(folded_.num_entries) - static_cast<std::int64_t>(image_entries);
  const FoldedPatches& patched = folded_.patched;
  if (patched.patches.empty()) return;
  states_ = std::make_unique<std::atomic<std::uint32_t>[]>(count);
  patched_ = {.begins = patched.begins.data(),
              .patches = patched.patches.data(),
              .targets = patched.targets.data(),
              .weights = folded_.weights == nullptr ? nullptr : patched.weights.data(),
              .room = folded_.targets,
              .weight_room = folded_.weights,
              .weight_bytes = folded_.weight_bytes,
              .states = states_.get(),
              .process = [] { return static_cast<std::uint32_t>(process_id()); }};
  lists_.patched = &patched_;
}

}  // namespace rizoma
