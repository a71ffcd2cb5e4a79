#include "transport/processor_mask.h"

#include "platform/thread_pool.h"

#include <bit>
#include <cstddef>

namespace rizoma {

ProcessorMask usable_processor_mask() {
  ProcessorMask mask{};
  for (const unsigned processor : usable_processors()) {
    if (processor / 64 < mask.size()) mask[processor / 64] |= std::uint64_t{1} << (processor % 64);
  }
  return mask;
}

bool share_processors(std::span<const ProcessorMask> ranks) noexcept {
  // Ranks are bound to one processor or set each, or to none: of those with equal masks more than these have is enough.
  std::size_t all = 0;
  ProcessorMask together{};
  for (const ProcessorMask& mask : ranks) {
    std::size_t processors = 0;
    std::size_t alike = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
      processors += static_cast<std::size_t>(std::popcount(mask[i]));
      together[i] |= mask[i];
    }
    for (const ProcessorMask& other : ranks) alike += other == mask ? 1 : 0;
    if (alike > processors) return true;
  }
  for (const std::uint64_t word : together) all += static_cast<std::size_t>(std::popcount(word));
  return ranks.size() > all;
}

}  // namespace rizoma
