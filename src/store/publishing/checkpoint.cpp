// Store: moving the log into sections, and publishing.
#include "store/store.h"

#include "base/check.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/space/data_files.h"
#include "store/publishing/superblock.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// Where an image lies, if there is one.
std::optional<unsigned> location_of(const StoredImage* image) {
  return image == nullptr ? std::nullopt : std::optional(image->extent().location);
}

}  // namespace

Result<SectionParts> Store::write_section(const SectionVersion& version, const SectionContext& context, bool rewrite,
                                          FoldMemory& memory) {
  SectionParts parts{version.parts().image, nullptr};
  const unsigned location = space_->location_for(version.parts().section, location_of(parts.image.get()));
  if (rewrite) {
    // What is folded for this lives no longer than it: a version would keep it as long as a snapshot does.
    const SectionVersion scratch(std::make_shared<const SectionContext>(context), version.parts());
    RIZOMA_ASSIGN(const SectionBytes section, scratch.load(memory));
    // Folded bytes become an image by sealing; a mapped image (no changes) is copied as it is.
    std::vector<std::byte> image(section.bytes.begin(), section.bytes.end());
    ImageSpec spec = section.spec;
    if (context.rows && spec.weights != WeightType::none && spec.row_bits == 0) spec = pack_rows(spec, image);
    image.resize(image_layout(spec).bytes);
    const std::uint64_t id = seal_image(spec, image);
    RIZOMA_ASSIGN(auto lease, space_->write(image, location));
    parts.image =
        std::make_shared<StoredImage>(std::move(lease), id, section.spec.num_entries, section.spec.num_self_loops);
    return parts;
  }
  RIZOMA_ASSIGN(const std::vector<ChangeRun> runs, version.changes());
  const DeltaSpec spec{version.parts().section, context.direction, context.weights != WeightType::none,
                       version.num_changes(), version.parts().target_bound};
  const std::vector<std::byte> delta = encode_delta(spec, runs);
  RIZOMA_ASSIGN(auto lease, space_->write(delta, location));
  parts.delta = std::make_shared<StoredDelta>(std::move(lease), delta_id(delta), spec.num_entries);
  return parts;
}

Result<std::vector<SectionParts>> Store::write_sections(std::vector<SectionParts> sections,
                                                        const SectionContext& context,
                                                        const StoreSnapshot::Versions& versions,
                                                        unsigned rewrite_percent) {
  FoldMemory memory;
  if (sections.size() < versions.size()) sections.resize(versions.size());
  for (SectionId s = 0; s < versions.size(); ++s) {
    if (versions[s] == nullptr) continue;
    const SectionVersion& version = *versions[s];
    const std::uint64_t base = version.parts().image ? version.parts().image->num_entries() : 0;
    const bool changed = version.num_changes() > 0 && version.num_changes() * 100 >= base * rewrite_percent;
    const auto location = location_of(version.parts().image.get());
    const bool moves = rewrite_percent == 0 && base > 0 && location != space_->location_for(s, location);
    const bool rewrite = changed || moves;
    if (!rewrite && version.parts().pending_count == 0) continue;
    RIZOMA_ASSIGN(sections[s], write_section(version, context, rewrite, memory));
  }
  return sections;
}

/// Needs the state lock, and nothing on its way.
ManifestState Store::manifest_state() const {
  ManifestState state;
  state.schema = schema_;
  state.bits_fixed = bits_fixed_;
  state.order = order_;
  state.order_reason = order_reason_;
  state.ordered_entries = ordered_entries_;
  state.num_vertices = num_vertices_;
  state.target_bytes = target_bytes_for(num_vertices_);
  return state;
}

