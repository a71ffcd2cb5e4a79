// How many bytes a file system still has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace rizoma {

/// Bytes that this process may still write to the file system of a directory; nothing if the system does not say.
[[nodiscard]] std::optional<std::uint64_t> free_space(const std::filesystem::path& directory);

}  // namespace rizoma
