#include "store/sections/overlay.h"

#include "platform/process.h"

#include <cstdint>
#include <utility>

namespace rizoma {

Overlay::Overlay(MergedLists merged) : merged_image_(std::move(merged)) {
  const MergedPatches& patched = merged_image_.patched;
  if (patched.patches.empty()) return;
  states_ = std::make_unique<std::atomic<std::uint32_t>[]>(merged_image_.count);
  patched_ = {.begins = patched.begins.data(),
              .patches = patched.patches.data(),
              .targets = patched.targets.data(),
              .weights = merged_image_.weight_room == nullptr ? nullptr : patched.weights.data(),
              .room = merged_image_.target_room,
              .weight_room = merged_image_.weight_room,
              .weight_bytes = merged_image_.weight_bytes,
              .states = states_.get(),
              .process = [] { return static_cast<std::uint32_t>(process_id()); }};
  merged_image_.lists.patched = &patched_;
}

}  // namespace rizoma
