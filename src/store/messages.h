// The two errors that every reader of durable bytes gives.
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace rizoma {

/// "<where> <what>": bytes that fail their checksum or have no valid meaning.
[[nodiscard]] inline Error corrupt(std::string_view where, std::string_view what) {
  return {ErrorCode::corrupt, std::string(where) + " " + std::string(what)};
}

/// A structure written by a later release.
[[nodiscard]] inline Error future_version(std::string_view where, std::uint64_t version) {
  return {ErrorCode::unsupported, std::string(where) + " has format version " + std::to_string(version) +
                                      ", which this release does not know; use a newer release of Rizoma"};
}

}  // namespace rizoma
