#include "platform/file_medium.h"

#include <rizoma/detail/function_ref.h>

#include "base/check.h"
#include "platform/fd_file.h"
#include "platform/os_error.h"
#include "platform/close_on_fork.h"
#include "platform/regular_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <utility>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "LOCK";
constexpr const char* kLostAndFound = "lost+found";  // where a file system keeps what it found without a name

/// The file LOCK, locked.
class LockedFile {
 public:
  explicit LockedFile(int number) : descriptor_(number) {}
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  // At once, though a child that is just being forked may still have it open.
  ~LockedFile() {
    if (descriptor_.is_ours()) ::flock(number(), LOCK_UN);
  }
  /// 0, or an errno: EWOULDBLOCK if another has it.
  [[nodiscard]] int attempt() const { return ::flock(number(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno; }
  [[nodiscard]] int number() const noexcept { return descriptor_.number(); }

 private:
  CloseOnFork descriptor_;
};

/// A mark on the directory itself, which no user removes by hand while it is written, as happened to LOCK.  It is a
/// lock of a range, for imports lock the directory of a store that is not whole yet (flock); and one for reading,
/// for directories are opened for nothing else, so that a process that sets one looks for others as well.
class MarkedDirectory {
 public:
  explicit MarkedDirectory(int number) : descriptor_(number) {}
  MarkedDirectory(const MarkedDirectory&) = delete;
  MarkedDirectory& operator=(const MarkedDirectory&) = delete;
  ~MarkedDirectory() {
    if (descriptor_.is_ours()) static_cast<void>(control(F_OFD_SETLK, F_UNLCK));
  }
  /// False if another has marked it.  Of two at the same time both may be refused, and never is none.  A file system
  /// that lacks such locks for directories knows of no holder, one over a network perhaps only of those on this
  /// machine.
  [[nodiscard]] bool attempt() const {
    static_cast<void>(control(F_OFD_SETLK, F_RDLCK));
    return control(F_OFD_GETLK, F_WRLCK) == F_UNLCK;  // does not meet its own
  }
  [[nodiscard]] int number() const noexcept { return descriptor_.number(); }

 private:
  /// The kind of lock that exists, if the system reports it.
  [[nodiscard]] short control(int command, short kind) const {
    struct flock range{};
    range.l_type = kind;
    range.l_whence = SEEK_SET;
    range.l_len = 1;
    return ::fcntl(number(), command, &range) == 0 ? range.l_type : short{F_UNLCK};
  }
  CloseOnFork descriptor_;
};

class FileLock final : public WriterLock {
 public:
  FileLock(std::unique_ptr<LockedFile> file, std::unique_ptr<MarkedDirectory> directory)
      : file_(std::move(file)), directory_(std::move(directory)) {}

  void remove_file() noexcept override { ::unlinkat(directory_->number(), kLockName, 0); }

 private:
  std::unique_ptr<LockedFile> file_;
  std::unique_ptr<MarkedDirectory> directory_;
};

/// Process and machine, as they begin the text of a lock.
std::string this_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return "process " + std::to_string(::getpid()) + " on " + host.data() + " since ";
}

std::string text_of_lock() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  std::array<char, 32> since{};
  if (::gmtime_r(&time, &utc) == nullptr ||
      std::strftime(since.data(), since.size(), "%Y-%m-%d %H:%M:%S UTC", &utc) == 0)
    return "";
  return this_process() + since.data();
}

/// The text only serves other processes' messages: a full disk must not cost us the lock, and leaves it without a name
/// rather than with that of a former holder.  It goes over the former
/// one, for to empty a file and fill it again makes some file systems free blocks, take others and write them at the
/// close: 0.12 ms of an opening on ext4, 0.7 at times, against 0.004.
void write_text(int lock_file, off_t former_bytes) {
  const std::string owner = text_of_lock() + "\n";
  const auto bytes = static_cast<off_t>(owner.size());
  const bool written = ::pwrite(lock_file, owner.data(), owner.size(), 0) == bytes;
  if (!written || former_bytes > bytes) (void)!::ftruncate(lock_file, written ? bytes : 0);
}

