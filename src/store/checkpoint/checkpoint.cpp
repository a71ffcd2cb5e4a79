// Publisher: moving the log into sections, and publishing.
#include "store/publishing/publisher.h"

#include "base/check.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/space/data_files.h"
#include "store/manifest/superblock.h"

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

Result<SectionExtents> Publisher::write_section(const SectionVersion& version, const SectionContext& context,
                                                bool rewrite, MergeArena& memory) {
  SectionExtents parts{version.parts().image, nullptr};
  const unsigned location = space_.location_for(version.parts().section, location_of(parts.image.get()));
  if (rewrite) {
    // What is merged for this lives no longer than it: a version would keep it as long as a snapshot does.
    const SectionVersion scratch(std::make_shared<const SectionContext>(context), version.parts());
    RIZOMA_ASSIGN(const SectionBytes section, scratch.load(memory));
    // Merged bytes become an image by sealing; a mapped image (no changes) is copied as it is.
    std::vector<std::byte> image(section.bytes.begin(), section.bytes.end());
    ImageSpec spec = section.spec;
    if (context.rows && spec.weights != WeightType::none && spec.row_bits == 0) spec = pack_rows(spec, image);
    image.resize(image_layout(spec).bytes);
    const std::uint64_t id = seal_image(spec, image);
    RIZOMA_ASSIGN(auto lease, space_.write(image, location));
    parts.image =
        std::make_shared<StoredImage>(std::move(lease), id, section.spec.num_entries, section.spec.num_self_loops);
    return parts;
  }
  RIZOMA_ASSIGN(const std::vector<ChangeRun> runs, version.changes());
  const DeltaSpec spec{version.parts().section, context.direction, context.weights != WeightType::none,
                       version.num_changes(), version.parts().target_bound};
  const std::vector<std::byte> delta = encode_delta(spec, runs);
  RIZOMA_ASSIGN(auto lease, space_.write(delta, location));
  parts.delta = std::make_shared<StoredDelta>(std::move(lease), delta_id(delta), spec.num_entries);
  return parts;
}

Result<std::vector<SectionExtents>> Publisher::write_sections(std::vector<SectionExtents> sections,
                                                              const SectionContext& context,
                                                              const StoreSnapshot::Versions& versions,
                                                              unsigned rewrite_percent) {
  MergeArena memory;
  if (sections.size() < versions.size()) sections.resize(versions.size());
  for (SectionId s = 0; s < versions.size(); ++s) {
    if (versions[s] == nullptr) continue;
    const SectionVersion& version = *versions[s];
    const std::uint64_t base = version.parts().image ? version.parts().image->num_entries() : 0;
    const bool changed = version.num_changes() > 0 && version.num_changes() * 100 >= base * rewrite_percent;
    const auto location = location_of(version.parts().image.get());
    const bool moves = rewrite_percent == 0 && base > 0 && location != space_.location_for(s, location);
    const bool rewrite = changed || moves;
    if (!rewrite && version.parts().pending_count == 0) continue;
    RIZOMA_ASSIGN(sections[s], write_section(version, context, rewrite, memory));
  }
  return sections;
}

