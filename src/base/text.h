// Numbers and names as text for messages.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace rizoma {

/// The shortest decimal text that reads back as `number`: "0.1", "1e+300", "nan".
inline std::string to_text(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// A name or a value that the user gave, as messages show it: 'amount'.  Code to type keeps its own quotes.
inline std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace rizoma
