#include "store/sections/section.h"

#include "base/check.h"
#include "store/space/data_files.h"
#include "store/disk_format.h"
#include "store/messages.h"

#include <algorithm>
#include <new>
#include <span>
#include <string>

namespace rizoma {
namespace {

std::string described(const SectionContext& context, SectionId section, Extent extent, const char* what) {
  return context.data->where(extent.location) + " at byte " + std::to_string(extent.offset) + ": the " + what +
         " of section " + std::to_string(section) + (context.direction == Direction::out ? " (out)" : " (in)");
}

/// Calls f(targets, weight_at) with the list of one vertex in an image, in its true type; `without` is the weight where
/// the image has none.
template <class F>
void with_list(const SectionBytes& section, std::uint32_t place, double without, F&& f) {
  const auto typed = [&]<class Target>(Target) {
    const auto edges = view_image<Target>(section.spec, section.bytes);
    const std::uint32_t begin = edges.offsets[place];
    const RowNumbers rows(section.spec, section.bytes);
    const auto weight_at = [&, begin](std::size_t i) -> double {
      if (section.spec.row_bits != 0) return rows[begin + i];
      switch (section.spec.weights) {
        case WeightType::none: break;
        case WeightType::int32: return static_cast<const std::int32_t*>(edges.weights)[begin + i];
        case WeightType::float32: return static_cast<double>(static_cast<const float*>(edges.weights)[begin + i]);
        case WeightType::float64: return static_cast<const double*>(edges.weights)[begin + i];
      }
      return without;
    };
    f(std::span(edges.targets + begin, edges.targets + edges.offsets[place + 1]), weight_at);
  };
  section.spec.target_bytes == 4 ? typed(std::uint32_t{}) : typed(std::uint64_t{});
}

Error no_memory(SectionId section) {
  return {ErrorCode::out_of_memory, "not enough memory to merge the pending changes of section " +
                                        std::to_string(section) + "; compact the graph"};
}

/// The numbers of rows of entries [begin, end).
std::shared_ptr<const std::vector<double>> rows_of(const SectionBytes& section, std::size_t begin, std::size_t end) {
  auto rows = std::make_shared<std::vector<double>>(end - begin);
  double* const out = rows->data();
  RowNumbers(section.spec, section.bytes).for_each(begin, end, [out, begin](std::size_t i, double row) {
    out[i - begin] = row;
  });
  return rows;
}

bool has_list(const SectionBytes& section, std::uint32_t place) {
  return !section.bytes.empty() && place < section.spec.num_vertices;
}

/// Changes of a vertex's edges to itself, in the section whose vertices begin at `first`.
bool has_self_loop(std::span<const std::uint64_t> words, VertexId first) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::uint64_t word) { return change_target(word) == first + change_place(word); });
}

/// A weight as a graph of this type would store it.
double narrowed(double weight, WeightType type) {
  return type == WeightType::float32 ? static_cast<double>(static_cast<float>(weight)) : weight;
}

/// The weight of an entry that has none: row 0, or 1 in a graph without columns.
double weight_of_none(const SectionContext& context) noexcept { return context.rows ? 0.0 : 1.0; }

/// The changes that are to these places, by pair, those of a pair in order of arrival; words keep their places.
std::vector<Change<double>> changes_of(std::span<const std::uint32_t> places, std::span<const ChangeRun> runs,
                                       std::uint32_t num_vertices, const SectionContext& context) {
  std::vector<Change<double>> found;
  if (places.empty() || runs.empty()) return found;
  std::vector<bool> wanted(num_vertices, false);
  for (const std::uint32_t place : places) wanted[place] = true;
  for (const ChangeRun& run : runs) {
    for (std::size_t i = 0; i < run.words.size(); ++i) {
      if (!wanted[change_place(run.words[i])]) continue;
      found.push_back(
          {run.words[i], run.weights == nullptr ? weight_of_none(context) : narrowed(run.weights[i], context.weights)});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return pair_of(a.word) < pair_of(b.word); });
  return found;
}

