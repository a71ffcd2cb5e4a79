#include "platform/memory_medium.h"

#include "platform/mutex.h"
#include "platform/fd_file.h"
#include "platform/os_error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <utility>

namespace rizoma {
namespace {

using WriterFlag = std::shared_ptr<std::atomic<bool>>;

class MemoryLock final : public WriterLock {
 public:
  ~MemoryLock() override {
    if (held_) held_->store(false);
  }
  /// False if it is taken already.
  [[nodiscard]] bool take(const WriterFlag& flag) noexcept {
    if (flag->exchange(true)) return false;
    held_ = flag;
    return true;
  }

 private:
  WriterFlag held_;
};

/// Bytes in an anonymous file of the operating system.
class AnonymousFile final : public MemoryFile {
 public:
  explicit AnonymousFile(int number) : file_(std::make_shared<FileDescriptor>(number)) {}
  [[nodiscard]] std::unique_ptr<MediumFile> open(std::string where, bool writable) override {
    return std::make_unique<FdFile>(file_, std::move(where), writable);
  }

 private:
  std::shared_ptr<const FileDescriptor> file_;
};

Result<std::shared_ptr<MemoryFile>> make_anonymous_file(const std::string& where) {
  const int number = ::memfd_create("rizoma", MFD_CLOEXEC);
  if (number < 0) return os_error("create", where, errno);
  return std::shared_ptr<MemoryFile>(std::make_shared<AnonymousFile>(number));
}

class MemoryMedium final : public Medium {
 public:
  MemoryMedium(std::uint32_t granularity, MemoryFileFactory make_file)
      : make_file_(std::move(make_file)), granularity_(granularity) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    const MutexLock guard(mutex_);
    auto place = files_.find(name);
    if (place == files_.end()) {
      if (mode != FileMode::create) return os_error("open", where(name), ENOENT);
      RIZOMA_ASSIGN(auto made, make_file_(where(name)));
      place = files_.emplace(name, std::move(made)).first;
    }
    auto file = place->second->open(where(name), mode != FileMode::read);
    if (mode == FileMode::create) RIZOMA_TRY(file->resize(0));
    return file;
  }

  [[nodiscard]] Result<bool> exists(std::string_view name) const override {
    const MutexLock guard(mutex_);
    return files_.contains(name);
  }

  [[nodiscard]] Result<std::vector<std::string>> list() const override {
    const MutexLock guard(mutex_);
    std::vector<std::string> names;
    for (const auto& entry : files_) names.push_back(entry.first);
    return names;
  }

  Status remove(std::string_view name) override {
    const MutexLock guard(mutex_);
    const auto place = files_.find(name);
    if (place == files_.end()) return os_error("remove", where(name), ENOENT);
    files_.erase(place);
    return {};
  }

  Status rename(std::string_view from, std::string_view to) override {
    const MutexLock guard(mutex_);
    const auto place = files_.find(from);
    if (place == files_.end()) return os_error("rename", where(from), ENOENT);
    if (from == to) return {};
    files_.insert_or_assign(std::string(to), std::move(place->second));
    files_.erase(place);
    return {};
  }

  Status sync_names() override { return {}; }

  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override {
    auto lock = std::make_unique<MemoryLock>();
    if (!lock->take(held_)) {
      return Error{ErrorCode::locked,
                   "the graph in memory is already open for writing in this process; use the one that is open"};
    }
    return std::unique_ptr<WriterLock>(std::move(lock));
  }

  [[nodiscard]] std::uint32_t granularity() const noexcept override { return granularity_; }
  [[nodiscard]] std::string describe() const override { return ":memory:"; }

 private:
  [[nodiscard]] static std::string where(std::string_view name) { return ":memory:/" + std::string(name); }

  mutable Mutex mutex_{LockLevel::last};
  MemoryFileFactory make_file_;
  std::map<std::string, std::shared_ptr<MemoryFile>, std::less<>> files_ RIZOMA_GUARDED_BY(mutex_);
  WriterFlag held_ = std::make_shared<std::atomic<bool>>(false);
  std::uint32_t granularity_;
};

}  // namespace

std::unique_ptr<Medium> make_memory_medium(std::uint32_t granularity) {
  return make_memory_medium(granularity, make_anonymous_file);
}

std::unique_ptr<Medium> make_memory_medium(std::uint32_t granularity, MemoryFileFactory make_file) {
  return std::make_unique<MemoryMedium>(granularity, std::move(make_file));
}

}  // namespace rizoma
