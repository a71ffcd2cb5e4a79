// Numbers as text for messages.
#pragma once

#include <charconv>
#include <string>

namespace rizoma {

/// The shortest decimal text that reads back as `number`: "0.1", "1e+300", "nan".
inline std::string to_text(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

}  // namespace rizoma
