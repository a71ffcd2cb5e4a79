// Variable-length integers (LEB128), as ranks exchange them.  Module: engine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rizoma {

inline constexpr std::size_t kMaxVarintBytes = 10;  ///< bytes of a number

/// Writes a number; returns the end of its bytes.
inline std::byte* write_varint(std::byte* to, std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<std::byte>((value & 0x7f) | 0x80);
  *to++ = static_cast<std::byte>(value);
  return to;
}

/// Reads a number; returns the end of its bytes, null if that lies beyond `end`.
inline const std::byte* read_varint(const std::byte* from, const std::byte* end, std::uint64_t& value) noexcept {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (from == end) return nullptr;
    const auto byte = static_cast<std::uint64_t>(*from++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return from;
}

/// A signed difference as an unsigned number (zigzag coding), and back.
inline constexpr std::uint64_t zigzag_difference(std::uint64_t from, std::uint64_t to) noexcept {
  const std::uint64_t step = to - from;
  return (step << 1) ^ (std::uint64_t{0} - (step >> 63));
}
inline constexpr std::uint64_t apply_zigzag(std::uint64_t from, std::uint64_t zigzag) noexcept {
  return from + ((zigzag >> 1) ^ (std::uint64_t{0} - (zigzag & 1)));
}

}  // namespace rizoma