void Store::Durable::put_into(ManifestState& state) const {
  state.out = to_entries(out);
  state.in = to_entries(in);
  state.dictionary.clear();
  for (const TiedLease& tied : dictionary) state.dictionary.push_back({tied.lease->extent(), tied.id});
  state.removed = removed.lease == nullptr ? TiedExtent{} : TiedExtent{removed.lease->extent(), removed.id};
  const auto to_entries_of = [](const RowParts& parts) {
    std::vector<RowsEntry> entries;
    for (const auto& each : parts) entries.push_back(each->entry());
    return entries;
  };
  state.edge_rows = to_entries_of(edge_rows);
  state.vertex_rows = to_entries_of(vertex_rows);
}

/// A state of the store that a checkpoint writes; changes after it are in the log that begins with it.
struct Store::Frozen {
  std::shared_ptr<const StoreSnapshot> snapshot;
  ManifestState state;  ///< without extents
  Durable durable;      ///< as before
  std::shared_ptr<const SectionContext> out;
  std::shared_ptr<const SectionContext> in;
  std::optional<DictionaryPlan> plan;
  std::shared_ptr<const RemovedVertices> removed;
  bool removed_written = false;  ///< durable.removed holds them
};

/// A new log behind the present one, durable, its name too; or no file, so that a full disk does not gather empty ones.
Result<std::unique_ptr<Log>> Store::make_log(std::uint64_t number, std::uint64_t sequence, LogStart start) {
  const LogGrowth growth{options_.durability == Durability::none ? 0 : options_.log_ahead, start};
  auto log = Log::create(*medium_, store_id_, number, sequence, growth);
  if (!log) {
    static_cast<void>(medium_->remove(log_name(number)));
    return log;
  }
  RIZOMA_TRY(medium_->sync_names());
  return log;
}

/// Changes go to a new log from here on.  The one of a checkpoint that failed serves again if it is still empty: its
/// tries may go on for days, and shall not fill the directory.
Status Store::begin_log() {
  const Log& present = committer_->log();
  if (present.empty() && present.number() != file_number_) return {};
  RIZOMA_ASSIGN(auto log, make_log(next_file_number_++, present.next_sequence(), LogStart::continues));
  committer_->set_log(std::move(log), committer_->log_bytes());
  return {};
}

Result<Store::Frozen> Store::freeze() {
  RIZOMA_ASSIGN(const PatientLock writer, acquire(writer_mutex_));
  writer.holds(writer_mutex_);
  RIZOMA_TRY(check_writable());
  settle();
  RIZOMA_TRY(note_change_after_close());
  RIZOMA_TRY(committer_->sync_log());
  Frozen frozen;
  RIZOMA_ASSIGN(frozen.snapshot, snapshot());
  frozen.plan = dictionary_->plan();
  RIZOMA_TRY(begin_log());
  const MutexLock guard(state_mutex_);
  frozen.state = manifest_state();
  frozen.state.log_number = committer_->log().number();
  frozen.state.log_sequence = committer_->log().next_sequence();
  frozen.state.generation = generation_ + 1;
  frozen.durable.out = out_->parts();
  frozen.out = out_->context();
  out_->freeze();
  if (in_) {
    frozen.durable.in = in_->parts();
    frozen.in = in_->context();
    in_->freeze();
  }
  edge_rows_.freeze();
  vertex_rows_.freeze();
  frozen.durable.edge_rows = edge_rows_.parts();
  frozen.durable.vertex_rows = vertex_rows_.parts();
  frozen.durable.dictionary = dictionary_extents_;
  frozen.removed = removed_;
  frozen.durable.removed = removed_extent_;
  frozen.removed_written = removed_ == durable_removed_;
  return frozen;
}

/// No lease if none is removed.
Result<Store::TiedLease> Store::write_removed(const RemovedVertices& removed) {
  TiedLease tied;
  if (removed.count() == 0) return tied;
  const std::vector<std::byte> bytes = removed.encode();
  RIZOMA_ASSIGN(tied.lease, space_->write(bytes));
  tied.id = RemovedVertices::id_of(bytes);
  return tied;
}

