#include "store/repair/repair_root.h"

#include "store/file_names.h"
#include "store/manifest/manifest_copies.h"
#include "store/messages.h"
#include "store/manifest/publish.h"
#include "store/sections/removed_vertices.h"
#include "store/repair/repair_locations.h"
#include "store/repair/repair_logs.h"
#include "store/manifest/superblock.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// The newest whole manifest that exists.
Result<FoundManifest> newest_manifest(SalvageMedium& medium) {
  RIZOMA_ASSIGN(const auto names, medium.list());
  std::optional<FoundManifest> best;
  for (const std::string& name : names) {
    const auto number = manifest_number_in(name);
    if (!number || *number >= format::kMostNumberFound) continue;  // no store comes to that
    auto found = read_manifest(medium, std::nullopt, *number);
    if (found && (!best || found->file.state.generation > best->file.state.generation)) best = *std::move(found);
  }
  if (best) return *std::move(best);
  return corrupt(medium.describe(),
                 "has no intact manifest, which alone says where the sections are; restore the store from a backup");
}

/// The manifest that the superblock names, or else the newest, which it then names.
Result<FoundManifest> repair_superblock(SalvageMedium& medium, RepairReport& report) {
  const auto slots = read_superblock(medium);
  if (!slots && slots.error().code == ErrorCode::unsupported) return slots.error();
  std::optional<format::Superblock> block;
  if (slots) block = *slots->newest();
  if (block) {
    auto named = read_manifest(medium, block->store, block->manifest_number);
    if (named) return named;
  }
  RIZOMA_ASSIGN(FoundManifest found, newest_manifest(medium));
  RIZOMA_TRY(create_superblock(medium, superblock_for(found.file.store, found.file.state, found.number)));
  report.restored.push_back("the superblock, from " + manifest_name(found.number));
  if (block && block->generation > found.file.state.generation) {
    report.lost.push_back("all changes since state " + std::to_string(found.file.state.generation) +
                          ": the manifest of state " + std::to_string(block->generation) + " cannot be read");
  }
  return found;
}

/// Whether the list of removed vertices can be read.
Status read_removed(SalvageMedium& medium, const ManifestState& state) {
  RIZOMA_ASSIGN(const auto data, medium.open(kDataName, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, data->size());
  const Extent extent = state.removed.extent;
  if (extent.offset > size || extent.bytes > size - extent.offset) {
    return corrupt(medium.describe() + "/" + kDataName, "ends before the list of removed vertices");
  }
  std::vector<std::byte> bytes(extent.bytes);
  RIZOMA_TRY(data->read(extent.offset, bytes));
  if (state.removed.id != 0 && RemovedVertices::id_of(bytes) != state.removed.id) {
    return corrupt(medium.describe() + "/" + kDataName,
                   "has a different list of removed vertices than the manifest names");
  }
  const auto removed =
      RemovedVertices::decode(bytes, state.schema.section_bits, state.num_vertices, "the list of removed vertices");
  return removed ? Status() : removed.error();
}

/// Leaves out a damaged list of removed vertices: the sections have no edges of theirs.
Status repair_removed(SalvageMedium& medium, ManifestState& state, RepairReport& report) {
  if (state.removed.extent.empty()) return {};
  const Status whole = read_removed(medium, state);
  if (whole) return {};
  if (whole.error().code == ErrorCode::unsupported) return whole;
  state.removed = {};
  report.lost.push_back(
      "which vertices had been removed: they are back, without edges, except for those removed since the last "
      "checkpoint");
  return {};
}

/// Both copies of the manifest again; with the record of the last close, if it still holds.
Status rewrite_manifest(SalvageMedium& medium, const FoundManifest& manifest, const ManifestState& state, bool closed) {
  const ManifestFile& file = manifest.file;
  RIZOMA_ASSIGN(ManifestOffsets ends, write_manifest(medium, file.store, state, manifest.number));
  if (file.format < format::kFormat) {
    RIZOMA_TRY(create_superblock(medium, superblock_for(file.store, state, manifest.number)));
  }
  if (!closed) return {};
  return append_publish_record(
      medium, manifest.number, ends,
      publish_record(format::PublishKind::closed, file.log_number, file.log_end, file.next_sequence));
}

}  // namespace

Result<StoreOptions> repair_root(SalvageMedium& medium, const StoreOptions& reach, RepairReport& report) {
  RIZOMA_ASSIGN(const FoundManifest manifest, repair_superblock(medium, report));
  if (manifest.damage)
    report.restored.push_back("the manifest, from its intact copy (" + manifest.damage->message + ")");
  RIZOMA_ASSIGN(const bool close_holds, repair_logs(medium, manifest, report));
  ManifestState state = manifest.file.state;
  RIZOMA_TRY(repair_removed(medium, state, report));
  RIZOMA_TRY(rewrite_manifest(medium, manifest, state, close_holds));
  StoreOptions options;
  RIZOMA_ASSIGN(options.open_location, repair_locations(manifest.file.state.locations,
                                                        {manifest.file.store, reach.path, &medium, reach.open_location},
                                                        reach.locations, report));
  return options;
}

}  // namespace rizoma
