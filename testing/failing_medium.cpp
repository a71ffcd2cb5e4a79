#include "testing/failing_medium.h"

#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

class FailingFile final : public MediumFile {
 public:
  FailingFile(std::unique_ptr<MediumFile> file, FailingCalls& calls) : file_(std::move(file)), calls_(calls) {}

  [[nodiscard]] Result<std::uint64_t> size() const override {
    RIZOMA_TRY(calls_.next("size"));
    return file_->size();
  }
  [[nodiscard]] Result<std::uint64_t> allocated() const override {
    RIZOMA_TRY(calls_.next("allocated"));
    return file_->allocated();
  }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override {
    RIZOMA_TRY(calls_.next("read"));
    return file_->read(offset, out);
  }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    RIZOMA_TRY(calls_.next("write"));
    return file_->write(offset, bytes);
  }
  Status sync() override {
    RIZOMA_TRY(calls_.next("sync"));
    return file_->sync();
  }
  Status resize(std::uint64_t size) override {
    RIZOMA_TRY(calls_.next("resize"));
    return file_->resize(size);
  }
  Status discard(std::uint64_t offset, std::uint64_t size) override {
    RIZOMA_TRY(calls_.next("discard"));
    return file_->discard(offset, size);
  }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    RIZOMA_TRY(calls_.next("map"));
    return file_->map(offset, size);
  }
  Status populate(std::uint64_t offset, std::span<const std::byte> mapped) const override {
    RIZOMA_TRY(calls_.next("populate"));
    return file_->populate(offset, mapped);
  }
  [[nodiscard]] Result<bool> mark_in_use() override {
    RIZOMA_TRY(calls_.next("mark_in_use"));
    return file_->mark_in_use();
  }
  [[nodiscard]] Result<bool> has_only_mark() override {
    RIZOMA_TRY(calls_.next("has_only_mark"));
    return file_->has_only_mark();
  }
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override {
    RIZOMA_TRY(calls_.next("pin"));
    return file_->pin(number);
  }
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override {
    RIZOMA_TRY(calls_.next("pins"));
    return file_->pins(end);
  }

 private:
  std::unique_ptr<MediumFile> file_;
  FailingCalls& calls_;
};

class FailingMedium final : public Medium {
 public:
  FailingMedium(std::shared_ptr<Medium> medium, FailingCalls& calls) : medium_(std::move(medium)), calls_(calls) {}

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    RIZOMA_TRY(calls_.next("open"));
    RIZOMA_ASSIGN(auto file, medium_->open(name, mode));
    return std::unique_ptr<MediumFile>(std::make_unique<FailingFile>(std::move(file), calls_));
  }
  [[nodiscard]] Result<bool> exists(std::string_view name) const override {
    RIZOMA_TRY(calls_.next("exists"));
    return medium_->exists(name);
  }
  [[nodiscard]] Result<std::vector<std::string>> list() const override {
    RIZOMA_TRY(calls_.next("list"));
    return medium_->list();
  }
  [[nodiscard]] Result<bool> has_others() const override {
    RIZOMA_TRY(calls_.next("has_others"));
    return medium_->has_others();
  }
  Status remove(std::string_view name) override {
    RIZOMA_TRY(calls_.next("remove"));
    return medium_->remove(name);
  }
  Status rename(std::string_view from, std::string_view to) override {
    RIZOMA_TRY(calls_.next("rename"));
    return medium_->rename(from, to);
  }
  Status sync_names() override {
    RIZOMA_TRY(calls_.next("sync_names"));
    return medium_->sync_names();
  }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override {
    RIZOMA_TRY(calls_.next("lock_for_writing"));
    return medium_->lock_for_writing();
  }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return medium_->granularity(); }
  [[nodiscard]] Granularity persistence() const noexcept override { return medium_->persistence(); }
  [[nodiscard]] Result<std::string> identity() const override {
    RIZOMA_TRY(calls_.next("identity"));
    return medium_->identity();
  }
  [[nodiscard]] std::string describe() const override { return medium_->describe(); }

 private:
  std::shared_ptr<Medium> medium_;
  FailingCalls& calls_;
};

}  // namespace

Status FailingCalls::next(const char* what) {
  if (++calls_ != nth_) return {};
  return Error{ErrorCode::io, std::string("the ") + what + " that is to fail"};
}

std::shared_ptr<Medium> make_failing_medium(std::shared_ptr<Medium> medium, FailingCalls& calls) {
  return std::make_shared<FailingMedium>(std::move(medium), calls);
}

}  // namespace rizoma
