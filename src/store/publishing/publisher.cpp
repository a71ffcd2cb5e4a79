#include "store/publishing/publisher.h"

#include "store/manifest/embedded_manifest.h"
#include "store/manifest/publish.h"
#include "store/manifest/superblock.h"
#include "store/space/data_files.h"

#include <new>
#include <utility>

namespace rizoma {

Publisher::Publisher(AccessGuard& access_guard, Medium& own, const StoreOptions& settings, bool reads_only,
                     Space& bytes, Contents& present, Writer& changes)
    : access(access_guard),
      medium(own),
      options(settings),
      read_only(reads_only),
      space(bytes),
      contents(present),
      writer(changes) {}

void Publisher::start_at(const format::StoreId& store, std::uint64_t manifest, std::uint64_t next_file,
                         std::uint32_t format) {
  store_id_ = store;
  file_number_ = manifest;
  next_file_number_ = next_file;
  format_ = format;
}

std::uint32_t Publisher::format() const {
  const MutexLock guard(contents.mutex);
  return format_;
}

Result<std::unique_ptr<Log>> Publisher::make_log(std::uint64_t number, std::uint64_t sequence, LogStart start) {
  const LogGrowth growth{options.durability == Durability::none ? 0 : options.log_ahead, start};
  auto log = Log::create(medium, store_id_, number, sequence, growth);
  if (!log) {
    static_cast<void>(medium.remove(log_name(number)));
    return log;
  }
  RIZOMA_TRY(medium.sync_names());
  return log;
}

std::vector<LocationEntry> Publisher::locations_of(const ManifestState& state) const {
  std::vector<Extent> extents = state.extents();
  bool all_known = true;
  for (const Tag& tag : tags.all()) {
    if (tag.held == nullptr) {
      all_known = false;
      continue;
    }
    ManifestState tagged;
    tag.held->put_into(tagged);
    const std::vector<Extent> kept = tagged.extents();
    extents.insert(extents.end(), kept.begin(), kept.end());
  }
  return space.listed(extents, !all_known);
}

Result<PreparedManifest> Publisher::prepare(ManifestState& state) {
  state.tags.clear();
  for (const Tag& tag : tags.all()) state.tags.push_back(tag.entry);
  state.locations = locations_of(state);
  RIZOMA_ASSIGN(EmbeddedManifest embedded, embed_manifest(space, store_id_, state, state.log_number));
  RIZOMA_TRY(space.data()->sync());
  RIZOMA_ASSIGN(const ManifestOffsets ends, write_manifest(medium, embedded.bytes, state.log_number));
  return PreparedManifest{ends, std::move(embedded.lease)};
}

Status Publisher::publish(const ManifestState& state, const PreparedManifest& manifest,
                          std::shared_ptr<const Durable> durable, FunctionRef<Status()> follow) {
  in_doubt_ = std::move(durable);
  embedded_in_doubt_ = manifest.embedded;
  const auto both = [&]() -> Status {
    mutex.assume_held();
    writer.mutex.assume_held();
    RIZOMA_TRY(write_superblock(medium, superblock_for(store_id_, state, state.log_number)));
    writer.use_manifest(state.log_number, manifest.ends);
    {
      const MutexLock guard(contents.mutex);
      format_ = format::kFormat;
    }
    file_number_ = state.log_number;
    space.published(state.generation, state.locations);
    return follow();
  };
  try {
    Status status = both();
    if (!status) writer.committer().fail_for_good(status.error());
    if (!status) return status;
    in_doubt_ = nullptr;
    keep_embedded(std::move(embedded_in_doubt_));
    return status;
  } catch (const std::bad_alloc&) {
    writer.committer().fail_for_good();
    throw;
  }
}

std::unique_ptr<Contents> Publisher::make_successor(const Generation& generation) const {
  auto next = std::make_unique<Contents>(space);
  next->begin(generation.state, contents.target_bytes);
  // New numbers belong to edges that were validated or made here, old ones to the edges before.
  const bool same = generation.dictionary->view(0).continues(contents.dictionary->view(0));
  next->cross_validated = same ? contents.cross_validated : std::make_shared<std::atomic<bool>>(true);
  next->dictionary = generation.dictionary;
  next->set_removed(generation.removed);
  next->hold(generation.durable);
  return next;
}

void Publisher::take_over(Contents& successor, std::unique_ptr<Log> log) {
  writer.set_closed_at(0);
  successor.assume_alone();
  const MutexLock guard(contents.mutex);
  contents.take_over(successor);
  writer.committer().set_log(std::move(log), 0);
}

Status Publisher::install(Generation generation) {
  ManifestState& state = generation.state;
  state.log_number = take_number();
  RIZOMA_ASSIGN(auto log, make_log(state.log_number, writer.committer().log().next_sequence(), LogStart::anew));
  state.log_sequence = log->next_sequence();
  state.generation = contents.generation + 1;
  generation.durable.put_into(state);
  auto successor = make_successor(generation);
  RIZOMA_ASSIGN(const PreparedManifest manifest, prepare(state));
  RIZOMA_TRY(publish(state, manifest, std::make_shared<const Durable>(std::move(generation.durable)), [&]() -> Status {
    mutex.assume_held();
    writer.mutex.assume_held();
    take_over(*successor, std::move(log));
    return {};
  }));
  successor = nullptr;  // with the former content, whose space is free now
  remove_stale();
  return {};
}

Status Publisher::install_present(Durable durable, ManifestState state) {
  return install({std::move(durable), std::move(state), contents.dictionary, contents.removed});
}

void Publisher::remove_stale() {
  if (!writer.committer().healthy()) return;
  remove_stale_files(medium, file_number_);
  space.give_back(options.spare_percent);
}

}  // namespace rizoma
