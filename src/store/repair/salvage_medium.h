// SalvageMedium: the small files of a damaged store as copies that may be mended, over the damaged
// medium itself, which stays as it is: only `data`, which may be large, is read from there.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"

#include <memory>
#include <string>
#include <vector>

namespace rizoma {

class SalvageMedium final : public Medium {
 public:
  /// Copies the readable files; others are omitted.
  static Result<std::shared_ptr<SalvageMedium>> over(std::shared_ptr<Medium> damaged);

  /// The whole of a small file.  Errors: not_found, io.
  [[nodiscard]] Result<std::vector<std::byte>> read(const std::string& name);
  Status replace(const std::string& name, std::span<const std::byte> bytes);

  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override;
  [[nodiscard]] Result<bool> exists(std::string_view name) const override;
  [[nodiscard]] Result<std::vector<std::string>> list() const override { return small_->list(); }
  Status remove(std::string_view name) override { return small_->remove(name); }
  Status rename(std::string_view from, std::string_view to) override { return small_->rename(from, to); }
  Status sync_names() override { return {}; }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override { return damaged_->lock_for_writing(); }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return damaged_->granularity(); }
  [[nodiscard]] Result<std::string> identity() const override { return damaged_->identity(); }
  [[nodiscard]] std::string describe() const override { return damaged_->describe(); }

 private:
  explicit SalvageMedium(std::shared_ptr<Medium> damaged);

  std::shared_ptr<Medium> damaged_;
  std::unique_ptr<Medium> small_;
};

}  // namespace rizoma
