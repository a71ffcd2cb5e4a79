#include "testing/filtered_medium.h"

#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

class FilteredFile final : public MediumFile {
 public:
  FilteredFile(std::shared_ptr<MediumFile> file, std::string name, std::shared_ptr<const OperationFilter> filter)
      : file_(std::move(file)), name_(std::move(name)), filter_(std::move(filter)) {}

  [[nodiscard]] Result<std::uint64_t> size() const override { return file_->size(); }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override { return file_->read(offset, out); }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    return (*filter_)(
        OperationKind::write, name_,
        [file = file_, offset, copy = std::vector(bytes.begin(), bytes.end())] { return file->write(offset, copy); });
  }
  Status sync() override {
    return (*filter_)(OperationKind::sync, name_, [file = file_] { return file->sync(); });
  }
  Status resize(std::uint64_t size) override {
    return (*filter_)(OperationKind::resize, name_, [file = file_, size] { return file->resize(size); });
  }
  Status discard(std::uint64_t offset, std::uint64_t size) override {
    return (*filter_)(OperationKind::discard, name_,
                      [file = file_, offset, size] { return file->discard(offset, size); });
  }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return file_->map(offset, size);
  }
  Status populate(std::uint64_t offset, std::span<const std::byte> mapped) const override {
    return file_->populate(offset, mapped);
  }
  [[nodiscard]] Result<bool> mark_in_use() override { return file_->mark_in_use(); }
  [[nodiscard]] Result<bool> has_only_mark() override { return file_->has_only_mark(); }
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override {
    return file_->pin(number);
  }
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override { return file_->pins(end); }

 private:
  std::shared_ptr<MediumFile> file_;
  std::string name_;
  std::shared_ptr<const OperationFilter> filter_;
};

class FilteredMedium final : public Medium {
 public:
  FilteredMedium(Medium& medium, OperationFilter filter)
      : medium_(medium), filter_(std::make_shared<const OperationFilter>(std::move(filter))) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    RIZOMA_ASSIGN(std::shared_ptr<MediumFile> file, medium_.open(name, mode));
    return std::unique_ptr<MediumFile>(std::make_unique<FilteredFile>(std::move(file), std::string(name), filter_));
  }
  [[nodiscard]] Result<bool> exists(std::string_view name) const override { return medium_.exists(name); }
  [[nodiscard]] Result<std::vector<std::string>> list() const override { return medium_.list(); }
  Status remove(std::string_view name) override { return medium_.remove(name); }
  Status rename(std::string_view from, std::string_view to) override { return medium_.rename(from, to); }
  Status sync_names() override {
    return (*filter_)(OperationKind::sync_names, "", [this] { return medium_.sync_names(); });
  }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override { return medium_.lock_for_writing(); }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return medium_.granularity(); }
  [[nodiscard]] std::string describe() const override { return medium_.describe(); }

 private:
  Medium& medium_;
  std::shared_ptr<const OperationFilter> filter_;
};

}  // namespace

std::shared_ptr<Medium> make_filtered_medium(Medium& medium, OperationFilter filter) {
  return std::make_shared<FilteredMedium>(medium, std::move(filter));
}

}  // namespace rizoma