/// Writes and syncs what the frozen state has and its durable parts lack.
Result<Store::Durable> Store::write_frozen(const Frozen& frozen, unsigned rewrite_percent) {
  Durable durable = frozen.durable;
  const StoreSnapshot::Parts& parts = frozen.snapshot->parts();
  RIZOMA_ASSIGN(durable.out, write_sections(std::move(durable.out), *frozen.out, parts.out, rewrite_percent));
  if (frozen.in) {
    RIZOMA_ASSIGN(durable.in, write_sections(std::move(durable.in), *frozen.in, parts.in, rewrite_percent));
  }
  if (frozen.plan) {
    RIZOMA_ASSIGN(const std::vector<std::byte> segment, dictionary_->encode(*frozen.plan));
    durable.dictionary.resize(durable.dictionary.size() - frozen.plan->replaced);
    RIZOMA_ASSIGN(auto lease, space_->write(segment));
    durable.dictionary.push_back({std::move(lease), segment_id(segment)});
  }
  if (!frozen.removed_written) {
    RIZOMA_ASSIGN(durable.removed, write_removed(*frozen.removed));
  }
  const GraphSchema& schema = frozen.state.schema;
  RIZOMA_ASSIGN(durable.edge_rows, write_rows(std::move(durable.edge_rows), *parts.edge_rows, schema.edge_columns));
  RIZOMA_ASSIGN(durable.vertex_rows,
                write_rows(std::move(durable.vertex_rows), *parts.vertex_rows, schema.vertex_columns));
  RIZOMA_TRY(space_->data()->sync());
  return durable;
}

/// What `state` names is durable in the data files already, and its log exists.  Returns the manifest's ends.
Result<ManifestEnds> Store::prepare(ManifestState& state) {
  state.tags.clear();
  for (const Tag& tag : tags_) state.tags.push_back(tag.entry);
  state.locations = locations_of(state);
  return write_manifest(*medium_, store_id_, state, state.log_number);
}

/// What a manifest of this state lists: all locations, if a tag cannot be read, which may have extents anywhere.
std::vector<LocationEntry> Store::locations_of(const ManifestState& state) const {
  std::vector<Extent> extents = state.extents();
  bool all_known = true;
  for (const Tag& tag : tags_) {
    if (tag.held == nullptr) {
      all_known = false;
      continue;
    }
    ManifestState tagged;
    tag.held->put_into(tagged);
    const std::vector<Extent> kept = tagged.extents();
    extents.insert(extents.end(), kept.begin(), kept.end());
  }
  return space_->listed(extents, !all_known);
}

/// `follow` gives memory the state that is then the durable one.  If either fails, nobody can say which
/// state the next change would come upon: all changing ends, and what `state` names (`durable`) stays.
Status Store::publish(const ManifestState& state, const ManifestEnds& ends, std::shared_ptr<const Durable> durable,
                      FunctionRef<Status()> follow) {
  undecided_ = std::move(durable);
  const auto both = [&]() -> Status {
    maintenance_mutex_.assume_held();
    RIZOMA_TRY(write_superblock(*medium_, superblock_for(store_id_, state, state.log_number)));
    manifest_ends_ = ends;
    {
      const MutexLock guard(state_mutex_);
      format_ = format::kFormat;
    }
    file_number_ = state.log_number;
    space_->published(state.generation, state.locations);
    return follow();
  };
  try {
    Status status = both();
    if (!status) committer_->fail_for_good(status.error());
    if (status) undecided_ = nullptr;
    return status;
  } catch (const std::bad_alloc&) {
    committer_->fail_for_good();
    throw;
  }
}

