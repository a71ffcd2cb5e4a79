#include "base/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rizoma {

bool is_ascii(std::string_view text) noexcept {
  std::uint64_t any = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + i, sizeof eight);
    any |= eight;
  }
  for (; i < text.size(); ++i) any |= static_cast<unsigned char>(text[i]);
  return (any & 0x8080808080808080U) == 0;
}

bool is_utf8(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    if (text.size() - i >= 8) {  // most text is ASCII: eight bytes at once
      std::uint64_t eight = 0;
      std::memcpy(&eight, text.data() + i, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        i += 8;
        continue;
      }
    }
    const unsigned lead = byte(i++);
    if (lead < 0x80) continue;
    const unsigned more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || text.size() - i < more) return false;
    // The second byte's range excludes overlong forms, surrogates and code points beyond U+10FFFF.
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(i) < low || byte(i) > high) return false;
    for (unsigned k = 1; k < more; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return false;
    }
    i += more;
  }
  return true;
}

}  // namespace rizoma
