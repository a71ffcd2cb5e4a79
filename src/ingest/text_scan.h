// Scanners of numbers and blanks in text that ends in '\n' and TextChunk::kPadding zero bytes.
//
// Integers are read eight digits at a time: a 64-bit word holds eight characters, one multiplication
// tree turns them into a number, and the count of leading digits comes from the lowest character that
// is none, so that numbers of different lengths cost no mispredicted branch.
// Requires a little-endian machine (checked at compile time).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace rizoma {

static_assert(std::endian::native == std::endian::little, "the integer scanner reads little-endian words");

[[nodiscard]] inline const char* skip_blanks(const char* p) noexcept {
  while (*p == ' ' || *p == '\t') ++p;
  return p;
}

/// True at '\n' and at '\r' before '\n'.
[[nodiscard]] inline bool at_line_end(const char* p) noexcept { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

/// True where a token may end: at a blank or the end of a line.
[[nodiscard]] inline bool at_token_end(const char* p) noexcept { return *p == ' ' || *p == '\t' || at_line_end(p); }

/// End of the token that begins at p.
[[nodiscard]] inline const char* token_end(const char* p) noexcept {
  while (!at_token_end(p)) ++p;
  return p;
}

/// First character of the next line.
[[nodiscard]] inline const char* next_line(const char* p, const char* end) noexcept {
  const void* newline = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return newline == nullptr ? end : static_cast<const char*>(newline) + 1;
}

struct EightDigits {
  unsigned count;       ///< leading digits, 0..8
  std::uint32_t value;  ///< of those digits
};

/// The digits at p; reads eight bytes.
[[nodiscard]] inline EightDigits scan_eight_digits(const char* p) noexcept {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  word ^= 0x3030303030303030u;  // digits become 0..9, everything else more
  const std::uint64_t others = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
  if ((others & 0x80) != 0) return {0, 0};
  const unsigned count = others == 0 ? 8 : static_cast<unsigned>(std::countr_zero(others)) / 8;
  word <<= 64 - 8 * count;  // count >= 1; leading zeros fill up
  word = (word * 10) + (word >> 8);
  const std::uint64_t pairs = 0x000000FF000000FFu;
  word = (((word & pairs) * (100 + (1000000ull << 32))) + (((word >> 16) & pairs) * (1 + (10000ull << 32)))) >> 32;
  return {count, static_cast<std::uint32_t>(word)};
}

inline constexpr std::uint32_t kPowersOfTen[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// Reads an unsigned decimal number.  Returns the first character after it; p itself if there is no
/// digit; nullptr if the number does not fit 63 bits.
[[nodiscard]] inline const char* scan_unsigned(const char* p, std::int64_t& value) noexcept {
  const EightDigits head = scan_eight_digits(p);
  value = head.value;
  p += head.count;
  if (head.count < 8) [[likely]]
    return p;
  for (;;) {
    const EightDigits more = scan_eight_digits(p);
    if (__builtin_mul_overflow(value, static_cast<std::int64_t>(kPowersOfTen[more.count]), &value) ||
        __builtin_add_overflow(value, static_cast<std::int64_t>(more.value), &value)) {
      return nullptr;
    }
    p += more.count;
    if (more.count < 8) return p;
  }
}

/// The same for any 64-bit integer: an optional '-' may come first.
[[nodiscard]] const char* scan_signed(const char* p, std::int64_t& value) noexcept;

/// Whether a decimal number that is out of range is too small for it, and not too large: its first digit other than 0
/// stands for less than 1.
[[nodiscard]] bool is_below_one(std::string_view number) noexcept;

/// Reads a finite decimal number up to `end`.  Returns the first character after it, or nullptr if
/// there is none, or it is not a number, infinite, or too large for a double; one that is too small is 0.
[[nodiscard]] const char* scan_number(const char* p, const char* end, double& value) noexcept;

/// What is at p, for a message: the token in quotes (cut when long), "the end of the line", or a byte.
[[nodiscard]] std::string describe_token(const char* p, const char* end);

}  // namespace rizoma