/// The frozen state has been published: its parts take the place of what was frozen.
Status Store::adopt(const Frozen& frozen, Durable durable, const ManifestState& state, Mapping segment) {
  if (frozen.plan) {
    {
      // Whoever takes a snapshot now reads the old segments or the new ones.
      const MutexLock guard(state_mutex_);
      dictionary_extents_.push_back(durable.dictionary.back());
      snapshot_ = nullptr;
    }
    RIZOMA_TRY(dictionary_->publish(*frozen.plan, std::move(segment)));
  }
  const MutexLock guard(state_mutex_);
  out_->replace(std::move(durable.out));
  if (in_) in_->replace(std::move(durable.in));
  dictionary_extents_ = std::move(durable.dictionary);
  removed_extent_ = std::move(durable.removed);
  durable_removed_ = frozen.removed;
  edge_rows_.replace(std::move(durable.edge_rows));
  vertex_rows_.replace(std::move(durable.vertex_rows));
  generation_ = state.generation;
  pin_ = nullptr;
  snapshot_ = nullptr;
  committer_->forget_earlier();
  return {};
}

/// Needs the maintenance lock; changes wait for `freeze`, and for the superblock and `adopt`, only.
Status Store::checkpoint_now(unsigned rewrite_percent) {
  RIZOMA_ASSIGN(Frozen frozen, freeze());
  space_->reclaim();
  const Status moved = move_into_sections(frozen, rewrite_percent);
  // What one that failed has written is in nobody's way either, least of all if the device was too full for it; but
  // not if nobody knows which state is the durable one.
  if (committer_->healthy()) {
    remove_stale_files(*medium_, file_number_);
    space_->give_back(options_.spare_percent);
  }
  return moved;
}

Status Store::move_into_sections(Frozen& frozen, unsigned rewrite_percent) {
  RIZOMA_ASSIGN(Durable durable, write_frozen(frozen, rewrite_percent));
  Mapping segment;
  if (frozen.plan) {
    RIZOMA_ASSIGN(segment, space_->data()->view(durable.dictionary.back().lease->extent()));
  }
  ManifestState state = frozen.state;
  durable.put_into(state);
  RIZOMA_ASSIGN(const ManifestEnds ends, prepare(state));
  frozen.snapshot = nullptr;
  frozen.durable = {};
  // Before the superblock: what has been published must be adopted, however long others hold the lock.
  RIZOMA_ASSIGN(const PatientLock writer, acquire(writer_mutex_));
  writer.holds(writer_mutex_);
  return publish(state, ends, std::make_shared<const Durable>(durable), [&] {
    maintenance_mutex_.assume_held();
    writer_mutex_.assume_held();
    return adopt(frozen, std::move(durable), state, std::move(segment));
  });
}

Status Store::place(std::vector<unsigned> homes) {
  RIZOMA_TRY(check_caller());
  RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
  maintenance.holds(maintenance_mutex_);
  if (space_->num_homes() < 2) {
    return Error{ErrorCode::invalid_argument, "the graph at " + medium_->describe() +
                                                  " lies in one location: open it with several to move sections"};
  }
  RIZOMA_ASSIGN(const auto present, snapshot());
  const std::size_t sections = present->parts().out.size();
  if (homes.size() != sections) {
    return Error{ErrorCode::invalid_argument, "the list of homes has " + std::to_string(homes.size()) +
                                                  " entries, but the graph has " + std::to_string(sections) +
                                                  " sections: give one for each"};
  }
  space_->place(std::move(homes));
  const Status status = checkpoint_now(0);
  maintenance_->note(status);
  return status;
}

Status Store::checkpoint() {
  RIZOMA_TRY(check_caller());
  RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
  maintenance.holds(maintenance_mutex_);
  const Status status = checkpoint_now(options_.rewrite_percent);
  // What was refused to this caller for another's code is no failure that others have to know of.
  if (status || status.error().code != ErrorCode::locked) maintenance_->note(status);
  return status;
}

