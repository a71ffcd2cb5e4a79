// Exchanges two names of a directory atomically, so that each always leads somewhere.
#pragma once

#include <rizoma/result.h>

#include <filesystem>

namespace rizoma {

/// False if the file system cannot.  Errors: those of renaming.
Result<bool> exchange_names(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace rizoma
