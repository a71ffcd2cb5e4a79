#include "platform/memory_medium.h"

#include "platform/fd_file.h"
#include "platform/os_error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <utility>

namespace rizoma {
namespace {

using WriterFlag = std::shared_ptr<std::atomic<bool>>;

class MemoryLock final : public WriterLock {
 public:
  explicit MemoryLock(WriterFlag held) : held_(std::move(held)) {}
  ~MemoryLock() override { held_->store(false); }

 private:
  WriterFlag held_;
};

class MemoryMedium final : public Medium {
 public:
  explicit MemoryMedium(std::uint32_t granularity) : granularity_(granularity) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    const std::lock_guard guard(mutex_);
    auto place = files_.find(name);
    if (place == files_.end()) {
      if (mode != FileMode::create) return os_error("open", where(name), ENOENT);
      const int number = ::memfd_create("rizoma", MFD_CLOEXEC);
      if (number < 0) return os_error("create", where(name), errno);
      place = files_.emplace(name, std::make_shared<FileDescriptor>(number)).first;
    }
    auto file = std::make_unique<FdFile>(place->second, where(name), mode != FileMode::read);
    if (mode == FileMode::create) RIZOMA_TRY(file->resize(0));
    return std::unique_ptr<MediumFile>(std::move(file));
  }

  [[nodiscard]] Result<bool> exists(std::string_view name) const override {
    const std::lock_guard guard(mutex_);
    return files_.contains(name);
  }

  [[nodiscard]] Result<std::vector<std::string>> list() const override {
    const std::lock_guard guard(mutex_);
    std::vector<std::string> names;
    for (const auto& entry : files_) names.push_back(entry.first);
    return names;
  }

  Status remove(std::string_view name) override {
    const std::lock_guard guard(mutex_);
    const auto place = files_.find(name);
    if (place == files_.end()) return os_error("remove", where(name), ENOENT);
    files_.erase(place);
    return {};
  }

  Status rename(std::string_view from, std::string_view to) override {
    const std::lock_guard guard(mutex_);
    const auto place = files_.find(from);
    if (place == files_.end()) return os_error("rename", where(from), ENOENT);
    if (from == to) return {};
    files_.insert_or_assign(std::string(to), std::move(place->second));
    files_.erase(place);
    return {};
  }

  Status sync_names() override { return {}; }

  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override {
    if (held_->exchange(true)) {
      return Error{ErrorCode::locked, "the graph in memory is already open for writing in this process"};
    }
    return std::unique_ptr<WriterLock>(std::make_unique<MemoryLock>(held_));
  }

  [[nodiscard]] std::uint32_t granularity() const noexcept override { return granularity_; }
  [[nodiscard]] std::string describe() const override { return ":memory:"; }

 private:
  [[nodiscard]] static std::string where(std::string_view name) { return ":memory:/" + std::string(name); }

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const FileDescriptor>, std::less<>> files_;
  WriterFlag held_ = std::make_shared<std::atomic<bool>>(false);
  std::uint32_t granularity_;
};

}  // namespace

std::unique_ptr<Medium> make_memory_medium(std::uint32_t granularity) {
  return std::make_unique<MemoryMedium>(granularity);
}

}  // namespace rizoma
