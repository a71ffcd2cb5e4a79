#include "platform/probe_page_cache.h"

#include "platform/fd_file.h"
#include "platform/os_error.h"
#include "platform/pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

namespace rizoma::probe {
namespace {

constexpr const char* kDropCaches = "/proc/sys/vm/drop_caches";

}  // namespace

Result<double> resident_share(int file, std::uint64_t bytes, std::string_view where) {
  if (bytes == 0) return 0.0;
  void* mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) return os_error("map", where, errno);
  std::vector<unsigned char> pages((bytes + page_bytes() - 1) / page_bytes());
  const int failed = ::mincore(mapped, bytes, pages.data()) == 0 ? 0 : errno;
  ::munmap(mapped, bytes);
  if (failed != 0) return os_error("ask which pages are cached of", where, failed);
  const auto resident = std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
  return static_cast<double>(resident) / static_cast<double>(pages.size());
}

Status evict(int file, std::string_view where) {
  if (::fdatasync(file) != 0) return os_error("sync", where, errno);
  const int failed = ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  if (failed != 0) return os_error("advise on", where, failed);
  return {};
}

Status drop_all_caches() {
  const FileDescriptor control(::open(kDropCaches, O_WRONLY | O_CLOEXEC));
  if (control.number() < 0 || ::write(control.number(), "1", 1) != 1) {
    return os_error("empty the page cache by", kDropCaches, errno);
  }
  return {};
}

Status warm_up(int file, std::uint64_t bytes, std::string_view where) {
  std::vector<std::byte> block(std::size_t{1} << 20);
  for (std::uint64_t done = 0; done < bytes;) {
    const ssize_t got = ::pread(file, block.data(), block.size(), static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return os_error("read", where, got == 0 ? EIO : errno);
    done += static_cast<std::uint64_t>(got);
  }
  return {};
}

Status set_direct(int file, bool direct, std::string_view where) {
  const int flags = ::fcntl(file, F_GETFL);
  if (flags >= 0 && ::fcntl(file, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0) return {};
  if (errno != EINVAL) return os_error("switch to direct I/O", where, errno);
  return Error{ErrorCode::unsupported, "the file system of " + std::string(where) + " has no direct I/O"};
}

}  // namespace rizoma::probe
