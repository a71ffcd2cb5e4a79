#include "store/repair/repair_root.h"

#include "store/file_names.h"
#include "store/log/log_chain.h"
#include "store/manifest/embedded_manifest.h"
#include "store/manifest/manifest_copies.h"
#include "store/messages.h"
#include "store/manifest/publish.h"
#include "store/sections/removed_vertices.h"
#include "store/repair/repair_locations.h"
#include "store/repair/repair_logs.h"
#include "store/manifest/superblock.h"
#include "store/space/data_files.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// The wanted manifest, as `data` has it; nothing if it has none, or cannot be read.
std::optional<FoundManifest> in_data(SalvageMedium& medium, const WantedManifest& wanted) {
  auto found = find_embedded(medium, wanted);
  return found ? *std::move(found) : std::nullopt;
}

/// Puts the manifest that was found in `data` in the place of the lost files.
Result<FoundManifest> restore_files(SalvageMedium& medium, FoundManifest found, RepairReport& report) {
  RIZOMA_TRY(write_manifest(medium, encode_manifest(found.file.state, found.file.store, found.number), found.number));
  report.restored.push_back(manifest_name(found.number) + " and its copy, from the copy of them in data");
  return found;
}

/// Why nothing of the store can be restored, and what that is.
Error no_manifest(const SalvageMedium& medium, const std::optional<format::Superblock>& block) {
  const std::string lost =
      block ? manifest_name(block->manifest_number) + " and " + manifest_copy_name(block->manifest_number) + " are"
            : "the manifest and its copy are";
  return corrupt(medium.describe(),
                 "has no intact manifest: " + lost +
                     " lost, and data holds no whole copy of them (releases before 28 November 2026 wrote none there). "
                     "Without a manifest nothing tells where sections, ids, values and tags lie, nor to what the log "
                     "adds: none of them can be restored; restore the store from a backup");
}

/// The newest whole manifest that exists, as files or in `data`.
Result<FoundManifest> newest_manifest(SalvageMedium& medium, const std::optional<format::Superblock>& block,
                                      RepairReport& report) {
  RIZOMA_ASSIGN(const auto names, medium.list());
  std::optional<FoundManifest> best;
  for (const std::string& name : names) {
    const auto number = manifest_number_in(name);
    if (!number || *number >= format::kMostNumberFound) continue;  // no store comes to that
    auto found = read_manifest(medium, std::nullopt, *number);
    if (found && (!best || found->file.state.generation > best->file.state.generation)) best = *std::move(found);
  }
  auto embedded = in_data(medium, {block ? std::optional(block->store) : std::nullopt, std::nullopt});
  const bool newer = embedded && (!best || embedded->file.state.generation > best->file.state.generation);
  if (newer) return restore_files(medium, *std::move(embedded), report);
  if (best) return *std::move(best);
  return no_manifest(medium, block);
}

/// What the superblock names, as `data` has it; nothing if the log that begins there is gone too: as a rule because a
/// later state was published, and the superblock is of an earlier moment.
Result<std::optional<FoundManifest>> named_in_data(SalvageMedium& medium, const format::Superblock& block) {
  RIZOMA_ASSIGN(const bool has_log, medium.exists(log_name(block.manifest_number)));
  return has_log ? in_data(medium, {block.store, block.manifest_number}) : std::nullopt;
}

