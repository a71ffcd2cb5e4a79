// Store: creating, opening and recovering.
#include "store/store.h"

#include "base/check.h"
#include "store/columns/column_rules.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/space/data_files.h"
#include "store/space/distinct_extents.h"
#include "store/publishing/discarded.h"
#include "store/file_names.h"
#include "store/messages.h"
#include "store/replayer.h"
#include "store/loading/spill.h"
#include "store/publishing/store_id.h"
#include "store/publishing/superblock.h"
#include "store/validation/validation.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace rizoma {
namespace {

Status check_schema(const GraphSchema& schema) {
  if (schema.section_bits != 0 &&
      (schema.section_bits < format::kMinSectionBits || schema.section_bits > format::kMaxSectionBits)) {
    return Error{ErrorCode::invalid_argument,
                 "section_bits must be 0 or between 2 and 20, not " + std::to_string(schema.section_bits)};
  }
  RIZOMA_TRY(check_edge_columns(schema));
  return check_vertex_columns(schema);
}

/// What a bulk load left behind that a crash cut off.
void remove_spill_files(Medium& medium) {
  const auto names = medium.list();
  if (!names) return;
  for (const std::string& name : *names) {
    if (name.starts_with(kSpillPrefix) && !medium.remove(name)) return;
  }
}

/// Whether a file may be of a creation that was cut off: that leaves no more than the first manifest, an empty log, no
/// data and a superblock under another name.
enum class LeftOver : std::uint8_t { no, yes, of_others };

/// By its name and length, and by how it begins: with the magic number of what it would be, or nothing written yet.
Result<LeftOver> left_by_a_creation(Medium& medium, const std::string& name) {
  std::uint64_t longest = UINT64_MAX;
  std::uint32_t magic = 0;
  if (name == kDataName) {
    longest = 0;
  } else if (name == log_name(1)) {
    longest = sizeof(format::LogHeader);
    magic = format::kLogMagic;
  } else if (name == manifest_name(1) || name == manifest_copy_name(1)) {
    magic = format::kManifestMagic;
  } else if (name == kNewSuperblockName) {
    magic = static_cast<std::uint32_t>(format::kSuperblockMagic);
  } else {
    return LeftOver::no;
  }
  const auto file = medium.open(name, FileMode::read);
  if (!file && file.error().code == ErrorCode::not_found) return LeftOver::yes;  // gone: somebody creates a store
  if (!file) return file.error();
  RIZOMA_ASSIGN(const std::uint64_t size, (*file)->size());
  std::uint32_t begin = 0;
  if (magic != 0 && size > 0) {
    const auto bytes = std::as_writable_bytes(std::span(&begin, 1));
    RIZOMA_TRY((*file)->read(0, bytes.first(std::min<std::uint64_t>(size, sizeof begin))));
  }
  if (begin != 0 && begin != magic) return LeftOver::of_others;
  return size <= longest ? LeftOver::yes : LeftOver::no;
}

}  // namespace

bool Store::makes_file(const std::string& name) {
  return name == kDataName || name == kSuperblockName || name == kNewSuperblockName || name == kDiscardedName ||
         manifest_number_in(name) || number_in(name, kLogPrefix) || name.starts_with(kSpillPrefix);
}

/// What recovery has read, durable or not.
struct Store::Recovered {
  format::Superblock superblock;
  bool closed = false;  ///< a store with this manifest was closed cleanly once
  LogChainEnd chain;
};

std::shared_ptr<SectionContext> Store::make_context(const GraphSchema& schema, Direction direction) const {
  auto context = std::make_shared<SectionContext>();
  context->data = space_->data();
  context->direction = direction;
  context->section_bits = schema.section_bits;
  context->weights = entry_weights(schema);
  context->rows = schema.rows;
  context->parallel_edges = schema.parallel_edges;
  context->self_loops = schema.self_loops;
  return context;
}

