// PackedBits: unsigned numbers of the same width in bits, one right after the other.  Module: base.
//
// Number i is in bits [i * width, (i + 1) * width), where bit 0 is the lowest one of the first byte.
// `pack` writes whole words of 8 bytes and an empty one after them, so that every number is read by one load of 8
// bytes: O(1), at random or in sequence.  Therefore a width is 1 to kMostPackedBits.
#pragma once

#include "base/check.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rizoma {

inline constexpr unsigned kMostPackedBits = 57;  ///< with up to 7 bits before it, a number is within 8 bytes

/// Bits that hold every number up to `most`, at least 1.
[[nodiscard]] constexpr unsigned bits_for(std::uint64_t most) noexcept {
  return most == 0 ? 1 : static_cast<unsigned>(std::bit_width(most));
}

/// What `count` numbers take.  `count * width` must fit 64 bits.
[[nodiscard]] constexpr std::uint64_t packed_bytes(std::uint64_t count, unsigned width) noexcept {
  return count == 0 ? 0 : (count * width + 63) / 64 * 8 + 8;
}

/// Writes number(0), number(1), .. to `out`, which has packed_bytes(count, width).  Before it asks for number(i) it has
/// written no byte from i * width / 8 on: numbers of 8 bytes may be packed where they are, and those of 4 bytes into at
/// most 32 bits.
template <class Number>
void pack(std::uint64_t count, unsigned width, std::byte* out, Number&& number) {
  RIZOMA_CHECK(width >= 1 && width <= kMostPackedBits);
  std::uint64_t word = 0;
  unsigned filled = 0;
  const auto put = [&out](std::uint64_t value) {
    std::memcpy(out, &value, sizeof value);
    out += sizeof value;
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t value = number(i);
    RIZOMA_CHECK(value >> width == 0);
    word |= value << filled;
    filled += width;
    if (filled < 64) continue;
    put(word);
    filled -= 64;
    word = filled == 0 ? 0 : value >> (width - filled);
  }
  if (filled > 0) put(word);
  if (count > 0) put(0);
}

class PackedBits {
 public:
  PackedBits() = default;
  PackedBits(const std::byte* begin, unsigned width) noexcept
      : begin_(begin), width_(width), mask_((std::uint64_t{1} << width) - 1) {}

  [[nodiscard]] std::uint64_t operator[](std::uint64_t i) const noexcept {
    const std::uint64_t bit = i * width_;
    std::uint64_t word;
    std::memcpy(&word, begin_ + bit / 8, sizeof word);  // little-endian
    return word >> (bit % 8) & mask_;
  }

 private:
  const std::byte* begin_ = nullptr;
  unsigned width_ = 0;
  std::uint64_t mask_ = 0;
};

}  // namespace rizoma
