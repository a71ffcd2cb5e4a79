#include "store/publish.h"

#include "store/superblock.h"

#include <vector>

namespace rizoma {

std::string manifest_name(std::uint64_t number) { return "manifest." + std::to_string(number); }

Result<Published> write_manifest(Medium& medium, const format::StoreId& store, ManifestState& state,
                                 std::uint64_t number) {
  state.log_number = number;
  const std::vector<std::byte> bytes = encode_manifest(state, store, number);
  RIZOMA_ASSIGN(const auto file, medium.open(manifest_name(number), FileMode::create));
  RIZOMA_TRY(file->write(0, bytes));
  RIZOMA_TRY(file->sync());
  Published published;
  RIZOMA_ASSIGN(published.log, Log::create(medium, store, number, state.log_sequence));
  published.manifest_end = bytes.size();
  RIZOMA_TRY(medium.sync_names());
  return published;
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
    const bool ours = name.starts_with("manifest.") || name.starts_with("log.") || name == "superblock.new";
    if (ours && name != manifest_name(number) && name != log_name(number)) {
      if (!medium.remove(name)) return;
    }
  }
}

}  // namespace rizoma
