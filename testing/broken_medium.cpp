#include "testing/broken_medium.h"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// What the medium and its open files share.
class Culprit {
 public:
  explicit Culprit(Mistake mistake) : mistake_(std::move(mistake)) {}

  /// Does the operation, or what the mistake makes of it.
  Status perform(OperationKind kind, std::string_view file, std::function<Status()> operation) {
    const std::lock_guard guard(mutex_);
    if (kind == mistake_.kind && file.starts_with(mistake_.file)) {
      if (mistake_.delayed) late_.push_back(std::move(operation));
      return {};
    }
    const Status status = operation();
    if (status && mistake_.delayed && kind == mistake_.until && file.starts_with(mistake_.until_file)) {
      for (const auto& each : std::exchange(late_, {})) RIZOMA_TRY(each());
    }
    return status;
  }

 private:
  std::mutex mutex_;
  Mistake mistake_;
  std::vector<std::function<Status()>> late_;
};

class BrokenFile final : public MediumFile {
 public:
  BrokenFile(std::shared_ptr<MediumFile> file, std::string name, std::shared_ptr<Culprit> culprit)
      : file_(std::move(file)), name_(std::move(name)), culprit_(std::move(culprit)) {}

  [[nodiscard]] Result<std::uint64_t> size() const override { return file_->size(); }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override { return file_->read(offset, out); }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    return culprit_->perform(OperationKind::write, name_,
                             [file = file_, offset, copy = std::vector(bytes.begin(), bytes.end())] {
                               return file->write(offset, copy);
                             });
  }
  Status sync() override {
    return culprit_->perform(OperationKind::sync, name_, [file = file_] { return file->sync(); });
  }
  Status resize(std::uint64_t size) override {
    return culprit_->perform(OperationKind::resize, name_, [file = file_, size] { return file->resize(size); });
  }
  Status discard(std::uint64_t offset, std::uint64_t size) override {
    return culprit_->perform(OperationKind::discard, name_,
                             [file = file_, offset, size] { return file->discard(offset, size); });
  }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return file_->map(offset, size);
  }
  [[nodiscard]] Result<bool> mark_in_use() override { return file_->mark_in_use(); }
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override { return file_->pin(number); }
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override { return file_->pins(end); }

 private:
  std::shared_ptr<MediumFile> file_;
  std::string name_;
  std::shared_ptr<Culprit> culprit_;
};

class BrokenMedium final : public Medium {
 public:
  BrokenMedium(Medium& medium, const Mistake& mistake) : medium_(medium), culprit_(std::make_shared<Culprit>(mistake)) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    RIZOMA_ASSIGN(std::shared_ptr<MediumFile> file, medium_.open(name, mode));
    return std::unique_ptr<MediumFile>(std::make_unique<BrokenFile>(std::move(file), std::string(name), culprit_));
  }
  [[nodiscard]] Result<bool> exists(std::string_view name) const override { return medium_.exists(name); }
  [[nodiscard]] Result<std::vector<std::string>> list() const override { return medium_.list(); }
  Status remove(std::string_view name) override { return medium_.remove(name); }
  Status rename(std::string_view from, std::string_view to) override { return medium_.rename(from, to); }
  Status sync_names() override {
    return culprit_->perform(OperationKind::sync_names, "", [this] { return medium_.sync_names(); });
  }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override { return medium_.lock_for_writing(); }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return medium_.granularity(); }
  [[nodiscard]] std::string describe() const override { return medium_.describe(); }

 private:
  Medium& medium_;
  std::shared_ptr<Culprit> culprit_;
};

}  // namespace

std::shared_ptr<Medium> make_broken_medium(Medium& medium, const Mistake& mistake) {
  return std::make_shared<BrokenMedium>(medium, mistake);
}

}  // namespace rizoma
