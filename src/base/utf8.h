// Whether bytes are text.
#pragma once

#include <string_view>

namespace rizoma {

/// True if the bytes are UTF-8 as the Unicode standard defines it (no surrogates, nothing overlong).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace rizoma
