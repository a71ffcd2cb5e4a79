#include "store/repair/repair_root.h"

#include "store/publishing/file_names.h"
#include "store/log/log.h"
#include "store/log/log_chain.h"
#include "store/publishing/manifest_copies.h"
#include "store/messages.h"
#include "store/publishing/publish.h"
#include "store/sections/removed_vertices.h"
#include "store/repair/repair_locations.h"
#include "store/publishing/superblock.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// The newest whole manifest that there is.
Result<FoundManifest> newest_manifest(SalvageMedium& medium) {
  RIZOMA_ASSIGN(const auto names, medium.list());
  std::optional<FoundManifest> best;
  for (const std::string& name : names) {
    const auto number = manifest_number_in(name);
    if (!number) continue;
    auto found = read_manifest(medium, std::nullopt, *number);
    if (found && (!best || found->file.state.generation > best->file.state.generation)) best = *std::move(found);
  }
  if (best) return *std::move(best);
  return corrupt(medium.describe(),
                 "has no whole manifest, without which nobody knows where its sections lie: restore it "
                 "from a backup");
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
  if (block) {
    report.lost.push_back("all changes since state " + std::to_string(found.file.state.generation) +
                          ": the manifest of state " + std::to_string(block->generation) + " cannot be read");
  }
  return found;
}

/// Takes part in a replay that only asks how far the log can be read.
class Nobody final : public LogVisitor {
 public:
  Status vertices(VertexId) override { return {}; }
  Status ids(const IdColumn&) override { return {}; }
  Status edges(ChangeKind, const EdgeColumns&) override { return {}; }
  Status remove_vertices(std::span<const VertexId>) override { return {}; }
  Status restore_vertices(std::span<const VertexId>) override { return {}; }
};

/// Cuts damaged logs off where the damage begins, and forgets those behind them.
Status repair_logs(SalvageMedium& medium, const FoundManifest& manifest, RepairReport& report) {
  const LogChainStart start{manifest.file.store,  manifest.number,          manifest.file.state.log_sequence,
                            manifest.file.closed, manifest.file.log_number, manifest.file.log_end};
  Nobody nobody;
  const auto chain = replay_logs(medium, start, nobody);
  if (chain) return {};
  if (chain.error().code == ErrorCode::unsupported) return chain.error();
  // What a clean close wrote of the log's end is wrong now.
  const auto rewritten = write_manifest(medium, manifest.file.store, manifest.file.state, manifest.number);
  if (!rewritten) return rewritten.error();

  RIZOMA_ASSIGN(const std::vector<std::uint64_t> numbers, logs_from(medium, manifest.number));
  std::uint64_t sequence = start.sequence;
  bool cut = false;
  for (const std::uint64_t number : numbers) {
    const std::string name = log_name(number);
    if (cut) {
      RIZOMA_TRY(medium.remove(name));
      continue;
    }
    RIZOMA_ASSIGN(std::vector<std::byte> log, medium.read(name));
    const LogExpectation expected{manifest.file.store, number, sequence, 0};
    const LogEnd end = whole_part(log, expected);
    sequence = end.next_sequence;
    if (!end.torn && end.offset > 0) continue;
    cut = true;
    log.resize(end.offset);
    RIZOMA_TRY(end.offset > 0 ? medium.replace(name, log) : medium.remove(name));
    report.lost.push_back("all changes from batch " + std::to_string(sequence) + " on: " + name +
                          " is damaged at byte " + std::to_string(end.offset));
  }
  if (!numbers.empty() && *medium.exists(log_name(manifest.number))) return {};
  if (!cut)
    report.lost.push_back("all changes from batch " + std::to_string(sequence) + " on: " + log_name(manifest.number) +
                          " is gone");
  const auto empty = Log::create(medium, manifest.file.store, manifest.number, start.sequence, {});
  return empty ? Status() : empty.error();
}

/// Whether the list of removed vertices can be read.
Status read_removed(SalvageMedium& medium, const ManifestState& state) {
  RIZOMA_ASSIGN(const auto data, medium.open(kDataName, FileMode::read));
  std::vector<std::byte> bytes(state.removed.bytes);
  RIZOMA_TRY(data->read(state.removed.offset, bytes));
  const auto removed =
      RemovedVertices::decode(bytes, state.schema.section_bits, state.num_vertices, "the list of removed vertices");
  return removed ? Status() : removed.error();
}

/// Leaves out a damaged list of removed vertices: the sections have no edges of theirs.
Status repair_removed(SalvageMedium& medium, const FoundManifest& manifest, RepairReport& report) {
  ManifestState state = manifest.file.state;
  if (state.removed.empty()) return {};
  const Status whole = read_removed(medium, state);
  if (whole) return {};
  if (whole.error().code == ErrorCode::unsupported) return whole;
  state.removed = {};
  const auto rewritten = write_manifest(medium, manifest.file.store, state, manifest.number);
  if (!rewritten) return rewritten.error();
  report.lost.push_back(
      "which vertices had been removed: they are there again, without edges, but for those removed since the last "
      "checkpoint");
  return {};
}

}  // namespace

Result<StoreOptions> repair_root(SalvageMedium& medium, const StoreOptions& reach, RepairReport& report) {
  RIZOMA_ASSIGN(const FoundManifest manifest, repair_superblock(medium, report));
  if (manifest.damage)
    report.restored.push_back("the manifest, from the copy that is whole (" + manifest.damage->message + ")");
  RIZOMA_TRY(repair_logs(medium, manifest, report));
  RIZOMA_TRY(repair_removed(medium, manifest, report));
  StoreOptions options;
  RIZOMA_ASSIGN(options.open_location, repair_locations(manifest.file.state.locations,
                                                        {manifest.file.store, reach.path, &medium, reach.open_location},
                                                        reach.locations, report));
  return options;
}

}  // namespace rizoma
