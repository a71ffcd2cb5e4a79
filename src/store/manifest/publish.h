// Publishing: how a store goes from one manifest to the next.
//
//   0. write and sync an empty log.N; sync the names: changes go to it from now on.  Until the
//      superblock names N, recovery replays the old log and then this one (log_chain.h);
//   1. write and sync manifest.N and its copy (manifest_copies.h); sync the names;
//   2. write the superblock (superblock.h): from its first sync on, N is the store's state;
//   3. remove the files of before.
// A crash before 2 leaves the old state, one after it the new; the other's files are removed at the
// next open.  What a manifest names in `data` must be durable before.
#pragma once

#include "platform/medium.h"
#include "store/disk_format.h"
#include "store/manifest/manifest_copies.h"

#include <cstdint>

namespace rizoma {

/// The superblock that names manifest.`number`.
[[nodiscard]] format::Superblock superblock_for(const format::StoreId& store, const ManifestState& state,
                                                std::uint64_t number);

/// Removes manifests other than `number` and logs before it; what cannot be removed now will be later.
void remove_stale_files(Medium& medium, std::uint64_t number);

}  // namespace rizoma