Store::Tables Store::make_tables(const GraphSchema& schema, VertexId num_vertices, std::vector<SectionParts> out,
                                 std::vector<SectionParts> in) const {
  const auto make = [&](Direction direction, std::vector<SectionParts> sections) {
    SectionTable table(make_context(schema, direction));
    table.reserve(num_vertices);
    table.replace(std::move(sections));
    return table;
  };
  Tables tables{make(Direction::out, std::move(out)), std::nullopt};
  if (schema.directed && schema.in_edges) tables.in = make(Direction::in, std::move(in));
  return tables;
}

void Store::use(Tables tables) noexcept {
  out_ = std::move(tables.out);
  in_ = std::move(tables.in);
}

Result<bool> Store::exists(Medium& medium) {
  RIZOMA_ASSIGN(const bool found, medium.exists(kSuperblockName));
  if (found) return true;
  RIZOMA_ASSIGN(const bool discarded, is_discarded(medium));
  RIZOMA_ASSIGN(const auto names, medium.list());
  for (const std::string& name : names) {
    if (discarded && makes_file(name)) continue;
    RIZOMA_ASSIGN(const auto left, left_by_a_creation(medium, name));
    if (left == LeftOver::yes) continue;
    if (left == LeftOver::no && makes_file(name)) {
      // A writer may be creating it just now.
      RIZOMA_ASSIGN(const bool by_now, medium.exists(kSuperblockName));
      if (by_now) return true;
      return corrupt(medium.describe(), "holds parts of a Rizoma store (" + name + ") but no superblock");
    }
    return Error{ErrorCode::already_exists,
                 medium.describe() + " holds other files (" + name + ") and no Rizoma store"};
  }
  RIZOMA_ASSIGN(const bool others, medium.has_others());
  if (!others) return false;
  return Error{ErrorCode::already_exists,
               medium.describe() + " holds other directories and no Rizoma store: give it a directory of its own"};
}

/// Fails unless there is a store.
Status Store::expect_store(Medium& medium) {
  auto found = exists(medium);
  if (!found && found.error().code == ErrorCode::already_exists)
    return Error{ErrorCode::not_found, found.error().message};
  if (!found) return std::move(found).error();
  if (!*found) return Error{ErrorCode::not_found, "there is no graph at " + medium.describe()};
  return {};
}

Result<std::unique_ptr<Store>> Store::create(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  RIZOMA_TRY(check_schema(options.schema));
  std::unique_ptr<Store> store(new Store(std::move(medium), options, false));
  // Before the lock, which writes a file: the directory may be somebody else's.
  if (auto found = exists(*store->medium_); !found) return std::move(found).error();
  RIZOMA_ASSIGN(store->lock_, store->medium_->lock_for_writing());
  RIZOMA_ASSIGN(const bool found, exists(*store->medium_));
  if (found) {
    return Error{ErrorCode::already_exists, "there is a graph at " + store->medium_->describe() + " already"};
  }
  RIZOMA_ASSIGN(const bool discarded, is_discarded(*store->medium_));
  if (discarded) RIZOMA_TRY(remove_discarded(*store->medium_));
  if (const Status created = store->create_files(); !created) {
    store->assume_alone();
    store->remove_files();
    store->lock_->leave_no_trace();
    return created.error();
  }
  return opened(std::move(store));
}

Status Store::create_files() {
  assume_alone();
  schema_ = options_.schema;
  *agreed_ = true;  // all that it will have is made by this process
  bits_fixed_ = schema_.section_bits != 0;
  if (!bits_fixed_) schema_.section_bits = 14;
  if (!schema_.directed) schema_.in_edges = true;
  number_columns(schema_);
  target_bytes_ = options_.min_target_bytes;
  store_id_ = make_store_id();
  RIZOMA_ASSIGN(const auto data, medium_->open(kDataName, FileMode::create));
  RIZOMA_TRY(data->sync());
  RIZOMA_TRY(space_->open(store_id_, {}));
  RIZOMA_TRY(space_->choose_homes());
  dictionary_ = std::make_shared<Dictionary>(schema_.ids);
  use(make_tables(schema_, 0, {}, {}));
  staged_removed_ = removed_ = durable_removed_ = std::make_shared<const RemovedVertices>(schema_.section_bits);
  committer_ = std::make_unique<Committer>(options_.durability, medium_->describe());
  ManifestState state = manifest_state();
  state.generation = generation_ = 1;
  state.log_sequence = 1;
  state.locations = locations_of(state);
  state.log_number = file_number_ = next_file_number_++;
  RIZOMA_ASSIGN(auto log, make_log(file_number_, 1, LogStart::continues));
  RIZOMA_ASSIGN(manifest_ends_, write_manifest(*medium_, store_id_, state, file_number_));
  RIZOMA_TRY(create_superblock(*medium_, superblock_for(store_id_, state, file_number_)));
  RIZOMA_ASSIGN(auto superblock, medium_->open(kSuperblockName, FileMode::write));
  space_->use_pins(std::move(superblock));
  space_->extents()->set_generation(generation_);
  committer_->set_log(std::move(log), 0);
  return {};
}

