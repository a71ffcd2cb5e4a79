#include "store/publishing/snapshot.h"

#include "base/check.h"
#include "platform/process.h"

#include <string>

namespace rizoma {
namespace {

/// What keeps the bytes of a view alive.
struct ViewOwner {
  std::shared_ptr<const StoreSnapshot> snapshot;
  std::vector<std::uint32_t> no_edges;  ///< offsets of a section without edges
};

struct LoadedSections {
  std::vector<SectionBytes> sections;
  EdgeCount num_entries = 0;
  EdgeCount num_self_loops = 0;
};

/// Loads every section of one direction on the executor's threads.
Result<LoadedSections> load_all(const StoreSnapshot::Versions& versions, Executor& executor) {
  LoadedSections loaded;
  loaded.sections.resize(versions.size());
  FoldMemory memory;
  std::mutex mutex;
  std::optional<Error> failure;
  RIZOMA_TRY(executor.for_blocks(versions.size(), 1, [&](VertexRange block, unsigned) {
    for (SectionId s = block.begin; s < block.end; ++s) {
      if (versions[s] == nullptr) continue;
      auto section = versions[s]->load(memory);
      const std::lock_guard guard(mutex);
      if (section) {
        loaded.sections[s] = *section;
        loaded.num_entries += section->spec.num_entries;
        loaded.num_self_loops += section->spec.num_self_loops;
      } else if (!failure) {
        failure = std::move(section).error();
      }
    }
  }));
  if (failure) return *std::move(failure);
  return loaded;
}

template <class Target>
Adjacency<Target> adjacency(const LoadedSections& loaded, const StoreSnapshot::Parts& parts, const ViewOwner& owner) {
  std::vector<SectionEdges<Target>> sections;
  sections.reserve(loaded.sections.size());
  for (const SectionBytes& section : loaded.sections) {
    if (section.bytes.empty()) {
      sections.push_back({owner.no_edges.data(), nullptr, nullptr});
    } else {
      sections.push_back(view_image<Target>(section.spec, section.bytes));
    }
  }
  return Adjacency<Target>(parts.schema.section_bits, parts.num_vertices, std::move(sections));
}

}  // namespace

StoreSnapshot::StoreSnapshot(Parts parts, DictionaryView ids) noexcept
    : parts_(std::move(parts)), ids_(std::move(ids)), process_(process_id()) {}

Result<std::vector<VertexId>> StoreSnapshot::find(const IdColumn& ids) const {
  RIZOMA_ASSIGN(std::vector<VertexId> numbers, ids_.find(ids));
  if (parts_.removed->count() == 0) return numbers;
  for (VertexId& number : numbers) {
    if (!is_live(number)) number = kNoVertex;
  }
  return numbers;
}

const StoreSnapshot::Versions& StoreSnapshot::versions(Direction direction) const noexcept {
  return direction == Direction::in && schema().directed ? parts_.in : parts_.out;
}

template <class Target>
Result<GraphView::Parts> StoreSnapshot::parts_of_view(Executor& executor) const {
  auto owner = std::make_shared<ViewOwner>();
  owner->snapshot = shared_from_this();
  owner->no_edges.resize((std::size_t{1} << schema().section_bits) + 1);
  RIZOMA_ASSIGN(const LoadedSections out, load_all(parts_.out, executor));
  GraphView::Parts view;
  view.directed = schema().directed;
  view.weight_type = schema().weights;
  view.out = adjacency<Target>(out, parts_, *owner);
  if (schema().directed && schema().in_edges) {
    RIZOMA_ASSIGN(const LoadedSections in, load_all(parts_.in, executor));
    if (in.num_entries != out.num_entries) {
      return Error{ErrorCode::corrupt, "the graph has " + std::to_string(out.num_entries) + " edges but " +
                                           std::to_string(in.num_entries) + " in its transpose: run `rizoma check`"};
    }
    view.in = adjacency<Target>(in, parts_, *owner);
  }
  view.num_entries = out.num_entries;
  view.num_self_loops = out.num_self_loops;
  view.removed = parts_.removed->to_set(num_vertices());
  view.may_have_parallel_edges = schema().parallel_edges == ParallelEdges::keep;
  view.ordered_by_degree = parts_.ordered_by_degree;
  view.owner = std::move(owner);
  return view;
}

Result<GraphView> StoreSnapshot::view(Executor& executor) const {
  RIZOMA_ASSIGN(GraphView::Parts view, parts_.target_bytes == 4 ? parts_of_view<std::uint32_t>(executor)
                                                                : parts_of_view<std::uint64_t>(executor));
  return GraphView(std::move(view));
}

Result<std::pair<EdgeCount, EdgeCount>> StoreSnapshot::count_entries() const {
  RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
  if (!entries_) {
    FoldMemory memory;
    std::pair<EdgeCount, EdgeCount> sum;
    for (const auto& version : parts_.out) {
      if (version == nullptr) continue;
      RIZOMA_ASSIGN(const auto count, version->count(memory));
      sum.first += count.first;
      sum.second += count.second;
    }
    entries_ = sum;
  }
  return *entries_;
}

Result<EdgeCount> StoreSnapshot::num_edges() const {
  RIZOMA_ASSIGN(const auto counts, count_entries());
  return schema().directed ? counts.first : (counts.first + counts.second) / 2;
}

std::uint64_t StoreSnapshot::pending_entries() const noexcept {
  std::uint64_t changes = 0;
  for (const auto& version : parts_.out) {
    if (version != nullptr) changes += version->num_changes();
  }
  return changes;
}

std::vector<SectionInfo> StoreSnapshot::sections() const {
  std::vector<SectionInfo> sections;
  sections.reserve(parts_.out.size());
  for (const auto& version : parts_.out) {
    SectionInfo& info = sections.emplace_back();
    if (version == nullptr) continue;
    info.pending = version->num_changes();
    if (const auto& image = version->parts().image; image != nullptr) {
      info.image_entries = image->num_entries();
      info.image_bytes = image->extent().bytes;
    }
  }
  return sections;
}

namespace {

/// A list with changes merged in, which lies nowhere else.
struct MergedList {
  std::vector<VertexId> targets;
  std::vector<double> weights;
};

}  // namespace

Result<NeighborList> StoreSnapshot::neighbors(Direction direction, VertexId v) const {
  if (v >= num_vertices()) {
    return Error{ErrorCode::not_found, "there is no vertex with inner number " + std::to_string(v)};
  }
  if (direction == Direction::in && !has_in()) {
    return Error{ErrorCode::invalid_argument, "this graph was made without in-edges (in_edges=false)"};
  }
  const auto& version = versions(direction)[v >> schema().section_bits];
  const auto place = static_cast<std::uint32_t>(v & ((VertexId{1} << schema().section_bits) - 1));
  if (version == nullptr) return NeighborList();
  RIZOMA_ASSIGN(const std::optional<NeighborList> as_it_lies, version->list(place));
  if (as_it_lies) return *as_it_lies;
  auto merged = std::make_shared<MergedList>();
  RIZOMA_TRY(version->lists({&place, 1},
                            [&](std::uint32_t, std::span<const VertexId> targets, std::span<const double> weights) {
                              merged->targets.assign(targets.begin(), targets.end());
                              if (schema().weights != WeightType::none)
                                merged->weights.assign(weights.begin(), weights.end());
                            }));
  const WeightType type = schema().weights == WeightType::none ? WeightType::none : WeightType::float64;
  const MergedList& list = *merged;
  return NeighborList(list.targets.size(), list.targets.data(), 8, list.weights.data(), type, std::move(merged));
}

}  // namespace rizoma
