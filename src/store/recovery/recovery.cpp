// Publisher: the state of a new store, and the one that is recovered.
#include "store/publishing/publisher.h"

#include "base/check.h"
#include "store/columns/column_rules.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/file_names.h"
#include "store/loading/spill.h"
#include "store/messages.h"
#include "store/manifest/part_file.h"
#include "store/recovery/store_probe.h"
#include "store/manifest/store_id.h"
#include "store/manifest/superblock.h"
#include "store/space/distinct_extents.h"
#include "store/writing/replayer.h"

#include <algorithm>
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

}  // namespace

/// What recovery has read, durable or not.
struct Publisher::Recovered {
  format::Superblock superblock;
  bool settled = false;  ///< a store with this manifest was closed cleanly once, and nobody has begun to publish since
  LogChainEnd chain;
};

Status Publisher::create() {
  assume_alone();
  store_id_ = make_store_id();
  RIZOMA_ASSIGN(const auto data, medium_.open(kDataName, FileMode::create));
  RIZOMA_TRY(data->sync());
  RIZOMA_TRY(space_.open(store_id_, {}));
  RIZOMA_TRY(space_.choose_homes());
  ManifestState state = first_state(options_.schema);
  contents_.begin(state, options_.min_target_bytes);
  *contents_.cross_validated = true;  // all that it will have is made by this process
  contents_.dictionary = std::make_shared<Dictionary>(state.schema.ids);
  contents_.set_removed(std::make_shared<const RemovedVertices>(state.schema.section_bits));
  contents_.hold({});
  state.target_bytes = contents_.target_bytes_for(0);
  state.locations = locations_of(state);
  state.log_number = file_number_ = next_file_number_++;
  RIZOMA_ASSIGN(auto log, make_log(file_number_, 1, LogStart::continues));
  RIZOMA_ASSIGN(const ManifestOffsets ends, write_manifest(medium_, store_id_, state, file_number_));
  writer_.use_manifest(file_number_, ends);
  writer_.begin(std::move(log), 0);
  RIZOMA_TRY(create_superblock(medium_, superblock_for(store_id_, state, file_number_)));
  RIZOMA_ASSIGN(auto superblock, medium_.open(kSuperblockName, FileMode::write));
  space_.use_pins(std::move(superblock));
  space_.extents()->set_generation(state.generation);
  return {};
}

Status Publisher::open_for_reading() {
  const auto recovered = recover();
  return recovered ? Status() : recovered.error();
}

Status Publisher::open_for_writing() {
  assume_alone();
  RIZOMA_ASSIGN(const Recovered recovered, recover());
  RIZOMA_TRY(begin_writing(recovered));
  RIZOMA_TRY(space_.choose_homes());
  remove_spill_files(medium_);
  remove_stale_files(medium_, file_number_);
  return {};
}

Result<Publisher::Recovered> Publisher::recover() {
  assume_alone();
  RIZOMA_TRY(expect_store(medium_));
  RIZOMA_ASSIGN(const SuperblockSlots slots, read_superblock(medium_));
  const format::Superblock& block = *slots.newest();
  store_id_ = block.store;
  file_number_ = block.manifest_number;
  format_ = block.version;
  if (format_ < format::kFormat && !read_only_ && !options_.upgrade) {
    return Error{ErrorCode::unsupported, access_.where() + " is of format " + std::to_string(format_) +
                                             ": it can be read; `rizoma upgrade` makes it one that can be changed"};
  }
  if (read_only_) {
    RIZOMA_TRY(pin_state(block));
  } else {
    RIZOMA_ASSIGN(auto superblock, medium_.open(kSuperblockName, FileMode::write));
    space_.use_pins(std::move(superblock));
  }
  if (!options_.part || !read_only_) RIZOMA_TRY(expect_whole_store(medium_));
  RIZOMA_TRY(choose_next_number());

  RIZOMA_ASSIGN(FoundManifest found_manifest, read_manifest(medium_, store_id_, file_number_));
  const ManifestFile& manifest = found_manifest.file;
  if (manifest.state.generation != block.generation || manifest.state.log_number != file_number_) {
    return corrupt(access_.where() + "/" + manifest_name(file_number_), "is not the one that the superblock names");
  }
  if (manifest.format != block.version) {
    return corrupt(access_.where() + "/" + manifest_name(file_number_), "is of another format than the superblock");
  }
  // A writer that publishes removes the copies one after the other.
  if (read_only_ && found_manifest.damage) RIZOMA_TRY(expect_current(block));
  if (found_manifest.close_lost) return *found_manifest.close_lost;
  manifest_damage_ = std::move(found_manifest.damage);
  writer_.use_manifest(file_number_, found_manifest.ends);
  if (manifest.closed && !manifest.changed) writer_.set_closed_at(manifest.log_end);
  RIZOMA_ASSIGN(contents_.part, read_part(medium_, block, found_manifest.file.state));
  RIZOMA_TRY(load_manifest(manifest.state));
  const bool settled = manifest.closed && slots.agree();
  if (!options_.at.empty()) return Recovered{block, settled, {}};
  RIZOMA_ASSIGN(const LogChainEnd chain, replay(manifest));
  log_evidence_ = evidence_of(chain, manifest);
  return Recovered{block, settled, chain};
}

