#include "store/loading/spill.h"

#include "base/check.h"

#include <string>
#include <utility>

namespace rizoma {

Result<std::unique_ptr<SpillFile>> SpillFile::create(Medium& medium, std::string_view name) {
  const std::string full = std::string(kSpillPrefix) + std::string(name);
  RIZOMA_ASSIGN(std::unique_ptr<MediumFile> file, medium.open(full, FileMode::create));
  (void)medium.remove(full);  // an open file outlives its name
  return std::unique_ptr<SpillFile>(new SpillFile(std::move(file)));
}

Result<std::uint64_t> SpillFile::append(std::span<const std::byte> bytes) {
  RIZOMA_TRY(file_->write(end_, bytes));
  return std::exchange(end_, end_ + bytes.size());
}

Status SpillFile::read(std::uint64_t place, std::span<std::byte> out) const {
  RIZOMA_CHECK(place <= end_ && out.size() <= end_ - place);
  return file_->read(place, out);
}

Status SpillFile::let_go(std::uint64_t place, std::uint64_t size) {
  RIZOMA_CHECK(place <= end_ && size <= end_ - place);
  return file_->discard(place, size);
}

}  // namespace rizoma
