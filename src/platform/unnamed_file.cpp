#include "platform/unnamed_file.h"

#include "platform/free_space.h"
#include "platform/os_error.h"
#include "platform/pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace rizoma {
namespace {

/// Closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

Status write_all(int file, std::span<const std::byte> bytes, const std::string& where) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return os_error("write to a temporary file in", where, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

/// Opens a file without a name.  `directory`: empty for that of temporary files, which `where` then names.
Result<int> open_unnamed(const std::string& directory, std::string& where) {
  std::error_code none;
  where = directory.empty() ? std::filesystem::temp_directory_path(none).string() : directory;
  std::string name = (std::filesystem::path(where.empty() ? "/tmp" : where) / "rizoma-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return os_error("create a temporary file in", where, errno);
  if (::unlink(name.c_str()) == 0) return file;
  const int failed = errno;
  ::close(file);
  return os_error("remove the name of", name, failed);
}

}  // namespace

Result<std::shared_ptr<const std::byte>> map_unnamed_file(const std::string& directory,
                                                          std::span<const std::span<const std::byte>> parts) {
  std::string where;
  RIZOMA_ASSIGN(const int opened, open_unnamed(directory, where));
  const Descriptor file(opened);
  std::size_t size = 0;
  for (const std::span<const std::byte> part : parts) {
    RIZOMA_TRY(write_all(file.number(), part, where));
    size += part.size();
  }
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (data == MAP_FAILED) return os_error("map a temporary file in", where, errno);
  return std::shared_ptr<const std::byte>(static_cast<const std::byte*>(data), [size](const std::byte* bytes) {
    ::munmap(const_cast<std::byte*>(bytes), size);
  });
}

Result<std::byte*> map_zeros(const std::string& directory, std::size_t bytes) {
  std::string where;
  RIZOMA_ASSIGN(const int opened, open_unnamed(directory, where));
  const Descriptor file(opened);
  // Asked first: some systems fill the disk before they find that it is full.
  const auto left = free_space(where);
  int failed = left && *left < bytes ? ENOSPC : EINTR;
  while (failed == EINTR) failed = ::posix_fallocate(file.number(), 0, static_cast<off_t>(bytes));
  if (failed != 0) return os_error("set " + std::to_string(bytes) + " bytes aside in", where, failed);
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (data == MAP_FAILED) return os_error("map a temporary file in", where, errno);
  return static_cast<std::byte*>(data);
}

void unmap_zeros(void* data, std::size_t bytes) noexcept { ::munmap(data, bytes); }

void let_pages_go(std::span<const std::byte> mapped) noexcept {
  if (mapped.empty()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped.data());
  const std::uintptr_t first = begin / page_bytes() * page_bytes();
  (void)::madvise(reinterpret_cast<void*>(first), begin - first + mapped.size(), MADV_DONTNEED);
}

}  // namespace rizoma
