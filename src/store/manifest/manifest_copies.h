// ManifestCopies: manifest.N and manifest-copy.N, the same bytes twice.
//
// Both are durable before a superblock names N, so that one which is damaged or missing later costs nothing: code that
// reads takes the other one.  The next manifest is in two copies again.  Stores of releases that wrote one copy are
// read as they are; a manifest says itself whether it has a copy (ManifestBody::copied).  For a repair that finds
// neither, `data` has the manifest once more (embedded_manifest.h).
// Cost: twice the manifest's bytes, and one sync more for each publication and each clean close.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace rizoma {

[[nodiscard]] std::string manifest_name(std::uint64_t number);
[[nodiscard]] std::string manifest_copy_name(std::uint64_t number);

/// The place of the next publish record in each copy; 0: none, because the copy is not whole.
using ManifestOffsets = std::array<std::uint64_t, 2>;

/// Writes both copies of an encoded manifest, each durable with its name.
Result<ManifestOffsets> write_manifest(Medium& medium, std::span<const std::byte> manifest, std::uint64_t number);

/// Appends a record to each copy that takes one, durably, to the first before the second; `ends` moves on with each.
Status append_publish_record(Medium& medium, std::uint64_t number, ManifestOffsets& ends,
                             const format::PublishRecord& record);

struct FoundManifest {
  std::uint64_t number = 0;
  ManifestFile file;  ///< of a whole copy; of two, the one that knows of the later close
  ManifestOffsets ends{};
  /// Of the other copy, if it is damaged, or missing though it was written; or of the records of one of them.
  std::optional<Error> damage;
  /// Records of a close, or of changes after one, are damaged in both copies: no record says where the log must end.
  std::optional<Error> close_lost;
};

/// Reads manifest.`number` of a store (any store's, if the caller does not say whose) from what is left of its copies.
/// Errors: not_found (both are missing), corrupt (none is whole, or they are of two states), unsupported (either is
/// of a later release), io (none is whole, and one cannot be read).
Result<FoundManifest> read_manifest(Medium& medium, const std::optional<format::StoreId>& store, std::uint64_t number);

}  // namespace rizoma
