#include "platform/fd_file.h"

#include "platform/mapped_bytes.h"
#include "platform/os_error.h"
#include "platform/pages.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace rizoma {
namespace {

struct flock lock_range(short type, std::uint64_t begin, std::uint64_t bytes) {
  struct flock range{};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(begin);
  range.l_len = static_cast<off_t>(bytes);
  return range;
}

/// The system, or the file system, lacks such locks.
bool cannot_lock(int error_number) {
  return error_number == EINVAL || error_number == ENOLCK || error_number == ENOSYS || error_number == EOPNOTSUPP;
}

bool has_name(int descriptor) noexcept {
  struct stat info{};
  return ::fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

FdFile::FdFile(std::shared_ptr<const FileDescriptor> descriptor, std::string where, bool writable)
    : descriptor_(std::move(descriptor)),
      where_(std::move(where)),
      writable_(writable),
      had_name_(has_name(descriptor_->number())) {}

Status FdFile::check_writable(const char* operation) const {
  if (writable_) return {};
  return Error{ErrorCode::invalid_argument,
               std::string("cannot ") + operation + " " + where_ + ": the graph is open for reading only"};
}

Error FdFile::too_short(std::uint64_t offset, std::uint64_t size) const {
  return Error{ErrorCode::corrupt, where_ + " ends before byte " + std::to_string(offset + size) + " (expected " +
                                       std::to_string(size) + " bytes at " + std::to_string(offset) + ")"};
}

Result<std::uint64_t> FdFile::size() const {
  struct stat info{};
  if (::fstat(descriptor_->number(), &info) != 0) return os_error("get the size of", where_, errno);
  return static_cast<std::uint64_t>(info.st_size);
}

Result<std::uint64_t> FdFile::allocated() const {
  constexpr std::uint64_t kUnit = 512;  // of st_blocks, for any block size of the file system
  struct stat info{};
  if (::fstat(descriptor_->number(), &info) != 0) return os_error("get the size of", where_, errno);
  return static_cast<std::uint64_t>(info.st_blocks) * kUnit;
}

Status FdFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got =
        ::pread(descriptor_->number(), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
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
    const ssize_t put =
        ::pwrite(descriptor_->number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
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
  if (!had_name_ || has_name(descriptor_->number())) return {};
  return removed_while_open(where_);
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
  RIZOMA_ASSIGN(const std::uint64_t file_size, this->size());
  if (offset > file_size || size > file_size - offset) return too_short(offset, size);
  if (size == 0) return Mapping{};
  // The system maps from the beginning of one of its pages on, which may be greater than 4 KiB.
  const std::uint64_t before = offset % page_bytes();
  const std::uint64_t mapped = before + size;
  void* data =
      ::mmap(nullptr, mapped, PROT_READ, MAP_SHARED, descriptor_->number(), static_cast<off_t>(offset - before));
  if (data == MAP_FAILED) return os_error("map", where_, errno);
  std::shared_ptr<const void> owner(data, [mapped](const void* first) { ::munmap(const_cast<void*>(first), mapped); });
  return Mapping{{static_cast<const std::byte*>(data) + before, size}, std::move(owner)};
}

Status FdFile::populate(std::uint64_t offset, std::span<const std::byte> mapped) const {
  return populate_mapped(mapped, where_, offset);
}

/// Locks belong to an opening, and files in memory share theirs, so this makes a new one.
Result<std::unique_ptr<FileDescriptor>> FdFile::open_again() const {
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor_->number());
  auto opened = std::make_unique<FileDescriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened->number() < 0) return os_error("open", where_, errno);
  return opened;
}

Result<bool> FdFile::mark_in_use() {
  RIZOMA_ASSIGN(auto mark, open_again());
  const bool alone = ::flock(mark->number(), LOCK_EX | LOCK_NB) == 0;
  if (!alone && errno != EWOULDBLOCK) return os_error("lock", where_, errno);
  if (::flock(mark->number(), LOCK_SH | LOCK_NB) != 0) return os_error("lock", where_, errno);
  mark_ = std::move(mark);
  return alone;
}

/// Asks for the mark alone.  The system drops a lock that it cannot convert: this takes it again once an opening that
/// asks the same at this moment is done.
Result<bool> FdFile::has_only_mark() {
  if (mark_ == nullptr) return false;
  const bool alone = ::flock(mark_->number(), LOCK_EX | LOCK_NB) == 0;
  if (!alone && errno != EWOULDBLOCK) return os_error("lock", where_, errno);
  constexpr int kAttempts = 1000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (::flock(mark_->number(), LOCK_SH | LOCK_NB) == 0) return alone;
    if (errno != EWOULDBLOCK) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return os_error("lock", where_, errno);
}

Result<std::shared_ptr<const void>> FdFile::pin(std::uint64_t number) const {
  RIZOMA_ASSIGN(auto pin, open_again());
  struct flock range = lock_range(F_RDLCK, number, 1);
  if (::fcntl(pin->number(), F_OFD_SETLK, &range) == 0) return std::shared_ptr<const void>(std::move(pin));
  if (cannot_lock(errno)) return std::shared_ptr<const void>();
  return os_error("lock", where_, errno);
}

Result<std::vector<std::uint64_t>> FdFile::pins(std::uint64_t end) const {
  std::vector<std::uint64_t> found;
  // The system names one lock that would be in the way; others may be before and after it.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges{{0, end}};
  while (!ranges.empty()) {
    const auto [first, last] = ranges.back();
    ranges.pop_back();
    if (first >= last) continue;
    struct flock range = lock_range(F_WRLCK, first, last - first);
    if (::fcntl(descriptor_->number(), F_OFD_GETLK, &range) != 0) {
      if (cannot_lock(errno)) return std::vector<std::uint64_t>();
      return os_error("look for locks of", where_, errno);
    }
    if (range.l_type == F_UNLCK) continue;
    const std::uint64_t pinned = std::max(first, static_cast<std::uint64_t>(range.l_start));
    found.push_back(pinned);
    ranges.emplace_back(first, pinned);
    ranges.emplace_back(pinned + 1, last);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace rizoma
