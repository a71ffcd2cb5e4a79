// `checksum` of texts that are mostly short, as ids are: up to 16 bytes without a call.  The values are the same.
#pragma once

#include "base/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace rizoma {

[[nodiscard]] inline std::uint64_t short_checksum(std::string_view text) noexcept {
  if (text.size() <= 16) return XXH3_64bits(text.data(), text.size());
  return checksum(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace rizoma
