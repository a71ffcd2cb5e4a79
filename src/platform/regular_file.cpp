#include "platform/regular_file.h"

#include "platform/os_error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace rizoma {
namespace {

constexpr int kSafe = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

const char* kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Status check_kind(const struct stat& info, const std::string& where) {
  if (S_ISREG(info.st_mode)) return {};
  return Error{ErrorCode::corrupt, where + " is " + kind_of(info.st_mode) +
                                       ", but a store consists of regular files; put the file itself there"};
}

Status check_only_name(const struct stat& info, const std::string& where) {
  if (info.st_nlink <= 1) return {};
  return Error{
      ErrorCode::corrupt,
      where + " has " + std::to_string(info.st_nlink) +
          " hard links, so writing to it would change another file too; copy the store (cp -r), and write to the copy"};
}

/// What the name leads to, if it exists; 0 or an errno.
int look_at(int directory, const std::string& name, struct stat& info) {
  return ::fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

/// Closes the descriptor unless it is of such a file.
Result<int> checked(int number, bool writable, const std::string& where) {
  struct stat info{};
  Status status;
  if (::fstat(number, &info) != 0) status = os_error("look at", where, errno);
  if (status) status = check_kind(info, where);
  if (status && writable) status = check_only_name(info, where);
  if (status) return number;
  ::close(number);
  return status.error();
}

/// That a file cannot be opened; where its directory has been removed, that.
Error not_opened(const char* operation, int directory, const std::string& where, int failure) {
  struct stat info{};
  const bool removed = failure == ENOENT && ::fstat(directory, &info) == 0 && info.st_nlink == 0;
  return removed ? removed_while_open(where) : os_error(operation, where, failure);
}

}  // namespace

Result<int> open_regular_file(int directory, const std::string& name, bool writable, const std::string& where) {
  struct stat info{};
  if (const int failure = look_at(directory, name, info); failure != 0)
    return not_opened("open", directory, where, failure);
  RIZOMA_TRY(check_kind(info, where));
  const int number = ::openat(directory, name.c_str(), (writable ? O_RDWR : O_RDONLY) | kSafe);
  if (number < 0) return os_error("open", where, errno);
  return checked(number, writable, where);
}

Result<int> create_regular_file(int directory, const std::string& name, const std::string& where) {
  struct stat info{};
  const int failure = look_at(directory, name, info);
  if (failure != 0 && failure != ENOENT) return os_error("create", where, failure);
  if (failure == 0) {
    RIZOMA_TRY(check_kind(info, where));
    if (::unlinkat(directory, name.c_str(), 0) != 0 && errno != ENOENT) return os_error("replace", where, errno);
  }
  const int number = ::openat(directory, name.c_str(), O_RDWR | O_CREAT | O_EXCL | kSafe, 0666);
  if (number < 0) return not_opened("create", directory, where, errno);
  return number;
}

Result<int> open_or_create_regular_file(int directory, const std::string& name, const std::string& where) {
  struct stat info{};
  const int failure = look_at(directory, name, info);
  if (failure != 0 && failure != ENOENT) return os_error("open", where, failure);
  if (failure == 0) RIZOMA_TRY(check_kind(info, where));
  const int number = ::openat(directory, name.c_str(), O_RDWR | O_CREAT | kSafe, 0666);
  if (number < 0) return os_error("open", where, errno);
  return checked(number, true, where);
}

Result<std::FILE*> open_regular_stream(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number < 0) return os_error("open", path, errno);
  struct stat info{};
  std::FILE* stream = nullptr;
  Error failure;
  if (::fstat(number, &info) != 0) {
    failure = os_error("look at", path, errno);
  } else if (!S_ISREG(info.st_mode)) {
    failure = Error{ErrorCode::invalid_argument, path + " is not a regular file"};
  } else if (stream = ::fdopen(number, "rb"); stream == nullptr) {
    failure = os_error("open", path, errno);
  }
  if (stream != nullptr) return stream;
  ::close(number);
  return failure;
}

}  // namespace rizoma
