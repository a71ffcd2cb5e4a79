#include "store/publish.h"

#include "store/file_names.h"
#include "store/superblock.h"

#include <string>
#include <vector>

namespace rizoma {

std::string manifest_name(std::uint64_t number) { return std::string(kManifestPrefix) + std::to_string(number); }

Result<std::uint64_t> write_manifest(Medium& medium, const format::StoreId& store, const ManifestState& state,
                                     std::uint64_t number) {
  const std::vector<std::byte> bytes = encode_manifest(state, store, number);
  RIZOMA_ASSIGN(const auto file, medium.open(manifest_name(number), FileMode::create));
  RIZOMA_TRY(file->write(0, bytes));
  RIZOMA_TRY(file->sync());
  RIZOMA_TRY(medium.sync_names());
  return std::uint64_t{bytes.size()};
}

format::Superblock superblock_for(const format::StoreId& store, const ManifestState& state, std::uint64_t number) {
  format::Superblock block;
  block.store = store;
  block.generation = state.generation;
  block.manifest_number = number;
  return block;
}

void remove_stale_files(Medium& medium, std::uint64_t number) {
  const auto names = medium.list();
  if (!names) return;
  for (const std::string& name : *names) {
    const auto log = number_in(name, kLogPrefix);
    const auto manifest = number_in(name, kManifestPrefix);
    const bool old_log = log && *log < number;
    const bool other_manifest = manifest && *manifest != number;
    if (!old_log && !other_manifest && name != kNewSuperblockName) continue;
    if (!medium.remove(name)) return;
  }
}

}  // namespace rizoma
