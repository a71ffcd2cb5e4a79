// ProcessorMask: the processors that a rank may run on, as it tells the others.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace rizoma {

/// A bit a processor, by the operating system's numbers; those beyond are left out.
using ProcessorMask = std::array<std::uint64_t, 16>;

/// Of the calling process.
[[nodiscard]] ProcessorMask usable_processor_mask();

/// Whether ranks of one machine have to share processors, even if each uses one only: who waits must not spin then.
[[nodiscard]] bool share_processors(std::span<const ProcessorMask> ranks) noexcept;

}  // namespace rizoma