/// The pending changes of each pair, buffer by buffer.
Result<std::vector<PendingIndex::Found>> find_pending(const SectionVersion::Parts& parts,
                                                      std::span<const std::uint64_t> pairs,
                                                      std::vector<PendingIndex>& indexes) {
  indexes.resize(parts.pending.size());
  std::vector<PendingIndex::Found> found;
  for (std::size_t k = 0; k < parts.pending.size(); ++k) {
    if (parts.pending[k].count >= PendingIndex::kMost) {
      return Error{ErrorCode::unsupported, "section " + std::to_string(parts.section) +
                                               " has too many pending changes to search; checkpoint the graph first"};
    }
    indexes[k].know(*parts.pending[k].buffer, parts.pending[k].count);
    found.push_back(indexes[k].find(*parts.pending[k].buffer, pairs));
  }
  return found;
}

/// Applies these changes of a buffer to the edges of their pair.
void apply_pending(const PendingBuffer& buffer, std::span<const std::uint32_t> changes, const SectionContext& context,
                   std::vector<double>& edges) {
  for (const std::uint32_t c : changes) {
    const double weight = buffer.weighted() ? narrowed(buffer.weight(c), context.weights) : weight_of_none(context);
    apply_change(change_kind(buffer.word(c)), weight, context.parallel_edges, edges);
  }
}

}  // namespace

template <class Spec>
Result<typename StoredExtent<Spec>::Loaded> StoredExtent<Spec>::verified(const SectionContext& context,
                                                                         const SectionFacts& facts,
                                                                         EntryReader* reader) const {
  constexpr bool kImage = std::is_same_v<Spec, ImageSpec>;
  const std::string where = described(context, facts.section, extent(), kImage ? "image" : "delta");
  if (context.part != nullptr && !context.part->has(facts.section)) return verified_head(context, facts, where);
  RIZOMA_ASSIGN(Mapping mapping, context.data->read(extent()));
  Result<Spec> spec = Error{};
  if constexpr (kImage) {
    spec = verify_image(mapping.bytes, context.section_bits, where, context.parallel_edges, reader);
  } else {
    spec = verify_delta(mapping.bytes, facts.num_vertices, where);
  }
  if (!spec) return std::move(spec).error();
  RIZOMA_TRY(validate(*spec, mapping.bytes, {id_, num_entries_, num_self_loops_}, facts, where));
  if constexpr (!kImage) {
    const VertexId first = facts.section << context.section_bits;
    if (context.self_loops == SelfLoops::drop && has_self_loop(view_delta(*spec, mapping.bytes).words, first)) {
      return corrupt(where, "holds self-loops, but the graph has none");
    }
  }
  return Loaded{*std::move(spec), mapping.bytes, std::move(mapping.owner)};
}

/// Of a section of another part of the graph.
template <class Spec>
Result<typename StoredExtent<Spec>::Loaded> StoredExtent<Spec>::verified_head(const SectionContext& context,
                                                                              const SectionFacts& facts,
                                                                              const std::string& where) const {
  if constexpr (std::is_same_v<Spec, ImageSpec>) {
    RIZOMA_ASSIGN(Mapping mapping, context.data->view(extent()));
    const std::uint64_t head = context.part->head(facts.section, context.direction);
    RIZOMA_ASSIGN(const ImageSpec spec, verify_image_head(mapping.bytes, context.section_bits, head, where));
    RIZOMA_TRY(validate(spec, mapping.bytes, {id_, num_entries_, num_self_loops_}, facts, where));
    return Loaded{spec, mapping.bytes, std::move(mapping.owner)};
  } else {
    return corrupt(where, "belongs to another part of the graph, and should be in its image");
  }
}

template <class Spec>
Result<const typename StoredExtent<Spec>::Loaded*> StoredExtent<Spec>::load(const SectionContext& context,
                                                                            const SectionFacts& facts,
                                                                            EntryReader* reader) const {
  if (!done_.load(std::memory_order_acquire)) {
    RIZOMA_ASSIGN(const auto guard, lock_in(context.process, mutex_));
    if (!done_.load(std::memory_order_relaxed)) {
      RIZOMA_ASSIGN(loaded_, verified(context, facts, reader));
      done_.store(true, std::memory_order_release);
    }
  }
  // A larger graph may have been the first to load it.
  if (loaded_.spec.target_bound > facts.graph_vertices) {
    return corrupt(described(context, facts.section, extent(), "section"),
                   "names vertices that the graph does not have");
  }
  return &loaded_;
}

