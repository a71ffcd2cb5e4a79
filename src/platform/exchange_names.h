// Two names of a directory change places at once, so that each leads somewhere at every moment.
#pragma once

#include <rizoma/result.h>

#include <filesystem>

namespace rizoma {

/// False if the file system cannot.  Errors: those of renaming.
Result<bool> exchange_names(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace rizoma
