// EmbeddedManifest: the manifest once more, in an extent of `data` itself.
//
// What: the bytes of manifest.N without publish records.  The manifest says where they are
// (ManifestColumns::embedded_page), so `data` says by itself what its extents mean.
// Why: a repair of a store that has lost manifest.N and its copy finds the manifest here.  An opening only asks
// whether the bytes are there, to leave them alone; `check` compares them.
// How: written with the other extents of a state and covered by their sync, before the files that name them.  The
// extent belongs to the published state (Publisher::keep_embedded) and is free once a later one is published; copies of
// earlier states may still lie in free space.
// Cost: the manifest's bytes once more for each publication, and no sync.  A release that does not know the copy takes
// its space and writes manifests that name none.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/manifest/manifest.h"
#include "store/manifest/manifest_copies.h"
#include "store/space/space.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

/// As encode_manifest, of a state whose manifest lies at `place(bytes)` of `data`, too; the state names that place.
[[nodiscard]] std::vector<std::byte> encode_manifest_at(ManifestState& state, const format::StoreId& store,
                                                        std::uint64_t number,
                                                        FunctionRef<std::uint64_t(std::size_t)> place);

struct EmbeddedManifest {
  std::vector<std::byte> bytes;
  std::shared_ptr<const ExtentLease> lease;
};

/// Gives manifest.`number` of a state its place in `data` and writes it there; not synced.
Result<EmbeddedManifest> embed_manifest(Space& space, const format::StoreId& store, ManifestState& state,
                                        std::uint64_t number);

/// Where a manifest says that its copy is; nothing: nowhere.
[[nodiscard]] std::optional<Extent> embedded_extent(const ManifestFile& manifest) noexcept;

/// That extent, if the copy begins there and no extent of `others` has a part of it.
[[nodiscard]] std::optional<Extent> embedded_in(const DataFiles& data, const ManifestFile& manifest,
                                                std::span<const Extent> others);

/// Errors: corrupt (the bytes are not those of the manifest), io.
Status check_embedded(const DataFiles& data, const ManifestFile& manifest);

/// What a repair looks for.
struct WantedManifest {
  std::optional<format::StoreId> store;  ///< nothing: of any
  std::optional<std::uint64_t> number;   ///< nothing: of the latest generation
};

/// Reads the first bytes of every page of `data` for the copies of manifests.  Returns the wanted one that is whole, or
/// nothing.  Nothing says how a store with this manifest was closed: `close_lost` is set.  Errors: those of opening
/// `data`.
Result<std::optional<FoundManifest>> find_embedded(Medium& medium, const WantedManifest& wanted);

}  // namespace rizoma