/// The first line: after it may be the end of a longer text of before.
std::string holder_of(int lock_file) {
  std::array<char, 512> text{};
  const ssize_t got = ::pread(lock_file, text.data(), text.size(), 0);
  std::string holder(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  if (const std::size_t end = holder.find('\n'); end != std::string::npos) holder.resize(end);
  return holder.empty() ? "another process" : holder;
}

/// Says who holds the lock: perhaps this process, if a cell of a notebook runs twice.
Error held(const std::string& path, int lock_file) {
  const std::string holder = holder_of(lock_file);
  const bool ours = holder.starts_with(this_process());
  return Error{ErrorCode::locked,
               path + " is being written by " +
                   (ours ? "this process (" + holder + "); use the graph that is open here, or close it first"
                         : holder + "; close it there") +
                   "; until then it can only be read"};
}

/// Makes the entry of `directory` in its parent durable.  A mount point has none to lose, and a user who may not read
/// the parent has not made it.
Status sync_parent(int directory, const fs::path& path) {
  const FileDescriptor parent(::openat(directory, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.number() < 0 && errno == EACCES) return {};
  const std::string where = "the directory above " + path.string();
  struct stat here{};
  struct stat above{};
  if (parent.number() < 0 || ::fstat(directory, &here) != 0 || ::fstat(parent.number(), &above) != 0) {
    return os_error("open", where, errno);
  }
  if (here.st_dev == above.st_dev && ::fsync(parent.number()) != 0) return os_error("sync", where, errno);
  return {};
}

class FileMedium final : public Medium {
 public:
  FileMedium(fs::path path, std::shared_ptr<const FileDescriptor> directory, bool writable, FileKind kind)
      : path_(std::move(path)), directory_(std::move(directory)), writable_(writable), kind_(std::move(kind)) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override;
  [[nodiscard]] Result<bool> exists(std::string_view name) const override;
  [[nodiscard]] Result<std::vector<std::string>> list() const override;
  [[nodiscard]] Result<bool> has_others() const override;
  Status remove(std::string_view name) override;
  Status rename(std::string_view from, std::string_view to) override;
  Status sync_names() override;
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override;
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return kind_.atomic_bytes; }
  [[nodiscard]] Granularity persistence() const noexcept override { return kind_.granularity; }
  [[nodiscard]] Result<std::string> identity() const override;
  [[nodiscard]] std::string describe() const override { return path_.string(); }

 private:
  [[nodiscard]] Status check_writable(std::string_view operation) const {
    if (writable_) return {};
    return Error{ErrorCode::invalid_argument,
                 "cannot " + std::string(operation) + " " + path_.string() + ": the graph is open for reading only"};
  }
  [[nodiscard]] std::string where(std::string_view name) const { return (path_ / name).string(); }
  [[nodiscard]] Result<std::unique_ptr<MarkedDirectory>> mark_directory() const;
  [[nodiscard]] Status for_each_entry(FunctionRef<void(std::string_view name, mode_t kind)> visit) const;
  [[nodiscard]] mode_t kind_of(const dirent& entry) const;
  [[nodiscard]] bool is_empty(std::string_view directory) const;
  /// `name` for the C interface.
  [[nodiscard]] static std::string entry(std::string_view name) {
    RIZOMA_CHECK(!name.empty() && name.find('/') == std::string_view::npos && name != "." && name != ".." &&
                 name != kLockName);
    return std::string(name);
  }

  fs::path path_;
  std::shared_ptr<const FileDescriptor> directory_;
  bool writable_;
  FileKind kind_;
  std::atomic<bool> parent_synced_{false};
};

Result<std::unique_ptr<MediumFile>> FileMedium::open(std::string_view name, FileMode mode) {
  if (mode != FileMode::read) RIZOMA_TRY(check_writable("write in"));
  const int directory = directory_->number();
  RIZOMA_ASSIGN(const int number, mode == FileMode::create ? create_regular_file(directory, entry(name), where(name))
                                                           : open_regular_file(directory, entry(name),
                                                                               mode == FileMode::write, where(name)));
  auto descriptor = std::make_shared<FileDescriptor>(number);
  if (mode != FileMode::read && kind_.make) return kind_.make(std::move(descriptor), where(name));
  return std::unique_ptr<MediumFile>(
      std::make_unique<FdFile>(std::move(descriptor), where(name), mode != FileMode::read));
}

Result<bool> FileMedium::exists(std::string_view name) const {
  struct stat info{};
  // A dangling link exists, too.
  if (::fstatat(directory_->number(), entry(name).c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) return true;
  if (errno == ENOENT) return false;
  return os_error("look for", where(name), errno);
}

/// A type of S_IFMT; 0: it is gone.
mode_t FileMedium::kind_of(const dirent& entry) const {
  if (entry.d_type != DT_UNKNOWN) return DTTOIF(entry.d_type);
  struct stat info{};  // some file systems report it only here
  if (::fstatat(directory_->number(), entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  return info.st_mode & S_IFMT;
}

Status FileMedium::for_each_entry(FunctionRef<void(std::string_view name, mode_t kind)> visit) const {
  // A fresh descriptor, because reading a directory moves the position of the one it is given.
  const int number = ::openat(directory_->number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) return os_error("list", path_.string(), errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(number), ::closedir);
  if (stream == nullptr) {
    const int error_number = errno;
    ::close(number);
    return os_error("list", path_.string(), error_number);
  }
  errno = 0;
  while (const dirent* found = ::readdir(stream.get())) {
    const std::string_view name = found->d_name;
    if (name != kLockName && name != "." && name != "..") visit(name, kind_of(*found));
    errno = 0;
  }
  if (errno != 0) return os_error("list", path_.string(), errno);
  return {};
}

Result<std::vector<std::string>> FileMedium::list() const {
  std::vector<std::string> names;
  RIZOMA_TRY(for_each_entry([&](std::string_view name, mode_t kind) {
    if (kind != 0 && kind != S_IFDIR) names.emplace_back(name);
  }));
  return names;
}

/// As far as one may look.
bool FileMedium::is_empty(std::string_view directory) const {
  std::error_code error;
  return fs::is_empty(path_ / directory, error) && !error;
}

/// An empty directory has no owner: locations within the store's own directory leave such ones.
Result<bool> FileMedium::has_others() const {
  bool found = false;
  RIZOMA_TRY(for_each_entry([&](std::string_view name, mode_t kind) {
    const bool is_harmless = kind == S_IFDIR && (name == kLostAndFound || is_empty(name));
    found = found || (kind != 0 && kind != S_IFREG && !is_harmless);
  }));
  return found;
}

Result<std::string> FileMedium::identity() const {
  struct stat info{};
  if (::fstat(directory_->number(), &info) != 0) return os_error("look at", path_.string(), errno);
  return std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino);
}

Status FileMedium::remove(std::string_view name) {
  RIZOMA_TRY(check_writable("remove files from"));
  if (::unlinkat(directory_->number(), entry(name).c_str(), 0) != 0) return os_error("remove", where(name), errno);
  return {};
}

Status FileMedium::rename(std::string_view from, std::string_view to) {
  RIZOMA_TRY(check_writable("rename files in"));
  const int directory = directory_->number();
  if (::renameat(directory, entry(from).c_str(), directory, entry(to).c_str()) != 0) {
    return os_error("rename", where(from), errno);
  }
  return {};
}

Status FileMedium::sync_names() {
  RIZOMA_TRY(check_writable("sync"));
  if (!parent_synced_) RIZOMA_TRY(sync_parent(directory_->number(), path_));
  parent_synced_ = true;
  if (::fsync(directory_->number()) != 0) return os_error("sync directory", path_.string(), errno);
  return {};
}

/// By the holder of the file LOCK.
Result<std::unique_ptr<MarkedDirectory>> FileMedium::mark_directory() const {
  const int number = ::openat(directory_->number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) return os_error("lock", path_.string(), errno);
  auto mark = std::make_unique<MarkedDirectory>(number);
  if (mark->attempt()) return mark;
  return Error{ErrorCode::locked, path_.string() + " is being written by another process, whose file " +
                                      where(kLockName) +
                                      " has been removed; close it there (if that process was just killed, try again)"};
}

Result<std::unique_ptr<WriterLock>> FileMedium::lock_for_writing() {
  RIZOMA_TRY(check_writable("lock"));
  RIZOMA_ASSIGN(const int number,
                open_or_create_regular_file(directory_->number(), kLockName, (path_ / kLockName).string()));
  auto file = std::make_unique<LockedFile>(number);
  if (const int failure = file->attempt(); failure != 0) {
    if (failure != EWOULDBLOCK) return os_error("lock", path_.string(), failure);
    return held(path_.string(), number);
  }
  struct stat locked{};
  struct stat named{};
  if (::fstat(number, &locked) != 0 || ::fstatat(directory_->number(), kLockName, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      locked.st_ino != named.st_ino) {
    return Error{ErrorCode::locked, path_.string() + " was being removed by another process; try again"};
  }
  RIZOMA_ASSIGN(auto directory, mark_directory());
  write_text(number, locked.st_size);
  return std::unique_ptr<WriterLock>(std::make_unique<FileLock>(std::move(file), std::move(directory)));
}

Result<std::unique_ptr<Medium>> open_directory(const fs::path& path, bool writable, FileKind kind) {
  const int number = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) return os_error("open directory", path.string(), errno);
  auto directory = std::make_shared<FileDescriptor>(number);
  return std::unique_ptr<Medium>(std::make_unique<FileMedium>(path, std::move(directory), writable, std::move(kind)));
}

}  // namespace

Result<std::unique_ptr<Medium>> open_file_medium(const fs::path& path, bool create, FileKind kind) {
  if (create && ::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    return os_error("create directory", path.string(), errno);
  }
  return open_directory(path, true, std::move(kind));
}

Result<std::unique_ptr<Medium>> open_file_medium_read_only(const fs::path& path) {
  return open_directory(path, false, {});
}

}  // namespace rizoma
