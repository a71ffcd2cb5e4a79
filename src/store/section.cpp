#include "store/section.h"

#include "base/check.h"
#include "store/data_file.h"
#include "store/format.h"
#include "store/messages.h"

#include <algorithm>
#include <new>
#include <string>

namespace rizoma {
namespace {

std::string place_of(const SectionContext& context, SectionId section, Extent extent, const char* what) {
  return context.where + " at byte " + std::to_string(extent.offset) + ": the " + what + " of section " +
         std::to_string(section) + (context.direction == Direction::out ? " (out)" : " (in)");
}

/// Verification of the bytes themselves, and whether they are what the manifest says.
Result<ImageSpec> verify(std::span<const std::byte> bytes, const SectionContext& context, std::uint32_t num_vertices,
                         const std::string& where) {
  RIZOMA_ASSIGN(const ImageSpec spec, verify_image(bytes, context.section_bits, where));
  if (spec.weights != context.weights || spec.num_vertices > num_vertices) {
    return corrupt(where, "does not fit the graph");
  }
  return spec;
}

Result<DeltaSpec> verify_change(std::span<const std::byte> bytes, const SectionContext& context,
                                std::uint32_t num_vertices, const std::string& where) {
  RIZOMA_ASSIGN(const DeltaSpec spec, verify_delta(bytes, num_vertices, where));
  if (spec.weighted != (context.weights != WeightType::none)) return corrupt(where, "does not fit the graph");
  return spec;
}

/// Appends the list of one vertex from an image.
template <class Target>
void append_list(const SectionBytes& section, std::uint32_t place, std::vector<VertexId>& targets,
                 std::vector<double>* weights) {
  const auto edges = view_image<Target>(section.spec, section.bytes);
  const std::uint32_t begin = edges.offsets[place];
  const std::uint32_t end = edges.offsets[place + 1];
  targets.insert(targets.end(), edges.targets + begin, edges.targets + end);
  if (weights == nullptr) return;
  const auto append = [&](const auto* column) { weights->insert(weights->end(), column + begin, column + end); };
  switch (section.spec.weights) {
    case WeightType::none: break;
    case WeightType::int32: append(static_cast<const std::int32_t*>(edges.weights)); break;
    case WeightType::float32: append(static_cast<const float*>(edges.weights)); break;
    case WeightType::float64: append(static_cast<const double*>(edges.weights)); break;
  }
}

/// A weight as a graph of this type would store it.
double narrowed(double weight, WeightType type) {
  return type == WeightType::float32 ? static_cast<double>(static_cast<float>(weight)) : weight;
}

}  // namespace

template <class Spec>
Result<typename StoredExtent<Spec>::Loaded> StoredExtent<Spec>::verified(const SectionContext& context,
                                                                         SectionId section,
                                                                         std::uint32_t num_vertices) const {
  constexpr bool kImage = std::is_same_v<Spec, ImageSpec>;
  const std::string where = place_of(context, section, extent(), kImage ? "image" : "delta");
  RIZOMA_ASSIGN(Mapping mapping, context.copy_extents ? context.data->copy(extent()) : context.data->map(extent()));
  if (mapping.bytes.size() < sizeof(format::ImageHeader)) return corrupt(where, "is cut short");
  Result<Spec> spec = Error{};
  std::uint64_t id = 0;
  if constexpr (kImage) {
    id = image_id(mapping.bytes);
    spec = verify(mapping.bytes, context, num_vertices, where);
  } else {
    id = delta_id(mapping.bytes);
    spec = verify_change(mapping.bytes, context, num_vertices, where);
  }
  if (!spec) return std::move(spec).error();
  if (id != id_ || spec->section != section || spec->direction != context.direction ||
      spec->num_entries != num_entries_) {
    return corrupt(where, "is not the one that the manifest names");
  }
  return Loaded{*std::move(spec), mapping.bytes, std::move(mapping.owner)};
}

template <class Spec>
Result<const typename StoredExtent<Spec>::Loaded*> StoredExtent<Spec>::load(const SectionContext& context,
                                                                            SectionId section,
                                                                            std::uint32_t num_vertices) const {
  if (!done_.load(std::memory_order_acquire)) {
    const std::lock_guard guard(mutex_);
    if (!done_.load(std::memory_order_relaxed)) {
      RIZOMA_ASSIGN(loaded_, verified(context, section, num_vertices));
      done_.store(true, std::memory_order_release);
    }
  }
  return &loaded_;
}

template class StoredExtent<ImageSpec>;
template class StoredExtent<DeltaSpec>;

/// True if the image can be read as it is.
bool SectionVersion::image_serves() const noexcept {
  return parts_.image != nullptr && num_changes() == 0;
}

Result<SectionBytes> SectionVersion::image_bytes() const {
  if (parts_.image == nullptr) return SectionBytes{};
  RIZOMA_ASSIGN(const StoredImage::Loaded* loaded, parts_.image->load(*context_, parts_.section, parts_.num_vertices));
  return SectionBytes{loaded->spec, loaded->bytes};
}

Result<std::vector<ChangeRun>> SectionVersion::changes() const {
  std::vector<ChangeRun> runs;
  if (parts_.delta != nullptr) {
    RIZOMA_ASSIGN(const StoredDelta::Loaded* loaded, parts_.delta->load(*context_, parts_.section, parts_.num_vertices));
    runs.push_back(view_delta(loaded->spec, loaded->bytes));
  }
  for (const PendingPart& part : parts_.pending) part.buffer->runs(part.count, runs);
  return runs;
}

Status SectionVersion::fold_once(FoldMemory& memory) const {
  if (folded_done_.load(std::memory_order_acquire)) return {};
  const std::lock_guard guard(mutex_);
  if (folded_done_.load(std::memory_order_relaxed)) return {};
  RIZOMA_ASSIGN(const SectionBytes image, image_bytes());
  RIZOMA_ASSIGN(const std::vector<ChangeRun> runs, changes());
  FoldInput input;
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
  try {
    RIZOMA_ASSIGN(folded_, fold(input, memory));
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, "not enough memory to fold the pending changes of section " +
                                               std::to_string(parts_.section) + ": compact the graph"};
  }
  folded_done_.store(true, std::memory_order_release);
  return {};
}