template class StoredExtent<ImageSpec>;
template class StoredExtent<DeltaSpec>;

SectionFacts SectionVersion::facts() const noexcept {
  return {.section = parts_.section,
          .direction = context_->direction,
          .num_vertices = parts_.num_vertices,
          .graph_vertices = parts_.target_bound,
          .target_bytes = parts_.target_bytes,
          .weights = context_->weights,
          .rows = context_->rows,
          .self_loops = context_->self_loops};
}

Status SectionVersion::expect_here() const {
  if (!elsewhere()) return {};
  const Part& part = *context_->part;
  return Error{ErrorCode::unsupported, "the neighbours of these vertices are in part " +
                                           std::to_string(part.owners[parts_.section]) +
                                           " of the graph, but only part " + std::to_string(part.number) + " is here"};
}

/// Whether the image can be read in place.
bool SectionVersion::image_serves() const noexcept { return parts_.image != nullptr && num_changes() == 0; }

Result<SectionBytes> SectionVersion::image_bytes() const {
  if (parts_.image == nullptr) return SectionBytes{};
  RIZOMA_ASSIGN(const StoredImage::Loaded* loaded, parts_.image->load(*context_, facts()));
  return SectionBytes{loaded->spec, loaded->bytes};
}

/// The delta's.
Result<std::vector<ChangeRun>> SectionVersion::stored_changes() const {
  if (parts_.delta == nullptr) return std::vector<ChangeRun>();
  RIZOMA_ASSIGN(const StoredDelta::Loaded* loaded, parts_.delta->load(*context_, facts()));
  return std::vector{view_delta(loaded->spec, loaded->bytes)};
}

Result<std::vector<ChangeRun>> SectionVersion::changes() const { return changes_since(0); }

/// Without the first `first`.
Result<std::vector<ChangeRun>> SectionVersion::changes_since(std::uint64_t first) const {
  RIZOMA_ASSIGN(std::vector<ChangeRun> runs, stored_changes());
  for (const PendingPart& part : parts_.pending) part.buffer->runs(part.count, runs);
  auto run = runs.begin();
  for (; run != runs.end() && run->words.size() <= first; ++run) first -= run->words.size();
  runs.erase(runs.begin(), run);
  if (first > 0) {
    runs.front().words = runs.front().words.subspan(first);
    if (runs.front().weights != nullptr) runs.front().weights += first;
  }
  return runs;
}

MergeInput SectionVersion::merge_input(const SectionBytes& image, std::span<const ChangeRun> runs) const noexcept {
  MergeInput input;
  input.shape.section = parts_.section;
  input.shape.direction = context_->direction;
  input.shape.target_bytes = parts_.target_bytes;
  input.shape.weights = context_->weights;
  input.shape.num_vertices = parts_.num_vertices;
  input.shape.target_bound = parts_.target_bound;
  input.section_bits = context_->section_bits;
  input.parallel_edges = context_->parallel_edges;
  input.image_spec = image.spec;
  input.image = image.bytes;
  input.changes = runs;
  return input;
}

Status SectionVersion::merge_once(MergeArena& memory) const {
  if (merge_done_.load(std::memory_order_acquire)) return {};
  RIZOMA_ASSIGN(const auto guard, lock_in(context_->process, mutex_));
  if (merge_done_.load(std::memory_order_relaxed)) return {};
  RIZOMA_ASSIGN(const SectionBytes base, base_of_view());
  RIZOMA_ASSIGN(const std::vector<ChangeRun> runs, changes_since(former_ == nullptr ? 0 : former_->base_changes));
  try {
    RIZOMA_ASSIGN(merged_image_, merge_section(merge_input(base, runs), memory));
  } catch (const std::bad_alloc&) {
    return no_memory(parts_.section);
  }
  merge_done_.store(true, std::memory_order_release);
  return {};
}

Result<SectionBytes> SectionVersion::load(MergeArena& memory) const {
  if (image_serves()) {
    RIZOMA_ASSIGN(const SectionBytes image, image_bytes());
    if (fits(image.spec)) return image;
  }
  RIZOMA_TRY(merge_once(memory));
  return SectionBytes{merged_image_.spec, merged_image_.span()};
}

