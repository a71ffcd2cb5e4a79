// The file `part`, which makes a store a part of a graph (sections/part.h).
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"
#include "store/sections/part.h"

#include <memory>
#include <string>

namespace rizoma {

inline constexpr const char* kPartName = "part";

/// The same in all parts of one state of a graph, and only there.
[[nodiscard]] std::string state_of(const Part& part);

/// What the file says of the store with this superblock and state; null: the whole graph is there.  The blocks of rows
/// that are in other parts are marked so in the state.  Errors: corrupt (of another state too), unsupported, io.
Result<std::shared_ptr<const Part>> read_part(Medium& medium, const format::Superblock& block, ManifestState& state);

/// Errors: unsupported, of a part.
Status expect_whole_store(Medium& medium);

}  // namespace rizoma