/// Makes durable what recovery has read (medium.h rule 6): before anything is changed or removed that would
/// be needed if it were lost, and before anybody sees it.  What it names was durable before it was written:
/// the manifest and `data` before the superblock, the earlier logs before the last one.  And a clean close
/// is noted only where superblock and names are durable, so that such a store costs nothing more here, unless its
/// slots differ: then somebody has begun to publish since.  A slot that was torn then must not stay: what is written
/// to it next may, torn in its turn, complete it, and it would name a manifest that is gone.
Status Publisher::begin_writing(const Recovered& recovered) {
  if (!recovered.settled) {
    RIZOMA_TRY(medium_.sync_names());
    RIZOMA_TRY(rewrite_superblock(medium_, recovered.superblock));
  }
  const LogGrowth growth{options_.durability == Durability::none ? 0 : options_.log_ahead, LogStart::continues};
  RIZOMA_ASSIGN(auto log, Log::reopen(medium_, recovered.chain.number, recovered.chain.end, growth));
  writer_.begin(std::move(log), recovered.chain.earlier);
  return {};
}

/// Tells writers in other processes what this one reads, as long as anybody reads it.  Error of code
/// not_found if that is not the present state any more.  Where the system has no such locks, sections
/// are copied and verified instead.
Status Publisher::pin_state(const format::Superblock& block) {
  RIZOMA_ASSIGN(const auto file, medium_.open(kSuperblockName, FileMode::read));
  RIZOMA_ASSIGN(auto pin, file->pin(block.generation));
  // A writer publishes, then looks for pins: one of the two sees the other.
  RIZOMA_TRY(expect_current(block));
  space_.data()->protect(std::move(pin));
  return {};
}

/// Error of code not_found if a writer has published meanwhile.
Status Publisher::expect_current(const format::Superblock& block) const {
  RIZOMA_ASSIGN(const SuperblockSlots now, read_superblock(medium_));
  if (now.newest()->generation == block.generation) return {};
  return Error{ErrorCode::not_found, access_.where() + " changes while it is being opened: try again"};
}

/// Never a number that a file has or had.
Status Publisher::choose_next_number() {
  next_file_number_ = file_number_ + 1;
  RIZOMA_ASSIGN(const auto names, medium_.list());
  for (const std::string& name : names) {
    for (const std::string_view prefix : {kManifestPrefix, kManifestCopyPrefix, kLogPrefix}) {
      const auto number = number_in(name, prefix);
      if (!number) continue;
      if (*number >= format::kMostNumberFound)
        return corrupt(access_.where() + "/" + name, "has a number that no file comes to");
      next_file_number_ = std::max(next_file_number_, *number + 1);
    }
  }
  return {};
}