Result<SectionBytes> SectionVersion::load(FoldMemory& memory) const {
  if (image_serves()) {
    RIZOMA_ASSIGN(const SectionBytes image, image_bytes());
    if (image.spec.num_vertices == parts_.num_vertices && image.spec.target_bytes == parts_.target_bytes) return image;
  }
  RIZOMA_TRY(fold_once(memory));
  return SectionBytes{folded_.spec, folded_.span()};
}

Status SectionVersion::verify() const {
  if (const auto image = image_bytes(); !image) return image.error();
  if (const auto runs = changes(); !runs) return runs.error();
  return {};
}

Result<std::pair<EdgeCount, EdgeCount>> SectionVersion::count(FoldMemory& memory) const {
  if (image_serves()) return std::pair(parts_.image->num_entries(), parts_.image->num_self_loops());
  RIZOMA_ASSIGN(const SectionBytes section, load(memory));
  return std::pair(section.spec.num_entries, section.spec.num_self_loops);
}

Status SectionVersion::neighbors(std::uint32_t place, std::vector<VertexId>& targets,
                                 std::vector<double>* weights) const {
  SectionBytes base;
  std::vector<ChangeRun> runs;
  if (folded_done_.load(std::memory_order_acquire)) {
    base = {folded_.spec, folded_.span()};
  } else {
    RIZOMA_ASSIGN(base, image_bytes());
    RIZOMA_ASSIGN(runs, changes());
  }
  std::vector<VertexId> list;
  std::vector<double> list_weights;
  const bool weighted = context_->weights != WeightType::none;
  if (!base.bytes.empty() && place < base.spec.num_vertices) {
    const auto append = base.spec.target_bytes == 4 ? append_list<std::uint32_t> : append_list<std::uint64_t>;
    append(base, place, list, weighted ? &list_weights : nullptr);
  }
  for (const ChangeRun& run : runs) {
    for (std::size_t i = 0; i < run.words.size(); ++i) {
      if (change_place(run.words[i]) != place) continue;
      list.push_back(change_target(run.words[i]));
      if (weighted) list_weights.push_back(narrowed(run.weights[i], context_->weights));
    }
  }
  std::vector<std::size_t> order(list.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return list[a] < list[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool last = i + 1 == order.size() || list[order[i + 1]] != list[order[i]];
    if (context_->parallel_edges == ParallelEdges::merge && !last) continue;
    targets.push_back(list[order[i]]);
    if (weights != nullptr) weights->push_back(weighted ? list_weights[order[i]] : 1.0);
  }
  return {};
}

}  // namespace rizoma
