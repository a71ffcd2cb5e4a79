#include "store/recovery/recovery.h"

#include "base/check.h"
#include "store/columns/column_rules.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/file_names.h"
#include "store/loading/spill.h"
#include "store/messages.h"
#include "store/manifest/embedded_manifest.h"
#include "store/manifest/part_file.h"
#include "store/manifest/publish.h"
#include "store/recovery/discarded.h"
#include "store/recovery/store_probe.h"
#include "store/manifest/store_id.h"
#include "store/manifest/superblock.h"
#include "store/space/data_files.h"
#include "store/space/distinct_extents.h"
#include "store/tags/tagged_state.h"
#include "store/writing/replayer.h"

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rizoma {
namespace {

/// What a bulk load left behind that a crash cut off.
void remove_spill_files(Medium& medium) {
  const auto names = medium.list();
  if (!names) return;
  for (const std::string& name : *names) {
    if (name.starts_with(kSpillPrefix) && !medium.remove(name)) return;
  }
}

/// A graph without vertices.
ManifestState first_state(const GraphSchema& schema) {
  ManifestState state;
  state.schema = schema;
  state.bits_fixed = schema.section_bits != 0;
  if (!state.bits_fixed) state.schema.section_bits = 14;
  if (!schema.directed) state.schema.in_edges = true;
  number_columns(state.schema);
  state.generation = 1;
  state.log_sequence = 1;
  return state;
}

/// Above `present` and the number of each manifest and log that the directory has.
Result<std::uint64_t> next_file_number(Medium& medium, std::uint64_t present, const std::string& where) {
  std::uint64_t next = present + 1;
  RIZOMA_ASSIGN(const auto names, medium.list());
  for (const std::string& name : names) {
    for (const std::string_view prefix : {kManifestPrefix, kManifestCopyPrefix, kLogPrefix}) {
      const auto number = number_in(name, prefix);
      if (!number) continue;
      if (*number >= format::kMostNumberFound)
        return corrupt(where + "/" + name, "has a number that no file can reach");
      next = std::max(next, *number + 1);
    }
  }
  return next;
}

/// Every extent once, even if several states name it.
std::vector<Extent> all_extents(const ManifestState& state, const std::vector<std::optional<ManifestState>>& tagged) {
  std::vector<Extent> all = state.extents();
  for (const auto& each : tagged) {
    if (!each) continue;
    const std::vector<Extent> extents = each->extents();
    all.insert(all.end(), extents.begin(), extents.end());
  }
  return distinct_extents(std::move(all));
}

/// The tags of `state`, each with the extents of its own state, if those are known.
void hold_tags(Publisher& publisher, const ManifestState& state,
               const std::vector<std::optional<ManifestState>>& tagged, LeaseBook& leases) {
  std::vector<Tag> tags;
  for (std::size_t i = 0; i < state.tags.size(); ++i) {
    Tag& tag = tags.emplace_back(Tag{state.tags[i], leases.of(state.tags[i].extent), nullptr});
    if (tagged[i]) tag.held = std::make_shared<const Durable>(Durable::of(*tagged[i], leases));
  }
  publisher.tags.exchange(tags);
}

/// What of a manifest is needed to find its copy in `data`.
ManifestFile without_state(const ManifestFile& manifest) {
  ManifestFile named;
  named.state.embedded_at = manifest.state.embedded_at;
  named.state.log_number = manifest.state.log_number;
  named.store = manifest.store;
  named.checksum = manifest.checksum;
  named.length = manifest.length;
  return named;
}

}  // namespace

/// What recovery has read, durable or not.
struct Recovery::Recovered {
  format::Superblock superblock;
  bool settled = false;  ///< a store with this manifest was closed cleanly, and no publication has begun since
  LogChainEnd chain;
};

Status Recovery::create() {
  publisher_.assume_alone();
  Contents& contents = publisher_.contents;
  publisher_.start_at(make_store_id(), 1, 2, format::kFormat);
  RIZOMA_TRY(publisher_.medium.open(kDataName, FileMode::create));
  RIZOMA_TRY(publisher_.space.open(publisher_.store_id(), {}));
  RIZOMA_TRY(publisher_.space.choose_homes());
  ManifestState state = first_state(publisher_.options.schema);
  contents.begin(state, publisher_.options.min_target_bytes);
  *contents.cross_validated = true;  // this process makes all that it will have
  contents.dictionary = std::make_shared<Dictionary>(state.schema.ids);
  contents.set_removed(std::make_shared<const RemovedVertices>(state.schema.section_bits));
  contents.hold({});
  state.target_bytes = contents.target_bytes_for(0);
  const std::uint64_t number = state.log_number = publisher_.file_number();
  RIZOMA_ASSIGN(auto log, publisher_.make_log(number, 1, LogStart::continues));
  RIZOMA_ASSIGN(const PreparedManifest manifest, publisher_.prepare(state));
  publisher_.keep_embedded(manifest.embedded);
  publisher_.writer.use_manifest(number, manifest.ends);
  publisher_.writer.begin(std::move(log), 0);
  RIZOMA_TRY(create_superblock(publisher_.medium, superblock_for(publisher_.store_id(), state, number)));
  RIZOMA_ASSIGN(auto superblock, publisher_.medium.open(kSuperblockName, FileMode::write));
  publisher_.space.use_pins(std::move(superblock));
  publisher_.space.extents()->set_generation(state.generation);
  return {};
}

Status Recovery::open_for_reading() {
  const auto recovered = recover();
  return recovered ? Status() : recovered.error();
}

Status Recovery::open_for_writing() {
  publisher_.assume_alone();
  RIZOMA_ASSIGN(const Recovered recovered, recover());
  RIZOMA_TRY(begin_writing(recovered));
  RIZOMA_TRY(publisher_.space.choose_homes());
  remove_spill_files(publisher_.medium);
  remove_stale_files(publisher_.medium, publisher_.file_number());
  return {};
}

Result<Recovery::Recovered> Recovery::recover() {
  publisher_.assume_alone();
  Medium& medium = publisher_.medium;
  RIZOMA_TRY(expect_store(medium));
  RIZOMA_ASSIGN(const SuperblockSlots slots, read_superblock(medium));
  const format::Superblock& block = *slots.newest();
  if (block.version < format::kFormat && !publisher_.read_only && !publisher_.options.upgrade) {
    return Error{ErrorCode::unsupported, publisher_.access.where() + " is of format " + std::to_string(block.version) +
                                             ", which can only be read; run `rizoma upgrade` to change it"};
  }
  if (publisher_.read_only) {
    RIZOMA_TRY(pin_state(block));
  } else {
    RIZOMA_ASSIGN(auto superblock, medium.open(kSuperblockName, FileMode::write));
    publisher_.space.use_pins(std::move(superblock));
  }
  if (!publisher_.options.part || !publisher_.read_only) RIZOMA_TRY(expect_whole_store(medium));
  RIZOMA_ASSIGN(const std::uint64_t next, next_file_number(medium, block.manifest_number, publisher_.access.where()));
  publisher_.start_at(block.store, block.manifest_number, next, block.version);
  RIZOMA_ASSIGN(FoundManifest found, find_manifest(block));
  const ManifestFile& manifest = found.file;
  publisher_.writer.use_manifest(block.manifest_number, found.ends);
  if (manifest.closed && !manifest.changed) publisher_.writer.set_closed_at(manifest.log_end);
  RIZOMA_ASSIGN(publisher_.contents.part, read_part(medium, block, found.file.state));
  RIZOMA_TRY(load_manifest(manifest));
  const bool settled = manifest.closed && slots.agree();
  if (!publisher_.options.at.empty()) return Recovered{block, settled, {}};
  RIZOMA_ASSIGN(const LogChainEnd chain, replay(manifest));
  log_evidence_ = evidence_of(chain, manifest);
  return Recovered{block, settled, chain};
}

/// The manifest that the superblock names.
Result<FoundManifest> Recovery::find_manifest(const format::Superblock& block) {
  const std::uint64_t number = block.manifest_number;
  RIZOMA_ASSIGN(FoundManifest found, read_manifest(publisher_.medium, block.store, number));
  const std::string where = publisher_.access.where() + "/" + manifest_name(number);
  if (found.file.state.generation != block.generation || found.file.state.log_number != number) {
    return corrupt(where, "is not the one that the superblock names");
  }
  if (found.file.format != block.version) return corrupt(where, "has another format than the superblock");
  // A writer that publishes removes the copies one after the other.
  if (publisher_.read_only && found.damage) RIZOMA_TRY(expect_current(block));
  if (found.close_lost) return *found.close_lost;
  manifest_damage_ = std::move(found.damage);
  return found;
}

/// Makes durable what recovery has read (medium.h rule 6): before anything is changed or removed that would
/// be needed if it were lost, and before any other thread sees it.  What it names was durable before it was written:
/// the manifest and `data` before the superblock, the earlier logs before the last one.  And a clean close
/// is noted only where superblock and names are durable, so that such a store costs nothing more here, unless its
/// slots differ: then a publication has begun since.  A slot that was torn then must not stay: what is written
/// to it next may, torn in its turn, complete it, and it would name a manifest that is gone.
Status Recovery::begin_writing(const Recovered& recovered) {
  if (!recovered.settled) {
    RIZOMA_TRY(publisher_.medium.sync_names());
    RIZOMA_TRY(rewrite_superblock(publisher_.medium, recovered.superblock));
  }
  const LogGrowth growth{publisher_.options.durability == Durability::none ? 0 : publisher_.options.log_ahead,
                         LogStart::continues};
  RIZOMA_ASSIGN(auto log, Log::reopen(publisher_.medium, recovered.chain.number, recovered.chain.end, growth));
  publisher_.writer.begin(std::move(log), recovered.chain.earlier);
  return {};
}

/// Pins, for writers in other processes, the state that this store reads, until its last reader is gone.  Error of code
/// not_found if that is not the present state any more.  Where the system has no such locks, sections
/// are copied and verified instead.
Status Recovery::pin_state(const format::Superblock& block) {
  RIZOMA_ASSIGN(const auto file, publisher_.medium.open(kSuperblockName, FileMode::read));
  RIZOMA_ASSIGN(auto pin, file->pin(block.generation));
  // A writer publishes, then looks for pins, so one of the two notices the other.
  RIZOMA_TRY(expect_current(block));
  publisher_.space.data()->protect(std::move(pin));
  return {};
}

/// Error of code not_found if a writer has published in between.
Status Recovery::expect_current(const format::Superblock& block) const {
  RIZOMA_ASSIGN(const SuperblockSlots now, read_superblock(publisher_.medium));
  if (now.newest()->generation == block.generation) return {};
  return Error{ErrorCode::not_found, publisher_.access.where() + " changed while it was being opened; try again"};
}

Status Recovery::check_embedded() const {
  return publisher_.contents.part ? Status() : rizoma::check_embedded(*publisher_.space.data(), manifest_);
}

Status Recovery::load_manifest(const ManifestFile& manifest) {
  publisher_.assume_alone();
  manifest_ = without_state(manifest);
  const ManifestState& present = manifest.state;
  RIZOMA_ASSIGN(const std::vector<FoundSpace> found, publisher_.space.open(publisher_.store_id(), present.locations));
  std::optional<ManifestState> wanted;
  if (!publisher_.options.at.empty()) {
    RIZOMA_ASSIGN(wanted, tagged_state_at(publisher_, present));
  }
  const ManifestState& state = wanted ? *wanted : present;
  std::vector<std::optional<ManifestState>> tagged;
  std::vector<std::size_t> unread;
  for (const TagEntry& tag : state.tags) {
    auto kept = state_to_keep(publisher_, tag);
    if (!kept && kept.error().code == ErrorCode::io) {
      unread.push_back(tagged.size());
      kept = std::optional<ManifestState>();
    }
    RIZOMA_ASSIGN(tagged.emplace_back(), std::move(kept));
  }
  std::vector<Extent> extents = all_extents(state, tagged);
  RIZOMA_TRY(publisher_.space.expect_borne_out(extents));
  const auto embedded = publisher_.read_only ? std::nullopt : embedded_in(*publisher_.space.data(), manifest, extents);
  if (embedded) {
    extents.push_back(*embedded);
    extents = distinct_extents(std::move(extents));
  }
  if (!unread.empty()) {
    // If the device cannot read a manifest, its extents are unknown: such a tag holds all extents that exist now.
    extents = with_all_between(extents, found);
    ManifestState everything;
    for (const Extent& extent : extents) everything.dictionary.push_back({extent, 0});
    for (const std::size_t i : unread) tagged[i] = everything;
  }
  RIZOMA_TRY(publisher_.space.extents()->reset(extents, found, state.generation));
  LeaseBook leases(publisher_.space.extents(), extents.size());
  publisher_.contents.begin(state, publisher_.options.min_target_bytes);
  Durable durable = Durable::of(state, leases);
  RIZOMA_TRY(load_dictionary(durable));
  RIZOMA_TRY(load_removed(durable));
  publisher_.contents.hold(durable);
  hold_tags(publisher_, state, tagged, leases);
  if (embedded) publisher_.keep_embedded(leases.of(*embedded));
  return {};
}

/// Opening reads none of it; a repair reads all, and gets what can be read.
Result<Mapping> Recovery::read_segment(Extent extent) const {
  if (!publisher_.options.mend_dictionary) return publisher_.space.data()->view(extent);
  auto mapping = publisher_.space.data()->read(extent);
  return !mapping && mapping.error().code == ErrorCode::io ? publisher_.space.data()->salvage(extent)
                                                           : std::move(mapping);
}

/// Ties the segments to their present checksums, where the manifest does not.
Status Recovery::load_dictionary(Durable& durable) {
  const std::string where = publisher_.access.where() + "/" + kDataName;
  std::vector<Mapping> segments;
  for (IdentifiedExtent& tied : durable.dictionary) {
    const Extent extent = tied.lease->extent();
    RIZOMA_ASSIGN(Mapping mapping, read_segment(extent));
    const std::uint64_t found = segment_id(mapping.bytes);
    if (tied.id != 0 && found != 0 && found != tied.id) {
      return corrupt(where + " at byte " + std::to_string(extent.offset),
                     "has another dictionary segment than the manifest names");
    }
    segments.push_back(publisher_.options.mend_dictionary
                           ? publisher_.options.mend_dictionary(std::move(mapping), where)
                           : std::move(mapping));
    tied.id = found;
  }
  RIZOMA_ASSIGN(Dictionary dictionary, Dictionary::open(publisher_.contents.schema.ids,
                                                        publisher_.contents.num_vertices, std::move(segments), where));
  publisher_.contents.dictionary = std::make_shared<Dictionary>(std::move(dictionary));
  return {};
}

/// The same of the list of removed vertices.
Status Recovery::load_removed(Durable& durable) {
  if (publisher_.options.removed != nullptr && publisher_.options.at.empty()) {
    publisher_.contents.set_removed(publisher_.options.removed);
    return {};
  }
  const unsigned bits = publisher_.contents.schema.section_bits;
  RemovedVertices removed(bits);
  if (durable.removed.lease != nullptr) {
    const Extent extent = durable.removed.lease->extent();
    RIZOMA_ASSIGN(const Mapping bytes, publisher_.space.data()->read(extent));
    const std::string where = publisher_.access.where() + "/" + kDataName + " at byte " +
                              std::to_string(extent.offset) + ": the list of removed vertices";
    RIZOMA_ASSIGN(removed, RemovedVertices::decode(bytes.bytes, bits, publisher_.contents.num_vertices, where));
    const std::uint64_t found = RemovedVertices::id_of(bytes.bytes);
    if (durable.removed.id != 0 && found != durable.removed.id)
      return corrupt(where, "is not the one that the manifest names");
    durable.removed.id = found;
  }
  publisher_.contents.set_removed(std::make_shared<const RemovedVertices>(std::move(removed)));
  return {};
}

Result<LogChainEnd> Recovery::replay(const ManifestFile& manifest) {
  publisher_.assume_alone();
  Replayer replayer(publisher_.contents, publisher_.access.where() + "/" + log_name(publisher_.file_number()));
  LogChainStart start = chain_start(manifest);
  start.beside_writer = publisher_.read_only;
  RIZOMA_ASSIGN(const LogChainEnd chain, replay_logs(publisher_.medium, start, replayer));
  return chain;
}

void remove_files(Publisher& publisher) noexcept try {
  if (!begin_discarding(publisher.medium)) return;
  for (const OpenLocation& location : publisher.space.locations()) {
    if (location.medium != nullptr) remove_location(*location.medium);
  }
  static_cast<void>(remove_discarded(publisher.medium));
} catch (const std::bad_alloc&) {
}

}  // namespace rizoma