/// Whether a view could read an image without changes as stored.
bool SectionVersion::fits(const ImageSpec& image) const noexcept {
  return image.num_vertices == parts_.num_vertices && image.target_bytes == parts_.target_bytes &&
         image.weights == context_->weights;
}

/// Unless the graph has grown since, which needs more.
std::shared_ptr<const MergedSection> SectionVersion::fitting(
    std::shared_ptr<const MergedSection> former) const noexcept {
  const bool fits = former != nullptr && former->num_vertices == parts_.num_vertices &&
                    former->target_bytes == parts_.target_bytes && former->changes <= num_changes();
  return fits ? std::move(former) : nullptr;
}

/// The image below the changed lists; empty if there is none yet.
Result<SectionBytes> SectionVersion::base_of_view() const {
  if (former_ == nullptr || !former_->base) return image_bytes();
  return SectionBytes{former_->base->spec, former_->base->span()};
}

/// Merges a section in memory again, because reading a few lists elsewhere is slower.
MergeLimits SectionVersion::limits_over(const SectionBytes& base) const noexcept {
  constexpr EdgeCount kOfImage = 2;  // the part of the base that lists may be
  constexpr EdgeCount kOfMerged = 8;
  const bool merged = former_ != nullptr && former_->base;
  MergeLimits limits;
  limits.most = base.spec.num_entries / (merged ? kOfMerged : kOfImage);
  if (context_->rows) limits.great = MergeLimits::kNeverGreat;
  return limits;
}

Status SectionVersion::lay_over_once(const SectionBytes& base, MergeArena& memory) const {
  if (overlay_done_.load(std::memory_order_acquire)) return {};
  RIZOMA_ASSIGN(const auto guard, lock_in(context_->process, mutex_));
  if (overlay_done_.load(std::memory_order_relaxed)) return {};
  RIZOMA_ASSIGN(const std::vector<ChangeRun> runs, changes_since(former_ == nullptr ? 0 : former_->changes));
  const MergedLists* const former =
      former_ == nullptr || former_->overlay == nullptr ? nullptr : &former_->overlay->merged();
  try {
    auto lists = merge_lists(merge_input(base, runs), limits_over(base), former, memory);
    if (lists) {
      auto merged = std::make_shared<MergedSection>();
      if (former_ != nullptr) merged->base = former_->base;
      if (former_ != nullptr) merged->base_changes = former_->base_changes;
      merged->overlay = std::make_shared<const Overlay>(*std::move(lists));
      merged->changes = num_changes();
      merged->num_vertices = parts_.num_vertices;
      merged->target_bytes = parts_.target_bytes;
      merged_ = std::move(merged);
    }
  } catch (const std::bad_alloc&) {
    return no_memory(parts_.section);
  }
  overlay_done_.store(true, std::memory_order_release);
  return {};
}

Result<SectionView> SectionVersion::view(MergeArena& memory) const {
  if (num_changes() > 0 && !merge_done_.load(std::memory_order_acquire)) {
    RIZOMA_ASSIGN(const SectionBytes base, base_of_view());
    if (!base.bytes.empty() && fits(base.spec)) {
      RIZOMA_TRY(lay_over_once(base, memory));
      if (merged_ != nullptr) {
        const Overlay& overlay = *merged_->overlay;
        return SectionView{base, &overlay.lists(), overlay.num_entries(), overlay.num_self_loops()};
      }
    }
  }
  RIZOMA_ASSIGN(const SectionBytes section, load(memory));
  return SectionView{section, nullptr, section.spec.num_entries, section.spec.num_self_loops};
}

std::shared_ptr<const MergedSection> SectionVersion::merged() const {
  if (num_changes() == 0) return nullptr;
  if (merge_done_.load(std::memory_order_acquire)) {
    auto merged = std::make_shared<MergedSection>();
    merged->base = merged_image_;
    merged->base_changes = num_changes();
    merged->changes = num_changes();
    merged->num_vertices = parts_.num_vertices;
    merged->target_bytes = parts_.target_bytes;
    return merged;
  }
  return overlay_done_.load(std::memory_order_acquire) && merged_ != nullptr ? merged_ : former_;
}

