#include "testing/heap_medium.h"

#include "platform/memory_medium.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// No file is larger, as no file is larger than its file system allows: a crafted store may claim space up to any
/// offset, and a file here has no holes.
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;

/// The bytes of a file.  Growing moves them; mappings keep what they began with, and see writes as long
/// as nothing grows: no less than a mapping of a file promises to one who maps again after writing.
class Content {
 public:
  [[nodiscard]] std::uint64_t size() const {
    const std::lock_guard guard(mutex_);
    return size_;
  }
  /// False if the content ends before.
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::byte> out) const {
    const std::lock_guard guard(mutex_);
    if (offset > size_ || out.size() > size_ - offset) return false;
    if (!out.empty()) std::memcpy(out.data(), bytes_.get() + offset, out.size());
    return true;
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
  [[nodiscard]] std::optional<Mapping> map(std::uint64_t offset, std::uint64_t size) const {
    const std::lock_guard guard(mutex_);
    if (offset > size_ || size > size_ - offset) return std::nullopt;
    return Mapping{{bytes_.get() + offset, size}, bytes_};
  }
  std::atomic<int> marks{0};

  void pin(std::uint64_t number) {
    const std::lock_guard guard(mutex_);
    pins_.insert(number);
  }
  void unpin(std::uint64_t number) {
    const std::lock_guard guard(mutex_);
    pins_.erase(pins_.find(number));
  }
  [[nodiscard]] std::vector<std::uint64_t> pins(std::uint64_t end) const {
    const std::lock_guard guard(mutex_);
    std::vector<std::uint64_t> found;
    std::unique_copy(pins_.begin(), pins_.lower_bound(end), std::back_inserter(found));
    return found;
  }

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
  std::multiset<std::uint64_t> pins_;
};

class Pin {
 public:
  Pin(std::shared_ptr<Content> content, std::uint64_t number) : content_(std::move(content)), number_(number) {
    content_->pin(number_);
  }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  ~Pin() { content_->unpin(number_); }

 private:
  std::shared_ptr<Content> content_;
  std::uint64_t number_;
};

class HeapFile final : public MediumFile {
 public:
  HeapFile(std::shared_ptr<Content> content, std::string where, bool writable)
      : content_(std::move(content)), where_(std::move(where)), writable_(writable) {}
  ~HeapFile() override {
    if (marked_) --content_->marks;
  }
  [[nodiscard]] Result<std::uint64_t> size() const override { return content_->size(); }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override {
    return content_->read(offset, out) ? Status() : too_short();
  }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    RIZOMA_TRY(check_writable());
    if (offset > kLargestFile || bytes.size() > kLargestFile - offset) return too_large();
    content_->write(offset, bytes);
    return {};
  }
  Status sync() override { return check_writable(); }
  Status resize(std::uint64_t size) override {
    RIZOMA_TRY(check_writable());
    if (size > kLargestFile) return too_large();
    content_->resize(size);
    return {};
  }
  Status discard(std::uint64_t offset, std::uint64_t size) override {
    RIZOMA_TRY(check_writable());
    content_->discard(offset, size);
    return {};
  }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    if (auto mapping = content_->map(offset, size)) return *std::move(mapping);
    return too_short();
  }
  [[nodiscard]] Result<bool> mark_in_use() override {
    const int others = content_->marks - (marked_ ? 1 : 0);
    if (!std::exchange(marked_, true)) ++content_->marks;
    return others == 0;
  }
  [[nodiscard]] Result<bool> has_only_mark() override { return content_->marks - (marked_ ? 1 : 0) == 0; }
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override {
    return std::shared_ptr<const void>(std::make_shared<const Pin>(content_, number));
  }
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override {
    return content_->pins(end);
  }

 private:
  [[nodiscard]] Status check_writable() const {
    if (writable_) return {};
    return Error{ErrorCode::invalid_argument, "cannot change " + where_ + ": the graph is open for reading only"};
  }
  [[nodiscard]] Error too_short() const {
    return {ErrorCode::corrupt, where_ + " ends before the bytes that were asked for"};
  }
  [[nodiscard]] Error too_large() const { return {ErrorCode::io, where_ + " would be larger than a file may be"}; }

  std::shared_ptr<Content> content_;
  std::string where_;
  bool writable_;
  bool marked_ = false;
};

class HeapContent final : public MemoryFile {
 public:
  [[nodiscard]] std::unique_ptr<MediumFile> open(std::string where, bool writable) override {
    return std::make_unique<HeapFile>(content_, std::move(where), writable);
  }

 private:
  std::shared_ptr<Content> content_ = std::make_shared<Content>();
};

}  // namespace

std::unique_ptr<Medium> make_heap_medium(std::uint32_t granularity) {
  return make_memory_medium(granularity, [](const std::string&) {
    return Result<std::shared_ptr<MemoryFile>>(std::make_shared<HeapContent>());
  });
}

}  // namespace rizoma
