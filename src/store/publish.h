// Publishing: how a store goes from one manifest to the next.
//
//   1. write and sync manifest.N and an empty log.N; sync the names;
//   2. write the superblock (superblock.h): from its first sync on, N is the store's state;
//   3. remove the files of before.
// A crash before 2 leaves the old state, one after it the new; the other's files are removed at the
// next open.  What a manifest names in `data` must be durable before.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/format.h"
#include "store/log.h"
#include "store/manifest.h"

#include <memory>
#include <string>

namespace rizoma {

inline constexpr const char* kDataName = "data";

[[nodiscard]] std::string manifest_name(std::uint64_t number);

/// The outcome of a publication.
struct Published {
  std::unique_ptr<Log> log;
  std::uint64_t manifest_end = 0;  ///< where publish records go
};

/// Step 1 alone, for a store that is being created: fills in state.log_number.
Result<Published> write_manifest(Medium& medium, const format::StoreId& store, ManifestState& state,
                                 std::uint64_t number);

/// The superblock that names manifest.`number`.
[[nodiscard]] format::Superblock superblock_for(const format::StoreId& store, const ManifestState& state,
                                                std::uint64_t number);

/// Removes manifests and logs other than those of `number`; what cannot be removed now will be later.
void remove_stale_files(Medium& medium, std::uint64_t number);

}  // namespace rizoma
