#include "testing/heap_medium.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace rizoma {
namespace {

/// The bytes of a file.  Growing moves them; mappings keep what they began with, and see writes as long
/// as nothing grows: no less than a mapping of a file promises to one who maps anew after writing.
class Content {
 public:
  [[nodiscard]] std::uint64_t size() const {
    const std::lock_guard guard(mutex_);
    return size_;
  }
  Status read(std::uint64_t offset, std::span<std::byte> out) const {
    const std::lock_guard guard(mutex_);
    if (offset > size_ || out.size() > size_ - offset) return Error{ErrorCode::corrupt, ":memory: the file ends before"};
    if (!out.empty()) std::memcpy(out.data(), bytes_.get() + offset, out.size());
    return {};
  }
  void write(std::uint64_t offset, std::span<const std::byte> bytes) {
    const std::lock_guard guard(mutex_);
    if (offset + bytes.size() > size_) grow(offset + bytes.size());
    if (!bytes.empty()) std::memcpy(bytes_.get() + offset, bytes.data(), bytes.size());
  }
  void resize(std::uint64_t size) {
    const std::lock_guard guard(mutex_);
    if (size > size_) grow(size);
    std::fill(bytes_.get() + size, bytes_.get() + size_, std::byte{});
    size_ = size;
  }
  void discard(std::uint64_t offset, std::uint64_t size) {
    const std::lock_guard guard(mutex_);
    const std::uint64_t end = std::min(offset + size, size_);
    if (offset < end) std::fill(bytes_.get() + offset, bytes_.get() + end, std::byte{});
  }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const {
    const std::lock_guard guard(mutex_);
    if (offset > size_ || size > size_ - offset) return Error{ErrorCode::corrupt, ":memory: the file ends before"};
    return Mapping{{bytes_.get() + offset, size}, bytes_};
  }
  std::atomic<int> marks{0};

 private:
  void grow(std::uint64_t size) {
    if (size > capacity_) {
      constexpr std::align_val_t kAlignment{64};
      const std::uint64_t capacity = std::max(size, 2 * capacity_);
      auto* moved = static_cast<std::byte*>(::operator new(capacity, kAlignment));
      std::shared_ptr<std::byte> owner(moved, [](std::byte* data) { ::operator delete(data, kAlignment); });
      if (size_ > 0) std::memcpy(moved, bytes_.get(), size_);
      std::memset(moved + size_, 0, capacity - size_);
      bytes_ = std::move(owner);
      capacity_ = capacity;
    }
    size_ = size;
  }

  mutable std::mutex mutex_;
  std::shared_ptr<std::byte> bytes_;  // zero from size_ on
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

class HeapFile final : public MediumFile {
 public:
  explicit HeapFile(std::shared_ptr<Content> content) : content_(std::move(content)) {}
  ~HeapFile() override {
    if (marked_) --content_->marks;
  }
  [[nodiscard]] Result<std::uint64_t> size() const override { return content_->size(); }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override { return content_->read(offset, out); }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    content_->write(offset, bytes);
    return {};
  }
  Status sync() override { return {}; }
  Status resize(std::uint64_t size) override {
    content_->resize(size);
    return {};
  }
  Status discard(std::uint64_t offset, std::uint64_t size) override {
    content_->discard(offset, size);
    return {};
  }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return content_->map(offset, size);
  }
  [[nodiscard]] Result<bool> mark_in_use() override {
    const int others = content_->marks - (marked_ ? 1 : 0);
    if (!std::exchange(marked_, true)) ++content_->marks;
    return others == 0;
  }

 private:
  std::shared_ptr<Content> content_;
  bool marked_ = false;
};

class HeapLock final : public WriterLock {
 public:
  explicit HeapLock(std::shared_ptr<std::atomic<bool>> held) : held_(std::move(held)) {}
  ~HeapLock() override { held_->store(false); }

 private:
  std::shared_ptr<std::atomic<bool>> held_;
};

class HeapMedium final : public Medium {
 public:
  explicit HeapMedium(std::uint32_t granularity) : granularity_(granularity) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    const std::lock_guard guard(mutex_);
    auto place = files_.find(name);
    if (place == files_.end()) {
      if (mode != FileMode::create) return missing("open", name);
      place = files_.emplace(name, std::make_shared<Content>()).first;
    }
    if (mode == FileMode::create) place->second->resize(0);
    return std::unique_ptr<MediumFile>(std::make_unique<HeapFile>(place->second));
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
    if (place == files_.end()) return missing("remove", name);
    files_.erase(place);
    return {};
  }
  Status rename(std::string_view from, std::string_view to) override {
    const std::lock_guard guard(mutex_);
    const auto place = files_.find(from);
    if (place == files_.end()) return missing("rename", from);
    if (from == to) return {};
    files_.insert_or_assign(std::string(to), place->second);
    files_.erase(files_.find(from));
    return {};
  }
  Status sync_names() override { return {}; }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override {
    if (held_->exchange(true)) return Error{ErrorCode::locked, ":memory: is already open for writing"};
    return std::unique_ptr<WriterLock>(std::make_unique<HeapLock>(held_));
  }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return granularity_; }
  [[nodiscard]] std::string describe() const override { return ":memory:"; }

 private:
  static Error missing(const char* operation, std::string_view name) {
    return {ErrorCode::not_found, std::string("cannot ") + operation + " :memory:/" + std::string(name) + ": it is not there"};
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Content>, std::less<>> files_;
  std::shared_ptr<std::atomic<bool>> held_ = std::make_shared<std::atomic<bool>>(false);
  std::uint32_t granularity_;
};

}  // namespace

std::unique_ptr<Medium> make_heap_medium(std::uint32_t granularity) { return std::make_unique<HeapMedium>(granularity); }

}  // namespace rizoma