Status Publisher::load_manifest(const ManifestState& present) {
  RIZOMA_ASSIGN(const std::vector<FoundSpace> found, space_.open(store_id_, present.locations));
  std::optional<ManifestState> wanted;
  if (!options_.at.empty()) {
    RIZOMA_ASSIGN(wanted, state_at(present));
  }
  const ManifestState& state = wanted ? *wanted : present;
  std::vector<std::optional<ManifestState>> tagged;
  std::vector<std::size_t> unread;
  for (const TagEntry& tag : state.tags) {
    auto kept = to_be_kept(tag);
    if (!kept && kept.error().code == ErrorCode::io) {
      unread.push_back(tagged.size());
      kept = std::optional<ManifestState>();
    }
    RIZOMA_ASSIGN(tagged.emplace_back(), std::move(kept));
  }
  std::vector<Extent> extents = all_extents(state, tagged);
  RIZOMA_TRY(space_.expect_borne_out(extents));
  if (!unread.empty()) {
    // What a manifest names that the device cannot read is not known: such a tag holds all that is there now.
    extents = with_all_between(extents, found);
    ManifestState everything;
    for (const Extent& extent : extents) everything.dictionary.push_back({extent, 0});
    for (const std::size_t i : unread) tagged[i] = everything;
  }
  RIZOMA_TRY(space_.extents()->reset(extents, found, state.generation));
  LeaseBook leases(space_.extents(), extents.size());
  contents_.begin(state, options_.min_target_bytes);
  Durable durable = Durable::of(state, leases);
  RIZOMA_TRY(load_dictionary(durable));
  RIZOMA_TRY(load_removed(durable));
  contents_.hold(durable);
  hold_tagged(state, tagged, leases);
  return {};
}

/// Opening reads nothing of it; a mender reads all, and is to get what can be read.
Result<Mapping> Publisher::read_segment(Extent extent) const {
  if (!options_.mend_dictionary) return space_.data()->view(extent);
  auto mapping = space_.data()->read(extent);
  return !mapping && mapping.error().code == ErrorCode::io ? space_.data()->salvage(extent) : std::move(mapping);
}

/// Ties the segments to what is found in them, where the manifest does not.
Status Publisher::load_dictionary(Durable& durable) {
  const std::string where = access_.where() + "/" + kDataName;
  std::vector<Mapping> segments;
  for (IdentifiedExtent& tied : durable.dictionary) {
    const Extent extent = tied.lease->extent();
    RIZOMA_ASSIGN(Mapping mapping, read_segment(extent));
    const std::uint64_t found = segment_id(mapping.bytes);
    if (tied.id != 0 && found != 0 && found != tied.id) {
      return corrupt(where + " at byte " + std::to_string(extent.offset),
                     "has another dictionary segment than the manifest names");
    }
    segments.push_back(options_.mend_dictionary ? options_.mend_dictionary(std::move(mapping), where)
                                                : std::move(mapping));
    tied.id = found;
  }
  RIZOMA_ASSIGN(Dictionary dictionary,
                Dictionary::open(contents_.schema.ids, contents_.num_vertices, std::move(segments), where));
  contents_.dictionary = std::make_shared<Dictionary>(std::move(dictionary));
  return {};
}

/// The same of the list of removed vertices.
Status Publisher::load_removed(Durable& durable) {
  const unsigned bits = contents_.schema.section_bits;
  RemovedVertices removed(bits);
  if (durable.removed.lease != nullptr) {
    const Extent extent = durable.removed.lease->extent();
    RIZOMA_ASSIGN(const Mapping bytes, space_.data()->read(extent));
    const std::string where = access_.where() + "/" + kDataName + " at byte " + std::to_string(extent.offset) +
                              ": the list of removed vertices";
    RIZOMA_ASSIGN(removed, RemovedVertices::decode(bytes.bytes, bits, contents_.num_vertices, where));
    const std::uint64_t found = RemovedVertices::id_of(bytes.bytes);
    if (durable.removed.id != 0 && found != durable.removed.id)
      return corrupt(where, "is not the one that the manifest names");
    durable.removed.id = found;
  }
  contents_.set_removed(std::make_shared<const RemovedVertices>(std::move(removed)));
  return {};
}

Result<LogChainEnd> Publisher::replay(const ManifestFile& manifest) {
  Replayer replayer(contents_, access_.where() + "/" + log_name(file_number_));
  LogChainStart start = chain_start(manifest);
  start.beside_writer = read_only_;
  RIZOMA_ASSIGN(const LogChainEnd chain, replay_logs(medium_, start, replayer));
  reordering_->note_change();
  return chain;
}

}  // namespace rizoma
