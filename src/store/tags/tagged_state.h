// A tagged state: its manifest, in an extent of `data`, which the present manifest lists.
#pragma once

#include <rizoma/result.h>

#include "store/manifest/manifest.h"
#include "store/publishing/publisher.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {

/// The header checksum of a manifest, which TagEntry::id is.
[[nodiscard]] std::uint64_t manifest_id(std::span<const std::byte> manifest) noexcept;

/// The state of a tag.  Errors: corrupt (damaged, or in a location that the store does not have), io.
Result<ManifestState> read_tagged(const Publisher& publisher, const TagEntry& tag);

/// The tagged state that StoreOptions::at names, in the locations of the current one.  Errors: not_found, those of
/// read_tagged.
Result<ManifestState> tagged_state_at(const Publisher& publisher, const ManifestState& present);

/// The state whose extents a writer must not overwrite; nothing for a reader, which overwrites nothing, and for a
/// damaged tag, which leads nowhere.  Errors: io, which leaves open what the state is.
Result<std::optional<ManifestState>> state_to_keep(const Publisher& publisher, const TagEntry& tag);

}  // namespace rizoma
