#include "platform/exchange_names.h"

#include "platform/os_error.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace rizoma {

// A system call by its number: not every C library of Linux (musl 1.2.5) has a function for it.
Result<bool> exchange_names(const std::filesystem::path& one, const std::filesystem::path& other) {
  if (::syscall(SYS_renameat2, AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return os_error("rename", one.string(), errno);
  return false;
}

}  // namespace rizoma
