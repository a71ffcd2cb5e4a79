// DaxMedium: the files of a directory on a DAX file system, as persistent memory (dax_file.h), and the
// choice between it and plain files.
//
// Durability: bytes by cache-line flushes, without system calls; new sizes and blocks by fdatasync;
// names by fsync of the directory.  Lock, names and read-only opening are FileMedium's.
#pragma once

#include <rizoma/detail/medium_choice.h>

#include "platform/file_medium.h"
#include "platform/persistent_memory.h"

#include <filesystem>
#include <memory>

namespace rizoma {

/// As open_file_medium.  `memory` is the machine's unless a test puts another in.
[[nodiscard]] Result<std::unique_ptr<Medium>> open_dax_medium(const std::filesystem::path& path, bool create,
                                                              std::shared_ptr<PersistentMemory> memory);

/// True if the file system of `directory` grants mappings with MAP_SYNC.  Tried with a nameless file;
/// false if that cannot be made.
[[nodiscard]] bool offers_map_sync(const std::filesystem::path& directory);

/// The directory `path` as a medium for writing.  Errors: those of open_file_medium; unsupported (`dax`
/// where there is no MAP_SYNC).
[[nodiscard]] Result<std::unique_ptr<Medium>> open_medium(const std::filesystem::path& path, bool create,
                                                          MediumChoice choice);

}  // namespace rizoma