Status SectionVersion::verify_for(EntryReader& reader) const {
  if (!image_serves()) return {};
  const auto loaded = parts_.image->load(*context_, facts(), &reader);
  return loaded ? Status() : Status(loaded.error());
}

Status SectionVersion::verify() const {
  if (const auto image = image_bytes(); !image) return image.error();
  if (const auto runs = changes(); !runs) return runs.error();
  return {};
}

Result<std::pair<EdgeCount, EdgeCount>> SectionVersion::count(MergeArena& memory) const {
  if (image_serves()) return std::pair(parts_.image->num_entries(), parts_.image->num_self_loops());
  RIZOMA_ASSIGN(const SectionView section, view(memory));
  return std::pair(section.num_entries, section.num_self_loops);
}

/// Whether all that was searched for single lists is more than a merge would read.
bool SectionVersion::merging_pays() const noexcept {
  const std::uint64_t entries = parts_.image ? parts_.image->num_entries() : 0;
  const std::uint64_t once = num_changes() + parts_.num_vertices / 64;
  return searched_.fetch_add(once, std::memory_order_relaxed) > entries + num_changes() + parts_.num_vertices;
}

Result<std::optional<NeighborList>> SectionVersion::list(std::uint32_t place, bool with_rows) const {
  RIZOMA_TRY(expect_here());
  SectionBytes section;
  const DeltaLists* changed = nullptr;
  if (in_memory() != nullptr) {
    section = {merged_image_.spec, merged_image_.span()};
  } else if (num_changes() == 0) {
    RIZOMA_ASSIGN(section, image_bytes());
  } else {
    const bool merged = merge_done_.load(std::memory_order_acquire) ||
                        (overlay_done_.load(std::memory_order_acquire) && merged_ != nullptr);
    if (!merged && !merging_pays()) return std::optional<NeighborList>();
    MergeArena memory;
    RIZOMA_ASSIGN(const SectionView as_it_lies, view(memory));
    section = as_it_lies.base;
    changed = as_it_lies.changed;
  }
  if (!has_list(section, place)) return std::optional(NeighborList());
  const auto typed = [&]<class Target>(Target) {
    auto edges = view_image<Target>(section.spec, section.bytes);
    edges.changed = changed;
    const auto list = edges.list(place);
    const bool as_in_image = changed == nullptr || !changed->has(place);
    if (section.spec.row_bits != 0 && as_in_image) {
      auto rows = with_rows ? rows_of(section, list.begin, list.end) : nullptr;
      const double* const values = rows == nullptr ? nullptr : rows->data();
      const WeightType type = values == nullptr ? WeightType::none : WeightType::float64;
      return NeighborList(list.end - list.begin, list.targets + list.begin, sizeof(Target), values, type,
                          std::move(rows));
    }
    const std::size_t width = section.spec.weights == WeightType::float64 ? 8 : 4;
    const void* weights =
        list.weights == nullptr ? nullptr : static_cast<const std::byte*>(list.weights) + list.begin * width;
    return NeighborList(list.end - list.begin, list.targets + list.begin, sizeof(Target), weights, section.spec.weights,
                        nullptr);
  };
  return std::optional(section.spec.target_bytes == 4 ? typed(std::uint32_t{}) : typed(std::uint64_t{}));
}

