// Letters and digits of ASCII, whatever the program's locale: <cctype> asks the locale, and under a Turkish one "I" has
// no small letter.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace rizoma {

[[nodiscard]] constexpr bool is_capital(char c) noexcept { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_small(char c) noexcept { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept { return is_capital(c) || is_small(c); }
[[nodiscard]] constexpr char lower(char c) noexcept { return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

[[nodiscard]] inline std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), lower);
  return text;
}

/// Whether the text is this word of small letters, in any case.
[[nodiscard]] constexpr bool is_word(std::string_view text, std::string_view small) noexcept {
  return std::ranges::equal(text, small, {}, lower);
}

}  // namespace rizoma
