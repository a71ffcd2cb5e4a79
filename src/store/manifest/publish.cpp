#include "store/manifest/publish.h"

#include "store/file_names.h"
#include "store/manifest/superblock.h"

#include <new>
#include <string>

namespace rizoma {

format::Superblock superblock_for(const format::StoreId& store, const ManifestState& state, std::uint64_t number) {
  format::Superblock block;
  block.store = store;
  block.generation = state.generation;
  block.manifest_number = number;
  return block;
}

void remove_stale_files(Medium& medium, std::uint64_t number) {
  try {
    const auto names = medium.list();
    if (!names) return;
    for (const std::string& name : *names) {
      const auto log = number_in(name, kLogPrefix);
      const auto manifest = manifest_number_in(name);
      const bool old_log = log && *log < number;
      const bool other_manifest = manifest && *manifest != number;
      if (!old_log && !other_manifest && name != kNewSuperblockName) continue;
      if (!medium.remove(name)) return;
    }
  } catch (const std::bad_alloc&) {  // a published state stays; the next publication removes them
  }
}

}  // namespace rizoma