Result<std::unique_ptr<Store>> Store::opened(std::unique_ptr<Store> store) {
  try {
    store->start_maintenance();
  } catch (const std::system_error& error) {
    return Error{ErrorCode::io, "cannot start a thread for " + store->medium_->describe() + ": " + error.what()};
  }
  return store;
}

Result<std::unique_ptr<Store>> Store::open(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  if (!options.at.empty()) {
    return Error{ErrorCode::invalid_argument, "a tagged state is opened for reading only"};
  }
  std::unique_ptr<Store> store(new Store(std::move(medium), options, false));
  RIZOMA_TRY(expect_store(*store->medium_));  // before the lock, as above
  RIZOMA_ASSIGN(store->lock_, store->medium_->lock_for_writing());
  RIZOMA_ASSIGN(const Recovered recovered, store->recover());
  RIZOMA_TRY(store->begin_writing(recovered));
  RIZOMA_TRY(store->space_->choose_homes());
  remove_spill_files(*store->medium_);
  remove_stale_files(*store->medium_, store->file_number_);
  return opened(std::move(store));
}

Result<bool> Store::upgrade(std::shared_ptr<Medium> medium, StoreOptions options) {
  options.upgrade = true;
  RIZOMA_ASSIGN(const auto store, open(std::move(medium), options));
  const bool needed = [&] {
    const MutexLock guard(store->state_mutex_);
    return store->format_ < format::kFormat;
  }();
  if (needed) RIZOMA_TRY(store->checkpoint());
  RIZOMA_TRY(store->close());
  return needed;
}

Result<std::unique_ptr<Store>> Store::open_read_only(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  // A writer may publish between our reading of the superblock and of the files it names, and append
  // while we read its log: what looks missing or damaged by that does not twice.
  constexpr int kAttempts = 20;
  constexpr int kCorruptAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    std::unique_ptr<Store> store(new Store(medium, options, true));
    auto recovered = store->recover();
    if (recovered) return store;
    const ErrorCode code = recovered.error().code;
    const int attempts = code == ErrorCode::not_found ? kAttempts : code == ErrorCode::corrupt ? kCorruptAttempts : 1;
    if (attempt >= attempts) return std::move(recovered).error();
  }
}

Result<Store::Recovered> Store::recover() {
  assume_alone();
  RIZOMA_TRY(expect_store(*medium_));
  RIZOMA_ASSIGN(const SuperblockSlots slots, read_superblock(*medium_));
  const format::Superblock& block = *slots.newest();
  store_id_ = block.store;
  file_number_ = block.manifest_number;
  format_ = block.version;
  if (format_ < format::kFormat && !read_only_ && !options_.upgrade) {
    return Error{ErrorCode::unsupported, medium_->describe() + " is of format " + std::to_string(format_) +
                                             ": it can be read; `rizoma upgrade` makes it one that can be changed"};
  }
  if (read_only_) {
    RIZOMA_TRY(pin_state(block));
  } else {
    RIZOMA_ASSIGN(auto superblock, medium_->open(kSuperblockName, FileMode::write));
    space_->use_pins(std::move(superblock));
  }
  RIZOMA_TRY(choose_next_number());

  RIZOMA_ASSIGN(FoundManifest found_manifest, read_manifest(*medium_, store_id_, file_number_));
  const ManifestFile& manifest = found_manifest.file;
  if (manifest.state.generation != block.generation || manifest.state.log_number != file_number_) {
    return corrupt(medium_->describe() + "/" + manifest_name(file_number_), "is not the one that the superblock names");
  }
  if (manifest.format != block.version) {
    return corrupt(medium_->describe() + "/" + manifest_name(file_number_), "is of another format than the superblock");
  }
  // A writer that publishes removes the copies one after the other.
  if (read_only_ && found_manifest.damage) RIZOMA_TRY(expect_current(block));
  if (found_manifest.close_lost) return *found_manifest.close_lost;
  manifest_damage_ = std::move(found_manifest.damage);
  manifest_ends_ = found_manifest.ends;
  if (manifest.closed && !manifest.changed) closed_at_ = manifest.log_end;
  RIZOMA_TRY(load_manifest(manifest.state));
  if (!options_.at.empty()) return Recovered{block, manifest.closed, {}};
  RIZOMA_ASSIGN(const LogChainEnd chain, replay(manifest));
  log_evidence_ = evidence_of(chain, manifest);
  return Recovered{block, manifest.closed, chain};
}

