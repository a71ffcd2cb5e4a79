// From a path and the options of the public interface to a medium and the options of a store.
#pragma once

#include <rizoma/graph.h>
#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/store.h"

#include <filesystem>
#include <memory>

namespace rizoma {

/// Opens the directory, which is made if the mode allows that and it is missing.
Result<std::shared_ptr<Medium>> open_directory(const std::filesystem::path& path, OpenMode mode, MediumChoice choice);

/// Options of a store at `path`.
[[nodiscard]] StoreOptions store_options(const std::filesystem::path& path, const OpenOptions& options);

}  // namespace rizoma
