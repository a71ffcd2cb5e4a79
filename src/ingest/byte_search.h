// Search of 16 bytes at a time for either of two characters, in text with TextChunk::kPadding readable bytes after it.
// Cost: O(bytes before the character).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rizoma {

/// Where a field ends, and what its text is.
struct FoundByte {
  const char* at;
  bool plain;  ///< no byte before it is 0 or beyond ASCII
};

#if defined(__SSE2__)

/// The first of two characters at or after p, one of which exists in the text.
[[nodiscard]] inline FoundByte find_either(const char* p, char a, char b) noexcept {
  const __m128i first = _mm_set1_epi8(a), second = _mm_set1_epi8(b), one = _mm_set1_epi8(1);
  std::uint32_t others = 0;
  for (;; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, first), _mm_cmpeq_epi8(bytes, second));
    // As signed numbers 0 and what is beyond ASCII are less than 1.
    const auto odd = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmplt_epi8(bytes, one)));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(found));
    if (mask == 0) {
      others |= odd;
      continue;
    }
    const unsigned place = static_cast<unsigned>(std::countr_zero(mask));
    return {p + place, (others | (odd & ((1U << place) - 1))) == 0};
  }
}

#else

[[nodiscard]] inline FoundByte find_either(const char* p, char a, char b) noexcept {
  bool plain = true;
  for (; *p != a && *p != b; ++p) plain = plain && static_cast<signed char>(*p) >= 1;
  return {p, plain};
}

#endif

}  // namespace rizoma