/// Makes durable what recovery has read (medium.h rule 6): before anything is changed or removed that would
/// be needed if it were lost, and before anybody sees it.  What it names was durable before it was written:
/// the manifest and `data` before the superblock, the earlier logs before the last one.  And a clean close
/// is noted only where superblock and names are durable, so that such a store costs nothing more here.
Status Store::begin_writing(const Recovered& recovered) {
  if (!recovered.closed) {
    RIZOMA_TRY(medium_->sync_names());
    RIZOMA_TRY(rewrite_superblock(*medium_, recovered.superblock));
  }
  const LogGrowth growth{options_.durability == Durability::none ? 0 : options_.log_ahead, LogStart::continues};
  RIZOMA_ASSIGN(auto log, Log::reopen(*medium_, recovered.chain.number, recovered.chain.end, growth));
  committer_ = std::make_unique<Committer>(options_.durability, medium_->describe());
  committer_->set_log(std::move(log), recovered.chain.earlier);
  return {};
}

/// Tells writers in other processes what this one reads, as long as anybody reads it.  Error of code
/// not_found if that is not the present state any more.  Where the system has no such locks, sections
/// are copied and verified instead.
Status Store::pin_state(const format::Superblock& block) {
  RIZOMA_ASSIGN(const auto file, medium_->open(kSuperblockName, FileMode::read));
  RIZOMA_ASSIGN(auto pin, file->pin(block.generation));
  // A writer publishes, then looks for pins: one of the two sees the other.
  RIZOMA_TRY(expect_current(block));
  space_->data()->protect(std::move(pin));
  return {};
}

/// Error of code not_found if a writer has published meanwhile.
Status Store::expect_current(const format::Superblock& block) const {
  RIZOMA_ASSIGN(const SuperblockSlots now, read_superblock(*medium_));
  if (now.newest()->generation == block.generation) return {};
  return Error{ErrorCode::not_found, medium_->describe() + " changes while it is being opened: try again"};
}

/// Never a number that a file has or had.
Status Store::choose_next_number() {
  next_file_number_ = file_number_ + 1;
  RIZOMA_ASSIGN(const auto names, medium_->list());
  for (const std::string& name : names) {
    for (const std::string_view prefix : {kManifestPrefix, kManifestCopyPrefix, kLogPrefix}) {
      const auto number = number_in(name, prefix);
      if (!number) continue;
      if (*number >= format::kMostNumberFound)
        return corrupt(medium_->describe() + "/" + name, "has a number that no file comes to");
      next_file_number_ = std::max(next_file_number_, *number + 1);
    }
  }
  return {};
}

