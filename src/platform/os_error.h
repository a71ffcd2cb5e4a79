// Turns errno into an Error: what was tried, where, and the operating system's answer.
#pragma once

#include <rizoma/result.h>

#include <string_view>

namespace rizoma {

/// Error of "operation" on "where"; ENOENT -> not_found, ENOSPC and EDQUOT -> out_of_space,
/// ENOMEM -> out_of_memory, EEXIST -> already_exists, all others -> io.
[[nodiscard]] Error os_error(std::string_view operation, std::string_view where, int error_number);

/// Error of a file, or of its directory, that was removed while it is open.
[[nodiscard]] Error removed_while_open(std::string_view where);

}  // namespace rizoma
