// References to characters, as HTML and XML write them: `&auml;`, `&#228;`, `&#xE4;`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rizoma {

/// The character that `228` or `xE4` stands for; nullopt if there is no such character.
[[nodiscard]] std::optional<std::uint32_t> character_by_number(std::string_view digits) noexcept;

/// The text with characters in place of references; a name that HTML 4 lacks stays as it is.
[[nodiscard]] std::string without_references(std::string_view text);

}  // namespace rizoma