Status Store::load_manifest(const ManifestState& present) {
  RIZOMA_ASSIGN(const std::vector<FoundSpace> found, space_->open(store_id_, present.locations));
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
  RIZOMA_TRY(space_->expect_borne_out(extents));
  if (!unread.empty()) {
    // What a manifest names that the device cannot read is not known: such a tag holds all that is there now.
    extents = with_all_between(extents, found);
    ManifestState everything;
    for (const Extent& extent : extents) everything.dictionary.push_back({extent, 0});
    for (const std::size_t i : unread) tagged[i] = everything;
  }
  RIZOMA_TRY(space_->extents()->reset(extents, found, state.generation));
  LeaseBook leases(space_->extents(), extents.size());
  assume_alone();
  schema_ = state.schema;
  bits_fixed_ = state.bits_fixed;
  target_bytes_ = std::max(state.target_bytes, options_.min_target_bytes);
  order_ = state.order;
  order_reason_ = state.order_reason;
  ordered_entries_ = state.ordered_entries;
  num_vertices_ = state.num_vertices;
  generation_ = state.generation;
  RIZOMA_TRY(load_dictionary(state, leases));
  RIZOMA_TRY(load_removed(state, leases));
  edge_rows_.reset(to_rows(state.edge_rows, leases), std::make_shared<RowTail>());
  vertex_rows_.reset(to_rows(state.vertex_rows, leases), std::make_shared<RowTail>());
  use(make_tables(schema_, num_vertices_, to_parts(state.out, leases), to_parts(state.in, leases)));
  hold_tagged(state, tagged, leases);
  return {};
}

/// Opening reads nothing of it; a mender reads all, and is to get what can be read.
Result<Mapping> Store::read_segment(Extent extent) const {
  if (!options_.mend_dictionary) return space_->data()->view(extent);
  auto mapping = space_->data()->read(extent);
  return !mapping && mapping.error().code == ErrorCode::io ? space_->data()->salvage(extent) : std::move(mapping);
}

RowParts Store::to_rows(const std::vector<RowsEntry>& entries, LeaseBook& leases) {
  RowParts parts;
  for (const RowsEntry& entry : entries) {
    parts.push_back(std::make_shared<const StoredRows>(leases.of(entry.extent), entry));
  }
  return parts;
}

Status Store::load_dictionary(const ManifestState& state, LeaseBook& leases) {
  const std::string where = medium_->describe() + "/" + kDataName;
  std::vector<Mapping> segments;
  for (const TiedExtent& tied : state.dictionary) {
    RIZOMA_ASSIGN(Mapping mapping, read_segment(tied.extent));
    const std::uint64_t found = segment_id(mapping.bytes);
    if (tied.id != 0 && found != 0 && found != tied.id) {
      return corrupt(where + " at byte " + std::to_string(tied.extent.offset),
                     "has another dictionary segment than the manifest names");
    }
    segments.push_back(options_.mend_dictionary ? options_.mend_dictionary(std::move(mapping), where)
                                                : std::move(mapping));
    dictionary_extents_.push_back({leases.of(tied.extent), found});
  }
  RIZOMA_ASSIGN(Dictionary dictionary, Dictionary::open(schema_.ids, num_vertices_, std::move(segments), where));
  dictionary_ = std::make_shared<Dictionary>(std::move(dictionary));
  return {};
}

Status Store::load_removed(const ManifestState& state, LeaseBook& leases) {
  RemovedVertices removed(schema_.section_bits);
  if (!state.removed.extent.empty()) {
    RIZOMA_ASSIGN(const Mapping bytes, space_->data()->read(state.removed.extent));
    const std::string where = medium_->describe() + "/" + kDataName + " at byte " +
                              std::to_string(state.removed.extent.offset) + ": the list of removed vertices";
    RIZOMA_ASSIGN(removed, RemovedVertices::decode(bytes.bytes, schema_.section_bits, num_vertices_, where));
    const std::uint64_t found = RemovedVertices::id_of(bytes.bytes);
    if (state.removed.id != 0 && found != state.removed.id)
      return corrupt(where, "is not the one that the manifest names");
    removed_extent_ = {leases.of(state.removed.extent), found};
  }
  staged_removed_ = removed_ = durable_removed_ = std::make_shared<const RemovedVertices>(std::move(removed));
  return {};
}

Result<LogChainEnd> Store::replay(const ManifestFile& manifest) {
  Replayer replayer(*this);
  LogChainStart start = chain_start(manifest);
  start.beside_writer = read_only_;
  return replay_logs(*medium_, start, replayer);
}

}  // namespace rizoma