/// The manifest that the superblock names, or else the newest, which it then names.
Result<FoundManifest> repair_superblock(SalvageMedium& medium, RepairReport& report) {
  const auto slots = read_superblock(medium);
  if (!slots && slots.error().code == ErrorCode::unsupported) return slots.error();
  std::optional<format::Superblock> block;
  if (slots) block = *slots->newest();
  if (block) {
    auto named = read_manifest(medium, block->store, block->manifest_number);
    if (named || named.error().code == ErrorCode::unsupported) return named;
    RIZOMA_ASSIGN(auto embedded, named_in_data(medium, *block));
    if (embedded) return restore_files(medium, *std::move(embedded), report);
  }
  RIZOMA_ASSIGN(FoundManifest found, newest_manifest(medium, block, report));
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

/// Gathers the vertices that the logs make vertices again: those had been removed before.
class RestoredVertices final : public LogVisitor {
 public:
  Status vertices(VertexId) override { return {}; }
  Status ids(const IdColumn&) override { return {}; }
  Status edges(ChangeKind, const EdgeColumns&) override { return {}; }
  Status rows(std::span<const std::byte>) override { return {}; }
  Status remove_vertices(std::span<const VertexId> vertices) override {
    removed_here_.insert(vertices.begin(), vertices.end());
    return {};
  }
  Status restore_vertices(std::span<const VertexId> vertices) override {
    for (const VertexId v : vertices) {
      if (removed_here_.erase(v) == 0) removed_before_.insert(v);
    }
    return {};
  }
  [[nodiscard]] const std::set<VertexId>& removed_before() const noexcept { return removed_before_; }

 private:
  std::set<VertexId> removed_here_;
  std::set<VertexId> removed_before_;
};

/// The vertices that had been removed for certain before the mended logs begin.
Result<RemovedVertices> removed_by_the_logs(SalvageMedium& medium, const FoundManifest& manifest) {
  RestoredVertices restored;
  LogChainStart start;
  start.store = manifest.file.store;
  start.number = manifest.number;
  start.sequence = manifest.file.state.log_sequence;
  RIZOMA_TRY(replay_logs(medium, start, restored));
  std::vector<VertexId> vertices;
  for (const VertexId v : restored.removed_before()) {
    if (v < manifest.file.state.num_vertices) vertices.push_back(v);
  }
  return RemovedVertices(manifest.file.state.schema.section_bits).with(vertices);
}

/// Leaves out a damaged list of removed vertices: the sections have no edges of theirs.  Those that the logs make
/// vertices again stay removed until then; returns them, or null if the list is whole.
Result<std::shared_ptr<const RemovedVertices>> repair_removed(SalvageMedium& medium, const FoundManifest& manifest,
                                                              ManifestState& state, RepairReport& report) {
  if (state.removed.extent.empty()) return std::shared_ptr<const RemovedVertices>();
  const Status whole = read_removed(medium, state);
  if (whole) return std::shared_ptr<const RemovedVertices>();
  if (whole.error().code == ErrorCode::unsupported) return whole.error();
  RIZOMA_ASSIGN(RemovedVertices removed, removed_by_the_logs(medium, manifest));
  state.removed = {};
  report.lost.push_back(
      "which vertices had been removed: they are back, without edges, except for those removed since the last "
      "checkpoint");
  return std::make_shared<const RemovedVertices>(std::move(removed));
}

/// Says so where the copy of an intact manifest in `data` is damaged: the repaired store has one of its own.
Status note_embedded(SalvageMedium& medium, const FoundManifest& manifest, RepairReport& report) {
  auto file = medium.open(kDataName, FileMode::read);
  if (!file) return {};
  DataFiles data;
  data.add(0, *std::move(file), medium.describe() + "/" + kDataName);
  if (!check_embedded(data, manifest.file)) report.restored.push_back("the copy of the manifest in data");
  return {};
}

/// Both copies of the manifest again, which name none in `data`; with the record of the last close, if it still holds.
Status rewrite_manifest(SalvageMedium& medium, const FoundManifest& manifest, ManifestState state, bool closed) {
  const ManifestFile& file = manifest.file;
  state.embedded_at.reset();
  const std::vector<std::byte> bytes = encode_manifest(state, file.store, manifest.number);
  RIZOMA_ASSIGN(ManifestOffsets ends, write_manifest(medium, bytes, manifest.number));
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
  RIZOMA_TRY(note_embedded(medium, manifest, report));
  RIZOMA_ASSIGN(const bool close_holds, repair_logs(medium, manifest, report));
  ManifestState state = manifest.file.state;
  StoreOptions options;
  RIZOMA_ASSIGN(options.removed, repair_removed(medium, manifest, state, report));
  RIZOMA_TRY(rewrite_manifest(medium, manifest, std::move(state), close_holds));
  RIZOMA_ASSIGN(options.open_location, repair_locations(manifest.file.state.locations,
                                                        {manifest.file.store, reach.path, &medium, reach.open_location},
                                                        reach.locations, report));
  return options;
}

}  // namespace rizoma
