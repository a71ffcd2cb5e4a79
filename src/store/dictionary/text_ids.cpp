#include "store/dictionary/text_ids.h"

#include <array>
#include <cstdio>
#include <string>

namespace rizoma {

Error id_is_no_text(std::string_view id) {
  constexpr std::size_t kMostShown = 40;
  std::string shown;
  for (const char byte : id.substr(0, kMostShown)) {
    const auto value = static_cast<unsigned char>(byte);
    std::array<char, 5> escaped{};
    if (value < 0x20 || value >= 0x7f) std::snprintf(escaped.data(), escaped.size(), "\\x%02X", value);
    shown += escaped[0] == 0 ? std::string(1, byte) : std::string(escaped.data());
  }
  return Error{ErrorCode::invalid_argument, "the vertex id '" + shown + (id.size() > kMostShown ? "..." : "") +
                                                "' is not UTF-8 text; convert it first"};
}

}  // namespace rizoma
