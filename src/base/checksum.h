// The one checksum of every durable byte: XXH3, 64 bits (xxHash library, about memory speed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma {

/// Checksum of `bytes`; `seed` separates uses, so that one kind of record never passes for another.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0) noexcept;

}  // namespace rizoma
