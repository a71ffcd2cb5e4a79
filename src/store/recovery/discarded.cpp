#include "store/recovery/discarded.h"

#include "store/recovery/store_probe.h"
#include "store/manifest/superblock.h"

#include <cstdint>
#include <span>
#include <string>

namespace rizoma {

Result<bool> is_discarded(Medium& medium) {
  const auto file = medium.open(kDiscardedName, FileMode::read);
  if (!file && file.error().code == ErrorCode::not_found) return false;
  if (!file) return file.error();
  RIZOMA_ASSIGN(const std::uint64_t size, (*file)->size());
  std::uint32_t magic = 0;
  if (size >= sizeof magic) RIZOMA_TRY((*file)->read(0, std::as_writable_bytes(std::span(&magic, 1))));
  return magic == static_cast<std::uint32_t>(format::kSuperblockMagic);
}

Status begin_discarding(Medium& medium) {
  RIZOMA_ASSIGN(const bool found, medium.exists(kSuperblockName));
  if (!found) return {};
  RIZOMA_TRY(medium.rename(kSuperblockName, kDiscardedName));
  return medium.sync_names();
}

Status remove_discarded(Medium& medium) {
  RIZOMA_ASSIGN(const auto names, medium.list());
  for (const std::string& name : names) {
    if (name != kDiscardedName && store_makes_file(name)) RIZOMA_TRY(medium.remove(name));
  }
  RIZOMA_TRY(medium.sync_names());
  RIZOMA_ASSIGN(const bool found, medium.exists(kDiscardedName));
  if (!found) return {};
  RIZOMA_TRY(medium.remove(kDiscardedName));
  return medium.sync_names();
}

}  // namespace rizoma