/// A store beside this one, in the same files, whose content is to take the place of this one's.
std::unique_ptr<Store> Store::make_successor(const Generation& generation) const {
  const ManifestState& state = generation.state;
  std::unique_ptr<Store> next(new Store(medium_, options_, true, space_));
  next->assume_alone();
  next->file_number_ = state.log_number;
  next->schema_ = state.schema;
  next->bits_fixed_ = state.bits_fixed;
  next->order_ = state.order;
  next->order_reason_ = state.order_reason;
  next->ordered_entries_ = state.ordered_entries;
  next->target_bytes_ = std::max(target_bytes_, state.target_bytes);
  next->num_vertices_ = state.num_vertices;
  next->generation_ = state.generation;
  // New numbers come with edges that were validated, or made here; the same ones with those that were there.
  next->agreed_ = generation.dictionary == dictionary_ ? agreed_ : std::make_shared<std::atomic<bool>>(true);
  next->dictionary_ = generation.dictionary;
  next->dictionary_extents_ = generation.durable.dictionary;
  next->removed_extent_ = generation.durable.removed;
  next->staged_removed_ = next->removed_ = next->durable_removed_ = generation.removed;
  next->edge_rows_.reset(generation.durable.edge_rows, std::make_shared<RowTail>());
  next->vertex_rows_.reset(generation.durable.vertex_rows, std::make_shared<RowTail>());
  next->use(make_tables(state.schema, state.num_vertices, generation.durable.out, generation.durable.in));
  return next;
}

/// The successor's state is the durable one: gets its content for this one's.  Nothing here may fail.
void Store::take_over(Store& successor, std::unique_ptr<Log> log) {
  closed_at_ = 0;
  successor.assume_alone();
  const MutexLock guard(state_mutex_);
  std::swap(schema_, successor.schema_);
  order_ = successor.order_;
  order_reason_ = successor.order_reason_;
  ordered_entries_ = successor.ordered_entries_;
  target_bytes_ = successor.target_bytes_;
  num_vertices_ = successor.num_vertices_;
  generation_ = successor.generation_;
  std::swap(agreed_, successor.agreed_);
  std::swap(dictionary_, successor.dictionary_);
  std::swap(dictionary_extents_, successor.dictionary_extents_);
  std::swap(staged_removed_, successor.staged_removed_);
  std::swap(removed_, successor.removed_);
  std::swap(durable_removed_, successor.durable_removed_);
  std::swap(removed_extent_, successor.removed_extent_);
  std::swap(edge_rows_, successor.edge_rows_);
  std::swap(vertex_rows_, successor.vertex_rows_);
  std::swap(out_, successor.out_);
  std::swap(in_, successor.in_);
  pin_ = nullptr;
  snapshot_ = nullptr;
  committer_->set_log(std::move(log), 0);
}

/// Replaces the whole content.  Needs the maintenance lock and the writer lock, and nothing on its way.
Status Store::install(Generation generation) {
  RIZOMA_TRY(space_->data()->sync());
  ManifestState& state = generation.state;
  state.log_number = next_file_number_++;
  RIZOMA_ASSIGN(auto log, make_log(state.log_number, committer_->log().next_sequence(), LogStart::anew));
  state.log_sequence = log->next_sequence();
  state.generation = generation_ + 1;
  generation.durable.put_into(state);
  auto successor = make_successor(generation);
  RIZOMA_ASSIGN(const ManifestEnds ends, prepare(state));
  RIZOMA_TRY(publish(state, ends, std::make_shared<const Durable>(std::move(generation.durable)), [&]() -> Status {
    maintenance_mutex_.assume_held();
    writer_mutex_.assume_held();
    take_over(*successor, std::move(log));
    return {};
  }));
  successor = nullptr;  // with what there was, whose space is free now
  remove_stale_files(*medium_, file_number_);
  space_->give_back(options_.spare_percent);
  return {};
}

Status Store::install_present(Durable durable, ManifestState state) {
  maintenance_mutex_.assume_held();
  writer_mutex_.assume_held();
  return install({std::move(durable), std::move(state), dictionary_, removed_});
}

}  // namespace rizoma
