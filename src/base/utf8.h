// Whether bytes are text.
#pragma once

#include <string_view>

namespace rizoma {

/// True if no byte is beyond ASCII.
[[nodiscard]] bool is_ascii(std::string_view text) noexcept;

/// True if the bytes are UTF-8 as the Unicode standard defines it (no surrogates, nothing overlong).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// Whether a byte of UTF-8 is one after the first of a character.
[[nodiscard]] inline bool continues_utf8(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace rizoma
