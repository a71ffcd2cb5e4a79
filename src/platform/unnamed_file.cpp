#include "platform/unnamed_file.h"

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

}  // namespace

Result<std::shared_ptr<const std::byte>> map_unnamed_file(const std::string& directory,
                                                          std::span<const std::span<const std::byte>> parts) {
  std::error_code none;
  const std::string where = directory.empty() ? std::filesystem::temp_directory_path(none).string() : directory;
  std::string name = (std::filesystem::path(where.empty() ? "/tmp" : where) / "rizoma-XXXXXX").string();
  const Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (file.number() < 0) return os_error("create a temporary file in", where, errno);
  if (::unlink(name.c_str()) != 0) return os_error("remove the name of", name, errno);
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

void let_pages_go(std::span<const std::byte> mapped) noexcept {
  if (mapped.empty()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped.data());
  const std::uintptr_t first = begin / page_bytes() * page_bytes();
  (void)::madvise(reinterpret_cast<void*>(first), begin - first + mapped.size(), MADV_DONTNEED);
}

}  // namespace rizoma
