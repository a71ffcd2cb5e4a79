#include "store/state/snapshot.h"

#include "base/check.h"
#include "platform/process.h"
#include "store/columns/column_rules.h"
#include "store/state/section_loading.h"
#include "store/validation/cross_validation.h"

#include <algorithm>
#include <mutex>
#include <string>

namespace rizoma {
namespace {

Error no_column(std::string_view name, std::string_view whose) {
  return {ErrorCode::not_found,
          "the " + std::string(whose) + " of this graph have no column '" + std::string(name) + "'"};
}

/// What keeps the bytes of a view alive.
struct ViewOwner {
  std::shared_ptr<const StoreSnapshot> snapshot;
  std::shared_ptr<const void> others;  ///< that of the parts
};

/// Offsets of a section without edges.
using NoEdges = std::vector<std::uint32_t>;

struct LoadedSections {
  std::vector<SectionView> sections;
  std::vector<const double*> rows;  ///< unpacked, of the sections that have them packed
  EdgeCount num_entries = 0;
  EdgeCount num_self_loops = 0;
  std::uint64_t edge_sum = 0;  ///< if it was asked for
};

/// Where runs of sections begin, and the end of the last one.  Threads take whole runs, of some MiB if there is enough
/// for all: the system maps the pages of one stretch of 2 MiB for one thread at a time.
std::vector<SectionId> runs_of(const StoreSnapshot::Versions& versions, unsigned threads) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;
  const std::uint64_t parts = 8 * std::uint64_t{threads};
  const auto bytes_of = [&](SectionId s) {
    return versions[s] != nullptr && versions[s]->parts().image ? versions[s]->parts().image->extent().bytes : 0;
  };
  std::uint64_t all = 0;
  for (SectionId s = 0; s < versions.size(); ++s) all += bytes_of(s);
  const std::uint64_t enough = std::min(kMostBytes, all / parts);
  const std::uint64_t most = std::max<std::uint64_t>(versions.size() / parts, 1);
  std::vector<SectionId> begins{0};
  std::uint64_t bytes = 0;
  for (SectionId s = 0; s < versions.size(); ++s) {
    bytes += bytes_of(s);
    if (bytes < enough && s + 1 - begins.back() < most && s + 1 < versions.size()) continue;
    begins.push_back(s + 1);
    bytes = 0;
  }
  return begins;
}

/// Loads every section of one direction on the executor's threads.
template <class Target>
Result<LoadedSections> load_all(const StoreSnapshot::Versions& versions, const GraphSchema& schema,
                                const Loading& loading, Executor& executor) {
  LoadedSections loaded;
  loaded.sections.resize(versions.size());
  loaded.rows.resize(versions.size());
  MergeArena memory;
  std::mutex mutex;
  std::optional<Error> failure;
  const std::vector<SectionId> runs = runs_of(versions, executor.threads());
  RIZOMA_TRY(executor.for_blocks(runs.size() - 1, 1, [&](VertexRange block, unsigned) {
    for (SectionId s = runs[block.begin]; s < runs[block.end]; ++s) {
      if (versions[s] == nullptr) continue;
      const auto section = load_one<Target>(*versions[s], schema, loading, memory);
      const std::lock_guard guard(mutex);
      if (section) {
        loaded.rows[s] = section->rows;
        loaded.sections[s] = section->view;
        loaded.num_entries += section->view.num_entries;
        loaded.num_self_loops += section->view.num_self_loops;
        loaded.edge_sum += section->edge_sum;
      } else if (!failure) {
        failure = section.error();
      }
    }
  }));
  if (failure) return *std::move(failure);
  return loaded;
}

template <class Target>
Adjacency<Target> adjacency(const LoadedSections& loaded, const StoreSnapshot::Versions& versions,
                            const StoreSnapshot::Parts& parts, const NoEdges& no_edges) {
  std::vector<SectionEdges<Target>> sections;
  sections.reserve(loaded.sections.size());
  for (SectionId s = 0; s < loaded.sections.size(); ++s) {
    const SectionView& section = loaded.sections[s];
    if (section.base.bytes.empty()) {
      sections.push_back({no_edges.data(), nullptr, nullptr});
    } else {
      sections.push_back(section_edges<Target>(section, loaded.rows[s]));
      if (versions[s]->elsewhere()) sections.back().targets = nullptr;  // where they would be is nothing
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
Result<GraphView::Parts> StoreSnapshot::parts_of_view(Executor& executor, Lists lists, bool with_rows,
                                                      EdgeSums* sums) const {
  const bool both = has_in();
  const Loading loading{lists == Lists::flat, with_rows, sums != nullptr && both};
  auto no_edges = std::make_shared<NoEdges>((std::size_t{1} << schema().section_bits) + 1);
  RIZOMA_ASSIGN(const LoadedSections out, load_all<Target>(parts_.out, schema(), loading, executor));
  GraphView::Parts view;
  view.directed = schema().directed;
  view.weight_type = entry_weights(schema());
  view.out = adjacency<Target>(out, parts_.out, parts_, *no_edges);
  if (schema().directed && schema().in_edges) {
    RIZOMA_ASSIGN(const LoadedSections in, load_all<Target>(parts_.in, schema(), loading, executor));
    if (in.num_entries != out.num_entries) {
      return Error{ErrorCode::corrupt, "the graph has " + std::to_string(out.num_entries) + " edges but " +
                                           std::to_string(in.num_entries) + " in-edges; run `rizoma check`"};
    }
    view.in = adjacency<Target>(in, parts_.in, parts_, *no_edges);
    if (sums != nullptr) sums->in = in.edge_sum;
  }
  if (sums != nullptr) sums->out = out.edge_sum;
  view.num_entries = out.num_entries;
  view.num_self_loops = out.num_self_loops;
  view.removed = parts_.removed->to_set(num_vertices());
  view.may_have_parallel_edges = schema().parallel_edges == ParallelEdges::keep;
  view.ordered_by_degree = parts_.ordered_by_degree;
  view.owner = std::move(no_edges);
  return view;
}

/// The first whole view of a store that has been opened proves that its edges agree; later ones rely on it.
Status StoreSnapshot::validate_once(const GraphView& view, const EdgeSums& sums, Executor& executor) const {
  RIZOMA_ASSIGN(const EdgeCount removed, entries_of_removed(view, executor));
  RIZOMA_ASSIGN(const EdgeCount wrong, weights_not_finite(view, executor));
  RIZOMA_TRY(judge_edges(sums, removed, wrong, view.directed()));
  parts_.cross_validated->store(true, std::memory_order_release);
  return {};
}

Result<GraphView::Parts> StoreSnapshot::unvalidated_parts(Executor& executor, Lists lists, bool with_rows,
                                                          EdgeSums* sums) const {
  return parts_.target_bytes == 4 ? parts_of_view<std::uint32_t>(executor, lists, with_rows, sums)
                                  : parts_of_view<std::uint64_t>(executor, lists, with_rows, sums);
}

Status StoreSnapshot::expect_whole() const {
  if (part() == nullptr || part()->parts == 1) return {};
  return Error{
      ErrorCode::unsupported,
      "only part " + std::to_string(part()->number) + " of " + std::to_string(part()->parts) +
          " of the graph is here, and this call needs the whole graph; open the store that the part was made from"};
}

Result<GraphView> StoreSnapshot::part_view(Executor& executor) const {
  if (part() == nullptr) return view(executor);
  if (schema().rows && schema().weights != WeightType::none) return part_view(executor, kWeightColumn);
  RIZOMA_ASSIGN(GraphView::Parts view, unvalidated_parts(executor, Lists::as_they_lie, false, nullptr));
  if (schema().rows) put_weights(view, nullptr);
  return owned(std::move(view));
}

Result<GraphView> StoreSnapshot::part_view(Executor& executor, std::string_view weight) const {
  if (part() == nullptr) return view(executor, weight);
  if (!schema().rows && weight == kWeightColumn && schema().weights != WeightType::none) return part_view(executor);
  const ColumnSchema* column = find_column(schema().edge_columns, weight);
  if (column == nullptr) return no_column(weight, "edges");
  RIZOMA_ASSIGN(GraphView::Parts view, unvalidated_parts(executor, Lists::flat, false, nullptr));
  return weighted(std::move(view), *column, executor);
}

Result<GraphView::Parts> StoreSnapshot::entry_parts(Executor& executor, Lists lists, bool with_rows) const {
  RIZOMA_TRY(expect_whole());
  if (parts_.cross_validated->load(std::memory_order_acquire))
    return unvalidated_parts(executor, lists, with_rows, nullptr);
  EdgeSums sums;
  RIZOMA_ASSIGN(GraphView::Parts view, unvalidated_parts(executor, lists, true, &sums));
  RIZOMA_TRY(validate_once(GraphView(view), sums, executor));
  return view;
}

Status StoreSnapshot::validate(Executor& executor) const {
  RIZOMA_TRY(expect_whole());
  if (parts_.cross_validated->load(std::memory_order_acquire)) return {};
  const auto view = entry_parts(executor, Lists::as_they_lie, true);
  return view ? Status() : Status(view.error());
}

Result<GraphView> StoreSnapshot::unvalidated_view(Executor& executor) const {
  RIZOMA_TRY(expect_whole());
  RIZOMA_ASSIGN(GraphView::Parts view, unvalidated_parts(executor, Lists::flat, true, nullptr));
  return owned(std::move(view));
}

Result<GraphView> StoreSnapshot::entry_view(Executor& executor) const {
  const Lists lists = schema().rows ? Lists::flat : Lists::as_they_lie;
  RIZOMA_ASSIGN(GraphView::Parts view, kept_parts(executor, lists, true));
  return owned(std::move(view));
}

/// A view of these parts, which keeps this state alive.
GraphView StoreSnapshot::owned(GraphView::Parts parts) const {
  parts.owner = std::make_shared<const ViewOwner>(ViewOwner{shared_from_this(), std::move(parts.owner)});
  return GraphView(std::move(parts));
}

/// Looking at every section for each call took longer than many a search.
Result<GraphView::Parts> StoreSnapshot::kept_parts(Executor& executor, Lists lists, bool with_rows) const {
  const std::size_t kind = (lists == Lists::flat ? 2 : 0) + (with_rows ? 1 : 0);
  std::shared_ptr<const GraphView::Parts> view;
  {
    RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
    guard.holds(mutex_);
    view = kept_[kind];
  }
  if (view == nullptr) {
    RIZOMA_ASSIGN(GraphView::Parts made, entry_parts(executor, lists, with_rows));
    view = std::make_shared<const GraphView::Parts>(std::move(made));
    RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
    guard.holds(mutex_);
    if (kept_[kind] == nullptr) kept_[kind] = view;
    view = kept_[kind];
  }
  return *view;  // a copy: others need not wait for that
}

Result<GraphView> StoreSnapshot::view(Executor& executor) const {
  if (!schema().rows) return entry_view(executor);
  if (schema().weights != WeightType::none) return view(executor, kWeightColumn);
  RIZOMA_ASSIGN(GraphView::Parts view, kept_parts(executor, Lists::as_they_lie, false));
  put_weights(view, nullptr);
  return owned(std::move(view));
}

Result<GraphView> StoreSnapshot::view(Executor& executor, std::string_view weight) const {
  if (!schema().rows && weight == kWeightColumn && schema().weights != WeightType::none) return entry_view(executor);
  const ColumnSchema* column = find_column(schema().edge_columns, weight);
  if (column == nullptr) return no_column(weight, "edges");
  RIZOMA_ASSIGN(GraphView::Parts view, entry_parts(executor, Lists::flat, false));
  return weighted(std::move(view), *column, executor);
}

Result<GraphView> StoreSnapshot::weighted(GraphView::Parts parts, const ColumnSchema& column,
                                          Executor& executor) const {
  RIZOMA_ASSIGN(std::shared_ptr<const ViewWeights> weights, weights_of(parts, column, executor));
  put_weights(parts, std::move(weights));
  return owned(std::move(parts));
}

/// Made once for a column; those of the last two are kept.
Result<std::shared_ptr<const ViewWeights>> StoreSnapshot::weights_of(const GraphView::Parts& view,
                                                                     const ColumnSchema& column,
                                                                     Executor& executor) const {
  constexpr std::size_t kKept = 2;
  {
    RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
    guard.holds(mutex_);
    for (const auto& [id, weights] : weights_) {
      if (id == column.id) return weights;
    }
  }
  RIZOMA_ASSIGN(auto weights, read_weights({view, parts_.out, parts_.in}, *parts_.edge_rows, column, executor));
  RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
  guard.holds(mutex_);
  if (weights_.size() == kKept) weights_.erase(weights_.begin());
  weights_.emplace_back(column.id, weights);
  return weights;
}

Result<ColumnValues> StoreSnapshot::edge_values(std::string_view name, std::span<const double> rows) const {
  const ColumnSchema* column = find_column(schema().edge_columns, name);
  if (column == nullptr) return no_column(name, "edges");
  const auto most = static_cast<double>(parts_.edge_rows->end());
  std::vector<std::uint64_t> numbers;
  numbers.reserve(rows.size());
  for (const double row : rows) {
    if (!(row >= 0 && row < most)) {
      return Error{ErrorCode::invalid_argument, "there is no row " + std::to_string(row) + " of edges"};
    }
    numbers.push_back(static_cast<std::uint64_t>(row));
  }
  return parts_.edge_rows->values(*column, numbers);
}

Result<ColumnValues> StoreSnapshot::values_between(std::string_view name, std::uint64_t begin,
                                                   std::uint64_t end) const {
  const ColumnSchema* column = find_column(schema().edge_columns, name);
  if (column == nullptr) return no_column(name, "edges");
  if (begin > end || end > num_rows()) {
    return Error{ErrorCode::invalid_argument,
                 "there are no rows " + std::to_string(begin) + ".." + std::to_string(end) + " of edges"};
  }
  return parts_.edge_rows->values_between(*column, begin, end);
}

Result<ColumnValues> StoreSnapshot::vertex_values(std::string_view name, std::span<const VertexId> vertices) const {
  const ColumnSchema* column = find_column(schema().vertex_columns, name);
  if (column == nullptr) return no_column(name, "vertices");
  RIZOMA_ASSIGN(const auto rows, parts_.vertex_rows->rows_of_vertices(vertices, num_vertices()));
  return parts_.vertex_rows->values(*column, rows);
}

Result<std::pair<EdgeCount, EdgeCount>> StoreSnapshot::count_entries() const {
  RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
  guard.holds(mutex_);
  if (!entries_) {
    MergeArena memory;
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
    } else if (const ImageSpec* section = version->in_memory()) {
      info.image_entries = section->num_entries;
      info.image_bytes = image_layout(*section).bytes;
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
  const bool with_rows = schema().rows && schema().weights != WeightType::none;
  RIZOMA_ASSIGN(const NeighborList list, list_of(direction, v, with_rows));
  if (!schema().rows) return list;
  if (schema().weights == WeightType::none) return list.with_weights(nullptr);
  const ColumnSchema* column = find_column(schema().edge_columns, kWeightColumn);
  const std::vector<double> rows =
      list.weight_type() == WeightType::none ? std::vector<double>(list.size(), 0.0) : list.weights();
  auto weights = std::make_shared<std::vector<double>>(list.size());
  RIZOMA_TRY(parts_.edge_rows->numbers(*column, rows, weights->data()));
  return list.with_weights(std::move(weights));
}

Result<NeighborList> StoreSnapshot::entries(Direction direction, VertexId v) const {
  return list_of(direction, v, true);
}

Result<NeighborList> StoreSnapshot::list_of(Direction direction, VertexId v, bool with_rows) const {
  if (v >= num_vertices()) {
    return Error{ErrorCode::not_found, "there is no vertex with internal id " + std::to_string(v)};
  }
  if (direction == Direction::in && !has_in()) {
    return Error{ErrorCode::invalid_argument, "this graph stores no in-edges; create it with in_edges=True"};
  }
  const auto& version = versions(direction)[v >> schema().section_bits];
  const auto place = static_cast<std::uint32_t>(v & ((VertexId{1} << schema().section_bits) - 1));
  if (version == nullptr) return NeighborList();
  RIZOMA_ASSIGN(const std::optional<NeighborList> as_it_lies, version->list(place, with_rows));
  if (as_it_lies) return *as_it_lies;
  auto merged = std::make_shared<MergedList>();
  RIZOMA_TRY(version->lists({&place, 1},
                            [&](std::uint32_t, std::span<const VertexId> targets, std::span<const double> weights) {
                              merged->targets.assign(targets.begin(), targets.end());
                              if (entry_weights(schema()) != WeightType::none)
                                merged->weights.assign(weights.begin(), weights.end());
                            }));
  const WeightType type = entry_weights(schema()) == WeightType::none ? WeightType::none : WeightType::float64;
  const MergedList& list = *merged;
  return NeighborList(list.targets.size(), list.targets.data(), 8, list.weights.data(), type, std::move(merged));
}

}  // namespace rizoma