Status SectionVersion::lists(std::span<const std::uint32_t> places, ListVisitor visit) const {
  RIZOMA_TRY(expect_here());
  const bool merged = merge_done_.load(std::memory_order_acquire);
  SectionBytes base;
  if (merged) {
    base = {merged_image_.spec, merged_image_.span()};
  } else {
    RIZOMA_ASSIGN(base, image_bytes());
  }
  std::vector<ChangeRun> runs;
  if (!merged) {
    RIZOMA_ASSIGN(runs, changes());
  }
  const std::vector<Change<double>> changes = changes_of(places, runs, parts_.num_vertices, *context_);
  std::vector<VertexId> targets;
  std::vector<double> weights, group;
  auto change = changes.begin();
  for (const std::uint32_t place : places) {
    const auto first = change;
    while (change != changes.end() && change_place(change->word) == place) ++change;
    targets.clear();
    weights.clear();
    const auto merge = [&](const auto& list, const auto& weight_at) {
      merge_changes<double>(
          list.size(), [&](std::size_t i) { return VertexId{list[i]}; }, weight_at, std::span(first, change),
          context_->parallel_edges, group,
          [&](VertexId target, double weight) {
            targets.push_back(target);
            weights.push_back(weight);
          });
    };
    if (has_list(base, place)) {
      with_list(base, place, weight_of_none(*context_), merge);
    } else {
      merge(std::span<const VertexId>(), [&](std::size_t) { return weight_of_none(*context_); });
    }
    visit(place, targets, weights);
  }
  return {};
}

Status SectionVersion::find(std::span<const std::uint64_t> pairs, std::vector<PendingIndex>& indexes,
                            PairWeights& found) const {
  RIZOMA_ASSIGN(const SectionBytes base, image_bytes());
  RIZOMA_ASSIGN(const std::vector<ChangeRun> stored, stored_changes());
  RIZOMA_ASSIGN(const std::vector<PendingIndex::Found> pending, find_pending(parts_, pairs, indexes));
  std::vector<std::uint32_t> places(pairs.size());
  std::transform(pairs.begin(), pairs.end(), places.begin(), change_place);
  const std::vector<Change<double>> changes = changes_of(places, stored, parts_.num_vertices, *context_);
  std::vector<double> edges;
  auto change = changes.begin();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    edges.clear();
    if (has_list(base, places[i])) {
      with_list(base, places[i], weight_of_none(*context_), [&](const auto& list, const auto& weight_at) {
        const auto range = std::equal_range(list.begin(), list.end(), change_target(pairs[i]));
        for (auto at = range.first; at != range.second; ++at)
          edges.push_back(weight_at(static_cast<std::size_t>(at - list.begin())));
      });
    }
    while (change != changes.end() && pair_of(change->word) < pairs[i]) ++change;
    for (; change != changes.end() && pair_of(change->word) == pairs[i]; ++change) {
      apply_change(change_kind(change->word), change->weight, context_->parallel_edges, edges);
    }
    for (std::size_t k = 0; k < pending.size(); ++k)
      apply_pending(*parts_.pending[k].buffer, pending[k].of(i), *context_, edges);
    found.push(edges);
  }
  return {};
}

Result<const double*> SectionVersion::unpacked_rows(const SectionBytes& section, MergeArena& memory) const {
  const double* none = nullptr;
  if (section.spec.row_bits == 0) return none;
  RIZOMA_ASSIGN(const auto guard, lock_in(context_->process, mutex_));
  if (rows_ == nullptr) {
    std::shared_ptr<std::byte> bytes;
    try {
      bytes = memory.take(section.spec.num_entries * sizeof(double));
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::out_of_memory, "not enough memory for the row numbers of section " +
                                                 std::to_string(parts_.section) + "; free some, or read less at once"};
    }
    auto* const out = reinterpret_cast<double*>(bytes.get());
    RowNumbers(section.spec, section.bytes).for_each(0, section.spec.num_entries, [out](std::size_t i, double row) {
      out[i] = row;
    });
    rows_ = std::move(bytes);
  }
  return reinterpret_cast<const double*>(rows_.get());
}

Result<std::shared_ptr<const std::byte>> SectionVersion::kept_values(std::uint32_t column) const {
  RIZOMA_ASSIGN(const auto guard, lock_in(context_->process, mutex_));
  for (const auto& [id, values] : values_) {
    if (id == column) return values;
  }
  return std::shared_ptr<const std::byte>();
}

Status SectionVersion::keep_values(std::uint32_t column, std::shared_ptr<const std::byte> values) const {
  constexpr std::size_t kKept = 2;
  RIZOMA_ASSIGN(const auto guard, lock_in(context_->process, mutex_));
  std::erase_if(values_, [&](const auto& each) { return each.first == column; });
  if (values_.size() == kKept) values_.erase(values_.begin());
  values_.emplace_back(column, std::move(values));
  return {};
}

}  // namespace rizoma
