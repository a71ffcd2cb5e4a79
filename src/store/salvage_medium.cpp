#include "store/salvage_medium.h"

#include "platform/memory_medium.h"
#include "store/file_names.h"
#include "store/publish.h"
#include "store/superblock.h"

#include <utility>

namespace rizoma {
namespace {

Result<std::vector<std::byte>> read_whole(Medium& medium, std::string_view name) {
  RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  std::vector<std::byte> bytes(size);
  RIZOMA_TRY(file->read(0, bytes));
  return bytes;
}

}  // namespace

SalvageMedium::SalvageMedium(std::shared_ptr<Medium> damaged)
    : damaged_(std::move(damaged)), small_(make_memory_medium(damaged_->granularity())) {}

Result<std::shared_ptr<SalvageMedium>> SalvageMedium::over(std::shared_ptr<Medium> damaged) {
  std::shared_ptr<SalvageMedium> medium(new SalvageMedium(std::move(damaged)));
  RIZOMA_ASSIGN(const auto names, medium->damaged_->list());
  for (const std::string& name : names) {
    if (!name.starts_with("superblock") && !manifest_number_in(name) && !name.starts_with("log.")) continue;
    const auto bytes = read_whole(*medium->damaged_, name);
    if (bytes) RIZOMA_TRY(medium->replace(name, *bytes));
  }
  return medium;
}

Result<std::vector<std::byte>> SalvageMedium::read(const std::string& name) { return read_whole(*small_, name); }

Status SalvageMedium::replace(const std::string& name, std::span<const std::byte> bytes) {
  RIZOMA_ASSIGN(const auto file, small_->open(name, FileMode::create));
  return file->write(0, bytes);
}

Result<std::unique_ptr<MediumFile>> SalvageMedium::open(std::string_view name, FileMode mode) {
  return name == kDataName ? damaged_->open(name, FileMode::read) : small_->open(name, mode);
}

Result<bool> SalvageMedium::exists(std::string_view name) const {
  return name == kDataName ? damaged_->exists(name) : small_->exists(name);
}

}  // namespace rizoma
