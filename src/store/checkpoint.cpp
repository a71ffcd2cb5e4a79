// Store: moving the log into sections, and publishing.
#include "store/store.h"

#include "base/check.h"
#include "store/data_file.h"
#include "store/superblock.h"

#include <algorithm>
#include <string>
#include <utility>

namespace rizoma {

Result<std::shared_ptr<const ExtentLease>> Store::write_extent(std::span<const std::byte> bytes) {
  auto lease = std::make_shared<const ExtentLease>(extents_, extents_->allocate(bytes.size()));
  RIZOMA_TRY(data_->write(lease->extent().offset, bytes));
  return std::shared_ptr<const ExtentLease>(std::move(lease));
}

Result<SectionParts> Store::write_section(const SectionVersion& version, const SectionContext& context, bool rewrite,
                                          FoldMemory& memory) {
  SectionParts parts{version.parts().image, nullptr};
  if (rewrite) {
    RIZOMA_ASSIGN(const SectionBytes section, version.load(memory));
    // Folded bytes become an image by sealing; a mapped image (no changes) is copied as it is.
    std::vector<std::byte> image(section.bytes.begin(), section.bytes.end());
    const std::uint64_t id = seal_image(section.spec, image);
    RIZOMA_ASSIGN(auto lease, write_extent(image));
    parts.image = std::make_shared<StoredImage>(std::move(lease), id, section.spec.num_entries, section.spec.num_self_loops);
    return parts;
  }
  RIZOMA_ASSIGN(const std::vector<ChangeRun> runs, version.changes());
  const DeltaSpec spec{version.parts().section, context.direction, context.weights != WeightType::none,
                       version.num_changes(), version.parts().target_bound};
  const std::vector<std::byte> delta = encode_delta(spec, runs);
  RIZOMA_ASSIGN(auto lease, write_extent(delta));
  parts.delta = std::make_shared<StoredDelta>(std::move(lease), delta_id(delta), spec.num_entries);
  return parts;
}

Result<std::vector<SectionParts>> Store::write_sections(SectionTable& table, const StoreSnapshot::Versions& versions,
                                                        unsigned rewrite_percent) {
  FoldMemory memory;
  std::vector<SectionParts> sections = table.parts();
  if (sections.size() < versions.size()) sections.resize(versions.size());
  for (SectionId s = 0; s < versions.size(); ++s) {
    if (versions[s] == nullptr) continue;
    const SectionVersion& version = *versions[s];
    const std::uint64_t base = version.parts().image ? version.parts().image->num_entries() : 0;
    const bool rewrite = version.num_changes() > 0 && version.num_changes() * 100 >= base * rewrite_percent;
    if (!rewrite && version.parts().pending_count == 0) continue;
    RIZOMA_ASSIGN(sections[s], write_section(version, *table.context(), rewrite, memory));
  }
  return sections;
}

ManifestState Store::manifest_state(const Durable& durable) const {
  ManifestState state;
  state.schema = schema_;
  state.bits_fixed = bits_fixed_;
  state.order = order_;
  state.ordered_entries = ordered_entries_;
  state.num_vertices = num_vertices_;
  state.target_bytes = target_bytes_for(num_vertices_);
  state.out = to_entries(durable.out);
  state.in = to_entries(durable.in);
  for (const auto& lease : durable.dictionary) state.dictionary.push_back(lease->extent());
  return state;
}

/// What `state` names is durable in `data` already.
Result<Published> Store::publish(ManifestState& state) {
  const std::uint64_t number = next_file_number_++;
  state.generation = generation_ + 1;
  state.log_sequence = log_->next_sequence();
  RIZOMA_ASSIGN(Published published, write_manifest(*medium_, store_id_, state, number));
  if (auto status = write_superblock(*medium_, superblock_for(store_id_, state, number)); !status) {
    failure_ = Error{status.error().code, "no more changes can be made until the graph at " + medium_->describe() +
                                              " is opened anew: " + status.error().message};
    return *failure_;
  }
  return published;
}

/// Needs the state lock.
void Store::adopt(Published published, const ManifestState& state) {
  log_ = std::move(published.log);
  file_number_ = log_->number();
  manifest_end_ = published.manifest_end;
  checkpoint_at_ = options_.log_limit;
  generation_ = state.generation;
  snapshot_ = nullptr;
}

Status Store::checkpoint_locked(unsigned rewrite_percent) {
  RIZOMA_ASSIGN(const auto present, snapshot());
  Durable durable;
  RIZOMA_ASSIGN(durable.out, write_sections(*out_, present->parts().out, rewrite_percent));
  if (in_) {
    RIZOMA_ASSIGN(durable.in, write_sections(*in_, present->parts().in, rewrite_percent));
  }
  durable.dictionary = dictionary_extents_;
  const std::optional<DictionaryPlan> plan = dictionary_->plan();
  if (plan) {
    RIZOMA_ASSIGN(const std::vector<std::byte> segment, dictionary_->encode(*plan));
    durable.dictionary.resize(durable.dictionary.size() - plan->replaced);
    RIZOMA_ASSIGN(auto lease, write_extent(segment));
    durable.dictionary.push_back(std::move(lease));
  }
  RIZOMA_TRY(data_->sync());
  ManifestState state = manifest_state(durable);
  RIZOMA_ASSIGN(Published published, publish(state));
  if (plan) {
    RIZOMA_ASSIGN(Mapping segment, data_->map(durable.dictionary.back()->extent()));
    RIZOMA_TRY(dictionary_->publish(*plan, std::move(segment)));
  }
  {
    const std::lock_guard guard(state_mutex_);
    out_->replace(std::move(durable.out));
    if (in_) in_->replace(std::move(durable.in));
    dictionary_extents_ = std::move(durable.dictionary);
    adopt(std::move(published), state);
  }
  remove_stale_files(*medium_, file_number_);
  return {};
}

Status Store::checkpoint() {
  const std::lock_guard writer(writer_mutex_);
  RIZOMA_TRY(check_writable());
  return checkpoint_locked(options_.rewrite_percent);
}

/// The batch that made it due is durable whatever becomes of the checkpoint, so its errors wait:
/// they come again at the next explicit checkpoint or at close.
Status Store::checkpoint_if_due() {
  if (log_->end() < checkpoint_at_) return {};
  if (!checkpoint_locked(options_.rewrite_percent)) checkpoint_at_ = log_->end() + options_.log_limit;
  return {};
}

/// Replaces the whole content by `durable`, all of which is written but not synced.
Status Store::install(Durable durable, ManifestState state, std::shared_ptr<Dictionary> dictionary) {
  RIZOMA_TRY(data_->sync());
  RIZOMA_ASSIGN(Published published, publish(state));
  {
    const std::lock_guard guard(state_mutex_);
    schema_ = state.schema;
    order_ = state.order;
    target_bytes_ = std::max(target_bytes_, state.target_bytes);
    ordered_entries_ = state.ordered_entries;
    num_vertices_ = state.num_vertices;
    dictionary_ = std::move(dictionary);
    dictionary_extents_ = std::move(durable.dictionary);
    make_tables();
    out_->replace(std::move(durable.out));
    if (in_) in_->replace(std::move(durable.in));
    adopt(std::move(published), state);
  }
  remove_stale_files(*medium_, file_number_);
  return {};
}

Status Store::compact(Executor& executor, std::optional<VertexOrder> order, const LoadSettings& settings) {
  const std::lock_guard writer(writer_mutex_);
  RIZOMA_TRY(check_writable());
  if (!order) return checkpoint_locked(0);
  RIZOMA_ASSIGN(const auto present, snapshot());
  RIZOMA_ASSIGN(const GraphView view, present->view(executor));
  LoadSettings with_order = settings;
  with_order.order = *order;
  const auto target = make_load_target();
  return rebuild(load_schema(), view, present->ids(), with_order, executor, *target);
}

}  // namespace rizoma
