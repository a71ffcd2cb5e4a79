// FileMedium: the files of one directory of a file system.
//
// Durability: file bytes by fdatasync, names by fsync of the directory.  The writer lock is an
// flock on the file LOCK, which holds the owner's process and host for the message that names it,
// and a mark on the directory, which outlives a LOCK that is removed by hand; the kernel drops both when the
// owner dies.  LOCK is not one of the medium's files: `list` hides it.
// A process made by fork has no part in its parent's lock.
//
// The directory may come from another user: only regular files in it are opened (regular_file.h), so that no
// link leads out of it and no pipe or device is waited for.  Errors of opening one: corrupt too.
#pragma once

#include "platform/fd_file.h"
#include "platform/medium.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace rizoma {

// Bytes a disk writes whole or not at all: one sector; larger units are common but not promised.
inline constexpr std::uint32_t kSectorBytes = 512;

/// What a medium makes of the files that it opens for writing.
struct FileKind {
  /// Of a descriptor for reading and writing; `where` is for messages.  Empty: an FdFile.
  std::function<std::unique_ptr<MediumFile>(std::shared_ptr<const FileDescriptor>, const std::string& where)> make;
  std::uint32_t atomic_bytes = kSectorBytes;
  Granularity granularity = Granularity::page;
};

/// The directory `path`; `create` makes it if it is missing (its parent must be).
/// Errors: not_found, io (also: it is not a directory).
[[nodiscard]] Result<std::unique_ptr<Medium>> open_file_medium(const std::filesystem::path& path, bool create = false,
                                                               FileKind kind = {});

/// As open_file_medium, but it takes no lock, creates nothing and refuses every change.
[[nodiscard]] Result<std::unique_ptr<Medium>> open_file_medium_read_only(const std::filesystem::path& path);

}  // namespace rizoma
