#include "platform/fd_file.h"

#include "base/check.h"
#include "platform/os_error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace rizoma {

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

FdFile::FdFile(std::shared_ptr<const FileDescriptor> descriptor, std::string where, bool writable)
    : descriptor_(std::move(descriptor)), where_(std::move(where)), writable_(writable) {}

Status FdFile::check_writable(const char* operation) const {
  if (writable_) return {};
  return Error{ErrorCode::invalid_argument,
               std::string("cannot ") + operation + " " + where_ + ": it was opened for reading only"};
}

Error FdFile::too_short(std::uint64_t offset, std::uint64_t size) const {
  return Error{ErrorCode::corrupt, where_ + " ends before byte " + std::to_string(offset + size) + " (wanted " +
                                       std::to_string(size) + " bytes at " + std::to_string(offset) + ")"};
}

Result<std::uint64_t> FdFile::size() const {
  struct stat info {};
  if (::fstat(descriptor_->number(), &info) != 0) return os_error("get the size of", where_, errno);
  return static_cast<std::uint64_t>(info.st_size);
}

Status FdFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(descriptor_->number(), out.data() + done, out.size() - done,
                                static_cast<off_t>(offset + done));
    if (got == 0) return too_short(offset, out.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return os_error("read", where_, errno);
    done += static_cast<std::size_t>(got);
  }
  return {};
}

Status FdFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  RIZOMA_TRY(check_writable("write to"));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t put = ::pwrite(descriptor_->number(), bytes.data() + done, bytes.size() - done,
                                 static_cast<off_t>(offset + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return os_error("write to", where_, errno);
    done += static_cast<std::size_t>(put);
  }
  return {};
}

Status FdFile::sync() {
  RIZOMA_TRY(check_writable("sync"));
  // EINTR is an error here like any other: what of the file has reached the device is unknown.
  if (::fdatasync(descriptor_->number()) != 0) return os_error("sync", where_, errno);
  return {};
}

Status FdFile::resize(std::uint64_t size) {
  RIZOMA_TRY(check_writable("resize"));
  if (::ftruncate(descriptor_->number(), static_cast<off_t>(size)) != 0) return os_error("resize", where_, errno);
  return {};
}

Status FdFile::discard(std::uint64_t offset, std::uint64_t size) {
  RIZOMA_TRY(check_writable("discard a part of"));
  if (size == 0) return {};
  const int done = ::fallocate(descriptor_->number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                               static_cast<off_t>(offset), static_cast<off_t>(size));
  if (done == 0 || errno == EOPNOTSUPP || errno == ENOSYS) return {};
  return os_error("discard a part of", where_, errno);
}

Result<Mapping> FdFile::map(std::uint64_t offset, std::uint64_t size) const {
  RIZOMA_CHECK(offset % 4096 == 0);
  RIZOMA_ASSIGN(const std::uint64_t file_size, this->size());
  if (offset > file_size || size > file_size - offset) return too_short(offset, size);
  if (size == 0) return Mapping{};
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_->number(), static_cast<off_t>(offset));
  if (data == MAP_FAILED) return os_error("map", where_, errno);
  std::shared_ptr<const void> owner(data, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  return Mapping{{static_cast<const std::byte*>(data), size}, std::move(owner)};
}

Result<bool> FdFile::mark_in_use() {
  // flock belongs to an opening, and openings of a file in memory share theirs: take a fresh one.
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor_->number());
  auto mark = std::make_unique<FileDescriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (mark->number() < 0) return os_error("open", where_, errno);
  const bool alone = ::flock(mark->number(), LOCK_EX | LOCK_NB) == 0;
  if (!alone && errno != EWOULDBLOCK) return os_error("lock", where_, errno);
  if (::flock(mark->number(), LOCK_SH | LOCK_NB) != 0) return os_error("lock", where_, errno);
  mark_ = std::move(mark);
  return alone;
}

}  // namespace rizoma
