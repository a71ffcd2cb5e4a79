#include "store/loading/spill.h"

#include "base/check.h"

#include <string>

namespace rizoma {

Result<std::unique_ptr<SpillFile>> SpillFile::create(Medium& medium, std::string_view name) {
  const std::string full = std::string(kSpillPrefix) + std::string(name);
  RIZOMA_ASSIGN(std::unique_ptr<MediumFile> file, medium.open(full, FileMode::create));
  (void)medium.remove(full);  // an open file outlives its name
  return std::unique_ptr<SpillFile>(new SpillFile(std::move(file)));
}

Result<std::uint64_t> SpillFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t place = end_.fetch_add(bytes.size(), std::memory_order_relaxed);
  RIZOMA_TRY(file_->write(place, bytes));
  return place;
}

Status SpillFile::read(std::uint64_t place, std::span<std::byte> out) const {
  RIZOMA_CHECK(place <= size() && out.size() <= size() - place);
  return file_->read(place, out);
}

Status SpillFile::let_go(std::uint64_t place, std::uint64_t size) {
  RIZOMA_CHECK(place <= this->size() && size <= this->size() - place);
  return file_->discard(place, size);
}

}  // namespace rizoma
