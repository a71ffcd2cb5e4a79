// Comparison of texts most of which are short, such as ids.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace rizoma {

/// Whether these are the same bytes: short ones without a call, by words that overlap.
[[nodiscard]] inline bool is_same_text(std::string_view a, std::string_view b) noexcept {
  const auto same = [&]<class Word>(Word, std::size_t at) {
    Word one, other;
    std::memcpy(&one, a.data() + at, sizeof one);
    std::memcpy(&other, b.data() + at, sizeof other);
    return one == other;
  };
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  if (size >= 8 && size <= 16) return same(std::uint64_t{}, 0) && same(std::uint64_t{}, size - 8);
  if (size >= 4 && size < 8) return same(std::uint32_t{}, 0) && same(std::uint32_t{}, size - 4);
  return a == b;
}

}  // namespace rizoma
