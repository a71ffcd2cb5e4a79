#include "store/sections/overlay.h"

#include "platform/process.h"

#include <cstdint>
#include <utility>

namespace rizoma {

Overlay::Overlay(FoldedLists folded) : folded_(std::move(folded)) {
  const FoldedPatches& patched = folded_.patched;
  if (patched.patches.empty()) return;
  states_ = std::make_unique<std::atomic<std::uint32_t>[]>(folded_.count);
  patched_ = {.begins = patched.begins.data(),
              .patches = patched.patches.data(),
              .targets = patched.targets.data(),
              .weights = folded_.weight_room == nullptr ? nullptr : patched.weights.data(),
              .room = folded_.target_room,
              .weight_room = folded_.weight_room,
              .weight_bytes = folded_.weight_bytes,
              .states = states_.get(),
              .process = [] { return static_cast<std::uint32_t>(process_id()); }};
  folded_.lists.patched = &patched_;
}

}  // namespace rizoma
