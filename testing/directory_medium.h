// DirectoryMedium: one of several directories in one medium, whose names begin with "NAME:": all of a store's
// locations crash together.
#pragma once

#include "platform/medium.h"
#include "store/space/locations.h"

#include <memory>
#include <string>
#include <utility>

namespace rizoma {

class DirectoryMedium final : public Medium {
 public:
  /// `whole` outlives it.
  DirectoryMedium(Medium& whole, std::string name) : whole_(whole), prefix_(std::move(name) + ":") {}
  [[nodiscard]] Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) override {
    return whole_.open(full(name), mode);
  }
  [[nodiscard]] Result<bool> exists(std::string_view name) const override { return whole_.exists(full(name)); }
  [[nodiscard]] Result<std::vector<std::string>> list() const override {
    RIZOMA_ASSIGN(const auto all, whole_.list());
    std::vector<std::string> names;
    for (const std::string& name : all) {
      if (name.starts_with(prefix_)) names.push_back(name.substr(prefix_.size()));
    }
    return names;
  }
  Status remove(std::string_view name) override { return whole_.remove(full(name)); }
  Status rename(std::string_view from, std::string_view to) override { return whole_.rename(full(from), full(to)); }
  Status sync_names() override { return whole_.sync_names(); }
  [[nodiscard]] Result<std::unique_ptr<WriterLock>> lock_for_writing() override { return whole_.lock_for_writing(); }
  [[nodiscard]] std::uint32_t granularity() const noexcept override { return whole_.granularity(); }
  [[nodiscard]] std::string describe() const override { return prefix_.substr(0, prefix_.size() - 1); }

 private:
  [[nodiscard]] std::string full(std::string_view name) const { return prefix_ + std::string(name); }
  Medium& whole_;
  std::string prefix_;
};

/// An opener of such directories in `whole`, which outlives it; one without files is there only if it is created.
[[nodiscard]] inline LocationOpener directories_in(Medium& whole) {
  return [&whole](const std::string& path, bool create) -> Result<std::shared_ptr<Medium>> {
    auto directory = std::make_shared<DirectoryMedium>(whole, path);
    RIZOMA_ASSIGN(const auto names, directory->list());
    if (!create && names.empty()) return Error{ErrorCode::not_found, path + " is not there"};
    return std::shared_ptr<Medium>(std::move(directory));
  };
}

}  // namespace rizoma
