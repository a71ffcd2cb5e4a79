#include "testing/unreadable_medium.h"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>

namespace rizoma {
namespace {

/// The ranges, as all openings of all files see them.
class Ranges {
 public:
  explicit Ranges(std::vector<UnreadableRange> ranges) : ranges_(std::move(ranges)) {}

  [[nodiscard]] Status readable(std::string_view file, std::uint64_t begin, std::uint64_t bytes) {
    const std::lock_guard guard(mutex_);
    for (const UnreadableRange& range : ranges_) {
      if (range.file == file && range.begin < begin + bytes && begin < range.end) {
        return Error{ErrorCode::io, "cannot read " + std::string(file) + ": Input/output error"};
      }
    }
    return {};
  }
  void written(std::string_view file, std::uint64_t begin, std::uint64_t bytes) {
    const std::lock_guard guard(mutex_);
    const std::uint64_t end = begin + bytes;
    std::vector<UnreadableRange> left;
    for (const UnreadableRange& range : ranges_) {
      if (range.file != file || range.end <= begin || end <= range.begin) {
        left.push_back(range);
        continue;
      }
      if (range.begin < begin) left.push_back({range.file, range.begin, begin});
      if (end < range.end) left.push_back({range.file, end, range.end});
    }
    ranges_ = std::move(left);
  }
  void renamed(std::string_view from, std::string_view to) {
    const std::lock_guard guard(mutex_);
    std::erase_if(ranges_, [&](const UnreadableRange& range) { return range.file == to; });
    for (UnreadableRange& range : ranges_) {
      if (range.file == from) range.file = to;
    }
  }

 private:
  std::mutex mutex_;
  std::vector<UnreadableRange> ranges_;
};

class UnreadableFile final : public MediumFile {
 public:
  UnreadableFile(std::unique_ptr<MediumFile> file, std::string name, std::shared_ptr<Ranges> ranges)
      : file_(std::move(file)), name_(std::move(name)), ranges_(std::move(ranges)) {}

  [[nodiscard]] Result<std::uint64_t> size() const override { return file_->size(); }
  [[nodiscard]] Result<std::uint64_t> allocated() const override { return file_->allocated(); }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override {
    RIZOMA_TRY(ranges_->readable(name_, offset, out.size()));
    return file_->read(offset, out);
  }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    RIZOMA_TRY(file_->write(offset, bytes));
    ranges_->written(name_, offset, bytes.size());
    return {};
  }
  Status sync() override { return file_->sync(); }
  Status resize(std::uint64_t size) override {
    RIZOMA_TRY(file_->resize(size));
    ranges_->written(name_, size, UINT64_MAX - size);
    return {};
  }
  Status discard(std::uint64_t offset, std::uint64_t size) override { return file_->discard(offset, size); }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return file_->map(offset, size);
  }
  Status populate(std::uint64_t offset, std::span<const std::byte> mapped) const override {
    return ranges_->readable(name_, offset, mapped.size());
  }
  [[nodiscard]] Result<bool> mark_in_use() override { return file_->mark_in_use(); }
  [[nodiscard]] Result<bool> has_only_mark() override { return file_->has_only_mark(); }
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override {
    return file_->pin(number);
  }
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override { return file_->pins(end); }

 private:
  std::unique_ptr<MediumFile> file_;
  std::string name_;
  std::shared_ptr<Ranges> ranges_;
};

class UnreadableMedium final : public Medium {
 public:
  UnreadableMedium(std::shared_ptr<Medium> medium, std::vector<UnreadableRange> ranges)
      : medium_(std::move(medium)), ranges_(std::make_shared<Ranges>(std::move(ranges))) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    RIZOMA_ASSIGN(auto file, medium_->open(name, mode));
    if (mode == FileMode::create) ranges_->written(name, 0, UINT64_MAX);
    return std::unique_ptr<MediumFile>(std::make_unique<UnreadableFile>(std::move(file), std::string(name), ranges_));
  }
  [[nodiscard]] Result<bool> exists(std::string_view name) const override { return medium_->exists(name); }
  [[nodiscard]] Result<std::vector<std::string>> list() const override { return medium_->list(); }
  Status remove(std::string_view name) override {
    RIZOMA_TRY(medium_->remove(name));
    ranges_->written(name, 0, UINT64_MAX);
    return {};
  }
  Status rename(std::string_view from, std::string_view to) override {
    RIZOMA_TRY(medium_->rename(from, to));
    ranges_->renamed(from, to);
    return {};
  }
  Status sync_names() override { return medium_->sync_names(); }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override { return medium_->lock_for_writing(); }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return medium_->granularity(); }
  [[nodiscard]] std::string describe() const override { return medium_->describe(); }

 private:
  std::shared_ptr<Medium> medium_;
  std::shared_ptr<Ranges> ranges_;
};

}  // namespace

std::shared_ptr<Medium> make_unreadable_medium(std::shared_ptr<Medium> medium, std::vector<UnreadableRange> ranges) {
  return std::make_shared<UnreadableMedium>(std::move(medium), std::move(ranges));
}

}  // namespace rizoma
