// Opening files that another user may have put there: regular ones alone.
//
// A symbolic link would lead out of the directory, a pipe or a device could keep the call waiting or do
// something when it is opened, and a second hard link makes the same bytes a file of another user.  So the
// name is looked at before it is opened, nothing is followed, nothing waits, and what was opened is looked at
// again: the name may have changed hands in between.
#pragma once

#include <rizoma/result.h>

#include <cstdio>
#include <string>

namespace rizoma {

/// A descriptor of the regular file `name` of a directory; `writable`: for reading and writing, and then only if
/// it has no other name.  `where` is for messages.  Errors: not_found, corrupt (no such file), io.
[[nodiscard]] Result<int> open_regular_file(int directory, const std::string& name, bool writable,
                                            const std::string& where);

/// A descriptor, for reading and writing, of a new and empty file.  A regular file of this name is removed
/// first, never emptied: another name of it keeps its bytes.  Errors: as above, out_of_space.
[[nodiscard]] Result<int> create_regular_file(int directory, const std::string& name, const std::string& where);

/// As open_regular_file for writing, but makes the file if it is missing.
[[nodiscard]] Result<int> open_or_create_regular_file(int directory, const std::string& name, const std::string& where);

/// A stream of the regular file that `path` leads to, by links too: one that a user named.  Never waits for a pipe.
/// Errors: not_found, invalid_argument (no such file), io.
[[nodiscard]] Result<std::FILE*> open_regular_stream(const std::string& path);

}  // namespace rizoma