/// A state of the store that a checkpoint writes; changes after it are in the log that begins with it.
struct Publisher::Frozen {
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
Result<std::unique_ptr<Log>> Publisher::make_log(std::uint64_t number, std::uint64_t sequence, LogStart start) {
  const LogGrowth growth{options_.durability == Durability::none ? 0 : options_.log_ahead, start};
  auto log = Log::create(medium_, store_id_, number, sequence, growth);
  if (!log) {
    static_cast<void>(medium_.remove(log_name(number)));
    return log;
  }
  RIZOMA_TRY(medium_.sync_names());
  return log;
}

/// Changes go to a new log from here on.  The one of a checkpoint that failed serves again if it is still empty: its
/// tries may go on for days, and shall not fill the directory.
Status Publisher::begin_log() {
  const Log& present = writer_.committer().log();
  if (present.empty() && present.number() != file_number_) return {};
  RIZOMA_ASSIGN(auto log, make_log(next_file_number_++, present.next_sequence(), LogStart::continues));
  writer_.committer().set_log(std::move(log), writer_.committer().log_bytes());
  return {};
}

Result<Publisher::Frozen> Publisher::freeze() {
  RIZOMA_ASSIGN(const TimedLock writer, writer_.acquire());
  writer.holds(writer_.mutex);
  RIZOMA_TRY(writer_.check_writable());
  writer_.settle();
  RIZOMA_TRY(writer_.note_change_after_close());
  RIZOMA_TRY(writer_.committer().sync_log());
  Frozen frozen;
  frozen.snapshot = contents_.snapshot();
  frozen.plan = contents_.dictionary->plan();
  RIZOMA_TRY(begin_log());
  const MutexLock guard(contents_.mutex);
  frozen.state = contents_.manifest_state();
  frozen.state.log_number = writer_.committer().log().number();
  frozen.state.log_sequence = writer_.committer().log().next_sequence();
  frozen.state.generation = contents_.generation + 1;
  frozen.durable.out = contents_.out->parts();
  frozen.out = contents_.out->context();
  contents_.out->freeze();
  if (contents_.in) {
    frozen.durable.in = contents_.in->parts();
    frozen.in = contents_.in->context();
    contents_.in->freeze();
  }
  contents_.edge_rows.freeze();
  contents_.vertex_rows.freeze();
  frozen.durable.edge_rows = contents_.edge_rows.parts();
  frozen.durable.vertex_rows = contents_.vertex_rows.parts();
  frozen.durable.dictionary = contents_.dictionary_extents;
  frozen.removed = contents_.removed;
  frozen.durable.removed = contents_.removed_extent;
  frozen.removed_written = contents_.removed == contents_.durable_removed;
  return frozen;
}

/// No lease if none is removed.
Result<IdentifiedExtent> Publisher::write_removed(const RemovedVertices& removed) {
  IdentifiedExtent tied;
  if (removed.count() == 0) return tied;
  const std::vector<std::byte> bytes = removed.encode();
  RIZOMA_ASSIGN(tied.lease, space_.write(bytes));
  tied.id = RemovedVertices::id_of(bytes);
  return tied;
}

/// Writes and syncs what the frozen state has and its durable parts lack.
Result<Durable> Publisher::write_frozen(const Frozen& frozen, unsigned rewrite_percent) {
  Durable durable = frozen.durable;
  const StoreSnapshot::Parts& parts = frozen.snapshot->parts();
  RIZOMA_ASSIGN(durable.out, write_sections(std::move(durable.out), *frozen.out, parts.out, rewrite_percent));
  if (frozen.in) {
    RIZOMA_ASSIGN(durable.in, write_sections(std::move(durable.in), *frozen.in, parts.in, rewrite_percent));
  }
  if (frozen.plan) {
    RIZOMA_ASSIGN(const std::vector<std::byte> segment, contents_.dictionary->encode(*frozen.plan));
    durable.dictionary.resize(durable.dictionary.size() - frozen.plan->replaced);
    RIZOMA_ASSIGN(auto lease, space_.write(segment));
    durable.dictionary.push_back({std::move(lease), segment_id(segment)});
  }
  if (!frozen.removed_written) {
    RIZOMA_ASSIGN(durable.removed, write_removed(*frozen.removed));
  }
  const GraphSchema& schema = frozen.state.schema;
  RIZOMA_ASSIGN(durable.edge_rows,
                rows_.write_rows(std::move(durable.edge_rows), *parts.edge_rows, schema.edge_columns));
  RIZOMA_ASSIGN(durable.vertex_rows,
                rows_.write_rows(std::move(durable.vertex_rows), *parts.vertex_rows, schema.vertex_columns));
  RIZOMA_TRY(space_.data()->sync());
  return durable;
}

/// What `state` names is durable in the data files already, and its log exists.  Returns the manifest's ends.
Result<ManifestOffsets> Publisher::prepare(ManifestState& state) {
  state.tags.clear();
  for (const Tag& tag : tags_) state.tags.push_back(tag.entry);
  state.locations = locations_of(state);
  return write_manifest(medium_, store_id_, state, state.log_number);
}

/// What a manifest of this state lists: all locations, if a tag cannot be read, which may have extents anywhere.
std::vector<LocationEntry> Publisher::locations_of(const ManifestState& state) const {
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
  return space_.listed(extents, !all_known);
}

/// `follow` gives memory the state that is then the durable one.  If either fails, nobody can say which
/// state the next change would come upon: all changing ends, and what `state` names (`durable`) stays.
Status Publisher::publish(const ManifestState& state, const ManifestOffsets& ends,
                          std::shared_ptr<const Durable> durable, FunctionRef<Status()> follow) {
  in_doubt_ = std::move(durable);
  const auto both = [&]() -> Status {
    mutex.assume_held();
    writer_.mutex.assume_held();
    RIZOMA_TRY(write_superblock(medium_, superblock_for(store_id_, state, state.log_number)));
    writer_.use_manifest(state.log_number, ends);
    {
      const MutexLock guard(contents_.mutex);
      format_ = format::kFormat;
    }
    file_number_ = state.log_number;
    space_.published(state.generation, state.locations);
    return follow();
  };
  try {
    Status status = both();
    if (!status) writer_.committer().fail_for_good(status.error());
    if (status) in_doubt_ = nullptr;
    return status;
  } catch (const std::bad_alloc&) {
    writer_.committer().fail_for_good();
    throw;
  }
}

/// The frozen state has been published: its parts take the place of what was frozen.
Status Publisher::adopt(const Frozen& frozen, Durable durable, const ManifestState& state, Mapping segment) {
  if (frozen.plan) {
    {
      // Whoever takes a snapshot now reads the old segments or the new ones.
      const MutexLock guard(contents_.mutex);
      contents_.dictionary_extents.push_back(durable.dictionary.back());
      contents_.forget_snapshot();
    }
    RIZOMA_TRY(contents_.dictionary->publish(*frozen.plan, std::move(segment)));
  }
  const MutexLock guard(contents_.mutex);
  contents_.out->replace(std::move(durable.out));
  if (contents_.in) contents_.in->replace(std::move(durable.in));
  contents_.dictionary_extents = std::move(durable.dictionary);
  contents_.removed_extent = std::move(durable.removed);
  contents_.durable_removed = frozen.removed;
  contents_.edge_rows.replace(std::move(durable.edge_rows));
  contents_.vertex_rows.replace(std::move(durable.vertex_rows));
  contents_.set_generation(state.generation);
  writer_.committer().forget_earlier();
  return {};
}

/// Needs the publisher's lock; changes wait for `freeze`, and for the superblock and `adopt`, only.
Status Publisher::checkpoint_now(unsigned rewrite_percent) {
  RIZOMA_ASSIGN(Frozen frozen, freeze());
  space_.reclaim();
  const Status moved = move_into_sections(frozen, rewrite_percent);
  // What one that failed has written is in nobody's way either, least of all if the device was too full for it; but
  // not if nobody knows which state is the durable one.
  if (writer_.committer().healthy()) {
    remove_stale_files(medium_, file_number_);
    space_.give_back(options_.spare_percent);
  }
  return moved;
}

Status Publisher::move_into_sections(Frozen& frozen, unsigned rewrite_percent) {
  RIZOMA_ASSIGN(Durable durable, write_frozen(frozen, rewrite_percent));
  Mapping segment;
  if (frozen.plan) {
    RIZOMA_ASSIGN(segment, space_.data()->view(durable.dictionary.back().lease->extent()));
  }
  ManifestState state = frozen.state;
  durable.put_into(state);
  RIZOMA_ASSIGN(const ManifestOffsets ends, prepare(state));
  frozen.snapshot = nullptr;
  frozen.durable = {};
  // Before the superblock: what has been published must be adopted, however long others hold the lock.
  RIZOMA_ASSIGN(const TimedLock writer, writer_.acquire());
  writer.holds(writer_.mutex);
  return publish(state, ends, std::make_shared<const Durable>(durable), [&] {
    mutex.assume_held();
    writer_.mutex.assume_held();
    return adopt(frozen, std::move(durable), state, std::move(segment));
  });
}

Status Publisher::place(std::vector<unsigned> homes) {
  RIZOMA_TRY(access_.check());
  RIZOMA_ASSIGN(const TimedLock maintenance, acquire());
  maintenance.holds(mutex);
  if (space_.num_homes() < 2) {
    return Error{ErrorCode::invalid_argument,
                 "the graph at " + access_.where() + " lies in one location: open it with several to move sections"};
  }
  const auto present = contents_.snapshot();
  const std::size_t sections = present->parts().out.size();
  if (homes.size() != sections) {
    return Error{ErrorCode::invalid_argument, "the list of homes has " + std::to_string(homes.size()) +
                                                  " entries, but the graph has " + std::to_string(sections) +
                                                  " sections: give one for each"};
  }
  space_.place(std::move(homes));
  const Status status = checkpoint_now(0);
  maintenance_->note(status);
  return status;
}

Status Publisher::checkpoint() {
  RIZOMA_TRY(access_.check());
  RIZOMA_ASSIGN(const TimedLock maintenance, acquire());
  maintenance.holds(mutex);
  const Status status = checkpoint_now(options_.rewrite_percent);
  // What was refused to this caller for another's code is no failure that others have to know of.
  if (status || status.error().code != ErrorCode::locked) maintenance_->note(status);
  return status;
}

/// Contents beside the present ones, in the same space, that are to take their place.
std::unique_ptr<Contents> Publisher::make_successor(const Generation& generation) const {
  auto next = std::make_unique<Contents>(space_);
  next->begin(generation.state, contents_.target_bytes);
  // New numbers come with edges that were validated, or made here; the same ones with those that were there.
  const bool same = generation.dictionary == contents_.dictionary;
  next->cross_validated = same ? contents_.cross_validated : std::make_shared<std::atomic<bool>>(true);
  next->dictionary = generation.dictionary;
  next->set_removed(generation.removed);
  next->hold(generation.durable);
  return next;
}

/// The successor is the durable state: its content becomes the present one.  Nothing here may fail.
void Publisher::take_over(Contents& successor, std::unique_ptr<Log> log) {
  writer_.set_closed_at(0);
  successor.assume_alone();
  const MutexLock guard(contents_.mutex);
  contents_.take_over(successor);
  writer_.committer().set_log(std::move(log), 0);
}

/// Replaces the whole content.  Needs the publisher's lock and the writer's, and nothing on its way.
Status Publisher::install(Generation generation) {
  RIZOMA_TRY(space_.data()->sync());
  ManifestState& state = generation.state;
  state.log_number = next_file_number_++;
  RIZOMA_ASSIGN(auto log, make_log(state.log_number, writer_.committer().log().next_sequence(), LogStart::anew));
  state.log_sequence = log->next_sequence();
  state.generation = contents_.generation + 1;
  generation.durable.put_into(state);
  auto successor = make_successor(generation);
  RIZOMA_ASSIGN(const ManifestOffsets ends, prepare(state));
  RIZOMA_TRY(publish(state, ends, std::make_shared<const Durable>(std::move(generation.durable)), [&]() -> Status {
    mutex.assume_held();
    writer_.mutex.assume_held();
    take_over(*successor, std::move(log));
    return {};
  }));
  successor = nullptr;  // with what there was, whose space is free now
  remove_stale_files(medium_, file_number_);
  space_.give_back(options_.spare_percent);
  return {};
}

Status Publisher::install_present(Durable durable, ManifestState state) {
  mutex.assume_held();
  writer_.mutex.assume_held();
  return install({std::move(durable), std::move(state), contents_.dictionary, contents_.removed});
}

}  // namespace rizoma
