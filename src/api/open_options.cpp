#include "api/open_options.h"

#include "platform/dax_medium.h"
#include "platform/file_medium.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

// Shorter logs would have more to do with their files than with changes.
constexpr std::uint64_t kLeastLogLimit = std::uint64_t{64} << 10;

/// The directory `path` by its absolute name, without a slash at its end.
std::filesystem::path whole_path(const std::filesystem::path& path) {
  return std::filesystem::absolute(path / "").parent_path().lexically_normal();
}

/// The store's directory in each location; "" for its own.
std::vector<std::string> directories_in(const std::vector<std::filesystem::path>& locations,
                                        const std::filesystem::path& store) {
  const auto own = whole_path(store);
  std::vector<std::string> directories;
  for (const std::filesystem::path& location : locations) {
    const auto directory = (std::filesystem::absolute(location) / own.filename()).lexically_normal();
    directories.push_back(directory == own ? std::string() : directory.string());
  }
  return directories;
}

}  // namespace

Result<std::shared_ptr<Medium>> open_directory(const std::filesystem::path& path, OpenMode mode, MediumChoice choice) {
  const bool creating = mode == OpenMode::create || mode == OpenMode::open_or_create;
  std::error_code ignored;
  if (!creating && !std::filesystem::exists(path, ignored)) {
    return Error{ErrorCode::not_found, "there is no graph at " + path.string()};
  }
  RIZOMA_ASSIGN(std::unique_ptr<Medium> medium,
                mode == OpenMode::read_only ? open_file_medium_read_only(path) : open_medium(path, creating, choice));
  return std::shared_ptr<Medium>(std::move(medium));
}

StoreOptions store_options(const std::filesystem::path& path, const OpenOptions& options) {
  StoreOptions made;
  made.schema = options.schema;
  made.durability = options.durability;
  made.group_delay = options.group_delay;
  made.lock_timeout = options.patience.value_or(options.lock_timeout);
  made.log_limit = std::max(options.log_limit, kLeastLogLimit);
  made.background = true;
  made.reordering.on = options.heal.value_or(options.auto_reorder);
  made.reordering.memory_limit = options.memory_limit;
  made.locations = directories_in(options.locations, path);
  made.path = whole_path(path).string();
  made.at = options.at;
  made.part = options.part;
  made.open_location = [mode = options.mode, choice = options.medium](const std::string& directory, bool create) {
    const OpenMode reading = mode == OpenMode::read_only ? mode : OpenMode::open;
    return open_directory(directory, create ? OpenMode::open_or_create : reading, choice);
  };
  return made;
}

}  // namespace rizoma
