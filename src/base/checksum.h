// The one checksum of every durable byte: XXH3, 64 bits (xxHash library, about memory speed).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma {

/// Checksum of `bytes`; `seed` separates uses, so that one kind of record never passes for another.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0) noexcept;

/// The same for bytes that arrive in pieces.
class RunningChecksum {
 public:
  explicit RunningChecksum(std::uint64_t seed) noexcept;
  void add(std::span<const std::byte> bytes) noexcept;
  /// Of all that were added.
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  alignas(64) std::array<std::byte, 576> state_;  ///< an XXH3_state_t
};

}  // namespace rizoma
