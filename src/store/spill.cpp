#include "store/spill.h"

#include <utility>

namespace rizoma {

SpillFile::SpillFile(Medium& medium, std::string name, std::unique_ptr<MediumFile> file)
    : medium_(medium), name_(std::move(name)), file_(std::move(file)) {}

Result<std::unique_ptr<SpillFile>> SpillFile::create(Medium& medium, std::string_view name) {
  std::string full = std::string(kSpillPrefix) + std::string(name);
  RIZOMA_ASSIGN(std::unique_ptr<MediumFile> file, medium.open(full, FileMode::create));
  return std::unique_ptr<SpillFile>(new SpillFile(medium, std::move(full), std::move(file)));
}

SpillFile::~SpillFile() {
  file_.reset();
  // If it cannot be removed now, the next open for writing removes it.
  (void)medium_.remove(name_);
}

Result<std::uint64_t> SpillFile::append(std::span<const std::byte> bytes) {
  RIZOMA_TRY(file_->write(end_, bytes));
  return std::exchange(end_, end_ + bytes.size());
}

}  // namespace rizoma
