// FileMedium: the files of one directory of a file system.
//
// Durability: file bytes by fdatasync, names by fsync of the directory.  The writer lock is an
// flock on the file LOCK, which holds the owner's process and host for the message that names it;
// the kernel drops it when the owner dies.  LOCK is not one of the medium's files: `list` hides it.
// A process made by fork shares its parent's lock until it exits; only the parent's release counts.
#pragma once

#include "platform/medium.h"

#include <filesystem>
#include <memory>

namespace rizoma {

/// The directory `path`; `create` makes it if it is not there (its parent must be).
/// Errors: not_found, io (also: it is no directory).
[[nodiscard]] Result<std::unique_ptr<Medium>> open_file_medium(const std::filesystem::path& path, bool create = false);

/// As open_file_medium, but it takes no lock, creates nothing and refuses every change.
[[nodiscard]] Result<std::unique_ptr<Medium>> open_file_medium_read_only(const std::filesystem::path& path);

}  // namespace rizoma
