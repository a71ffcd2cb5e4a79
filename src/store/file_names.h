// The names of a store's files that carry a number: manifest.N, manifest-copy.N, log.N.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace rizoma {

inline constexpr std::string_view kManifestPrefix = "manifest.";
inline constexpr std::string_view kManifestCopyPrefix = "manifest-copy.";
inline constexpr std::string_view kLogPrefix = "log.";

/// N if `name` is `prefix` followed by N as a store writes it; nullopt for other files (log.txt).
[[nodiscard]] inline std::optional<std::uint64_t> number_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::uint64_t number = 0;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, number);
  if (error != std::errc() || rest != end || name.substr(prefix.size()) != std::to_string(number)) return std::nullopt;
  return number;
}

/// N of either copy of a manifest.
[[nodiscard]] inline std::optional<std::uint64_t> manifest_number_in(std::string_view name) {
  const auto number = number_in(name, kManifestPrefix);
  return number ? number : number_in(name, kManifestCopyPrefix);
}

}  // namespace rizoma
