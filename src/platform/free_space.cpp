#include "platform/free_space.h"

#include <system_error>

namespace rizoma {

std::optional<std::uint64_t> free_space(const std::filesystem::path& directory) {
  std::error_code failed;
  const std::filesystem::space_info found = std::filesystem::space(directory, failed);
  if (failed) return std::nullopt;
  return std::uint64_t{found.available};
}

}  // namespace rizoma
