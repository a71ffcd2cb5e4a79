#include "store/writing/transaction.h"

#include "base/check.h"
#include "base/radix_sort.h"
#include "store/columns/column_rules.h"
#include "store/columns/parallel_rules.h"
#include "store/dictionary/dense_growth.h"
#include "store/dictionary/text_ids.h"
#include "store/sections/weight_rules.h"
#include "store/writing/missing.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace rizoma {
namespace {

Status check_batch(const EdgeBatch& edges, WeightType type) {
  RIZOMA_TRY(check_ends(edges));
  if (type == WeightType::none && !edges.weights.empty()) {
    return Error{ErrorCode::invalid_argument, "the edges have weights, but the graph was made without"};
  }
  if (type != WeightType::none && edges.weights.size() != edges.size()) {
    return Error{ErrorCode::invalid_argument, "the graph has weights: every edge needs one"};
  }
  for (std::size_t i = 0; i < edges.weights.size(); ++i) {
    if (!weight_fits(type, edges.weights[i])) return refused_weight(type, edges.weights[i], i);
  }
  return {};
}

/// True if an id lies so far beyond the `present` vertices of a dense graph that there have to be gaps, or nearly so.
bool names_far_id(const IdColumn& column, std::uint64_t edges, VertexId present) {
  const std::uint64_t limit = change_growth_limit(present, edges);
  const auto* ids = std::get_if<std::vector<std::int64_t>>(&column);
  // Strings and negative ids are refused with the reason by the dictionary.
  return ids != nullptr && std::any_of(ids->begin(), ids->end(), [&](std::int64_t id) {
           return id >= 0 && static_cast<std::uint64_t>(id) >= limit;
         });
}

/// Edges that are looked up, logged and staged at a time, between reports.
constexpr std::size_t kPieceEdges = std::size_t{1} << 19;

std::vector<std::int64_t> rows_of(const std::vector<std::int64_t>& ids, std::size_t begin, std::size_t end) {
  return {ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.begin() + static_cast<std::ptrdiff_t>(end)};
}

StringColumn rows_of(const StringColumn& ids, std::size_t begin, std::size_t end) {
  StringColumn rows;
  for (std::size_t i = begin; i < end; ++i) rows.push_back(ids[i]);
  return rows;
}

/// Edges [begin, end) of the batch.
EdgeBatch piece_of(const EdgeBatch& edges, std::size_t begin, std::size_t end) {
  const auto rows = [&](const auto& ids) { return IdColumn(rows_of(ids, begin, end)); };
  EdgeBatch piece{std::visit(rows, edges.sources), std::visit(rows, edges.targets), {}, {}};
  if (!edges.columns.empty()) {
    std::vector<std::uint64_t> numbers(end - begin);
    std::iota(numbers.begin(), numbers.end(), begin);
    piece.columns = take_rows(edges.columns, numbers);
  }
  if (edges.weights.empty()) return piece;
  const auto first = edges.weights.begin();
  piece.weights.assign(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end));
  return piece;
}

/// Leaves out edges from a vertex to itself.
void drop_self_loops(std::vector<VertexId>& sources, std::vector<VertexId>& targets, std::vector<double>& weights) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] == targets[i]) continue;
    sources[kept] = sources[i];
    targets[kept] = targets[i];
    if (!weights.empty()) weights[kept] = weights[i];
    ++kept;
  }
  sources.resize(kept);
  targets.resize(kept);
  if (!weights.empty()) weights.resize(kept);
}

/// Internal ids of all ids, new ones where they are not known yet.  Errors: also invalid_argument (one is no text).
Result<std::vector<VertexId>> numbers_of(Dictionary& dictionary, const IdColumn& ids) {
  const VertexId before = dictionary.size();
  RIZOMA_ASSIGN(std::vector<VertexId> numbers, dictionary.find_or_add(ids));
  if (const auto* texts = std::get_if<StringColumn>(&ids)) {
    RIZOMA_TRY(check_new_ids([&](std::size_t i) { return (*texts)[i]; }, numbers, before));
  }
  return numbers;
}

void sort_unique(auto& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

Transaction::Transaction(Contents& contents, AccessGuard& access)
    : contents_(contents),
      staged_(contents),
      access_(access),
      first_vertex_(contents_.dictionary->size()),
      first_removed_(contents_.staged_removed),
      logged_vertices_(first_vertex_),
      named_(contents_.schema.ids == IdKind::dense, first_vertex_) {
  contents_.begin_staging();
}

Transaction::~Transaction() {
  if (!kept_) contents_.rollback(first_vertex_, first_removed_);
}

Status Transaction::apply(const Batch::Step& step) {
  switch (step.kind) {
    case Batch::Kind::add_edges: return add_edges(step.edges);
    case Batch::Kind::remove_edges: RIZOMA_TRY(remove_edges(step)); break;
    case Batch::Kind::set_weights: RIZOMA_TRY(set_weights(step)); break;
    case Batch::Kind::add_vertices: RIZOMA_TRY(add_vertices(step.vertices, step.values)); break;
    case Batch::Kind::remove_vertices: RIZOMA_TRY(remove_vertices(step)); break;
    case Batch::Kind::set_edges: RIZOMA_TRY(set_edges(step)); break;
    case Batch::Kind::set_vertices: RIZOMA_TRY(set_vertices(step)); break;
  }
  return advance(size(step.vertices) + step.edges.size());
}

/// So many more rows of the change are done.
Status Transaction::advance(std::uint64_t rows) {
  rows_done_ += rows;
  if (executor_ == nullptr) return {};
  return WatchedExecutor(access_.changing, *executor_)
      .report("change", static_cast<double>(rows_done_), static_cast<double>(rows_));
}

// ---- adding ----

Status Transaction::expect_no_gaps() { return named_.all(contents_.dictionary->size()) ? Status() : refuse_gaps(); }

/// Where a far id needs no search for what is between.
Status Transaction::expect_near(std::initializer_list<const IdColumn*> columns) {
  if (contents_.schema.ids != IdKind::dense) return {};
  std::uint64_t ids = 0;
  for (const IdColumn* column : columns) ids += size(*column);
  for (const IdColumn* column : columns) {
    if (names_far_id(*column, (ids + 1) / 2, contents_.dictionary->size())) return refuse_gaps();
  }
  return {};
}

Status Transaction::refuse_gaps() {
  has_gaps_ = true;
  return Error{ErrorCode::invalid_argument, "the vertices' ids have gaps, and those of the graph are dense"};
}

/// Makes room for, and logs, the vertices that the dictionary has got.
Status Transaction::grow() {
  const VertexId size = contents_.dictionary->size();
  if (size == logged_vertices_) return {};
  RIZOMA_TRY(contents_.reserve(size));
  if (contents_.schema.ids == IdKind::dense) {
    payload_.vertices(size);
  } else {
    RIZOMA_ASSIGN(const IdColumn ids, contents_.dictionary->added_since(logged_vertices_));
    payload_.ids(ids);
  }
  logged_vertices_ = size;
  return {};
}

/// Whether the steps before have it.
bool Transaction::is_vertex(VertexId v) const {
  return v != kNoVertex && named_.has(v) && !contents_.staged_removed->contains(v);
}

/// Those of the vertices that were removed are there again.
void Transaction::restore(std::span<const VertexId> vertices) {
  if (contents_.staged_removed->count() == 0) return;
  std::vector<VertexId> back;
  std::copy_if(vertices.begin(), vertices.end(), std::back_inserter(back),
               [&](VertexId v) { return contents_.staged_removed->contains(v); });
  if (back.empty()) return;
  sort_unique(back);
  payload_.restore_vertices(back);
  contents_.staged_removed = std::make_shared<const RemovedVertices>(contents_.staged_removed->without(back));
}

void Transaction::change(ChangeKind kind, const Columns& columns) {
  if (columns.sources.empty()) return;
  const EdgeColumns edges{columns.sources, columns.targets, columns.weights};
  payload_.edges(kind, edges);
  contents_.stage(kind, edges);
}

Status Transaction::add_vertices(const IdColumn& ids, const ColumnTable& values) {
  if (size(ids) == 0) return {};
  RIZOMA_TRY(check_table(values, size(ids), contents_.schema.vertex_columns, "vertices"));
  RIZOMA_TRY(expect_near({&ids}));
  RIZOMA_ASSIGN(const auto numbers, numbers_of(*contents_.dictionary, ids));
  named_.note(numbers, contents_.dictionary->size());
  RIZOMA_TRY(grow());
  restore(numbers);
  return values.empty() ? Status() : set_values(numbers, values);
}

Status Transaction::add_edges(const EdgeBatch& given) {
  RIZOMA_TRY(check_batch(given, contents_.schema.weights));
  EdgeBatch complete;
  if (contents_.schema.rows) {
    RIZOMA_ASSIGN(complete, complete_edges(contents_.schema, given));
  } else {
    RIZOMA_TRY(check_table(given.columns, given.size(), contents_.schema.edge_columns, "edges"));
  }
  const EdgeBatch& edges = contents_.schema.rows ? complete : given;
  RIZOMA_TRY(expect_near({&edges.sources, &edges.targets}));
  for (std::size_t begin = 0; begin < edges.size(); begin += kPieceEdges) {
    const std::size_t end = std::min(edges.size(), begin + kPieceEdges);
    RIZOMA_TRY(end - begin == edges.size() ? add_piece(edges) : add_piece(piece_of(edges, begin, end)));
    RIZOMA_TRY(advance(end - begin));
  }
  return {};
}

Status Transaction::add_piece(const EdgeBatch& edges) {
  Columns columns;
  RIZOMA_ASSIGN(columns.sources, numbers_of(*contents_.dictionary, edges.sources));
  RIZOMA_ASSIGN(columns.targets, numbers_of(*contents_.dictionary, edges.targets));
  named_.note(columns.sources, contents_.dictionary->size());
  named_.note(columns.targets, contents_.dictionary->size());
  RIZOMA_TRY(grow());
  restore(columns.sources);
  restore(columns.targets);
  columns.weights = edges.weights;
  if (contents_.schema.rows) {  // for now the number in the piece
    columns.weights.resize(edges.size());
    std::iota(columns.weights.begin(), columns.weights.end(), 0.0);
  }
  if (contents_.schema.self_loops == SelfLoops::drop)
    drop_self_loops(columns.sources, columns.targets, columns.weights);
  if (combines(contents_.schema)) {
    RIZOMA_ASSIGN(CombinedEdges combined, combine_added(contents_, staged_, columns, edges.columns));
    counts_.edges_merged += combined.merged;
    if (contents_.schema.rows) RIZOMA_TRY(number_rows(combined.values, combined.edges));
    change(ChangeKind::add, combined.edges);
    return {};
  }
  if (contents_.schema.rows) RIZOMA_TRY(number_rows(edges.columns, columns));
  change(ChangeKind::add, columns);
  return {};
}

// ---- removing, weighing ----

Status Transaction::remove_edges(const Batch::Step& step) {
  RIZOMA_ASSIGN(const FoundEdges found, staged_.find_by_key(step));
  const bool kept = contents_.schema.parallel_edges == ParallelEdges::keep;
  const bool one = kept && step.parallel == Parallel::one;
  const bool singly = one || (kept && !step.key.empty());
  std::vector<std::size_t> left(found.weights.size());  // edges of each pair that rows before have not removed
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = found.weights[i].size();
  Columns columns;
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const std::span<const double> edges = found.weights[found.rows[row]];
    std::size_t& present = left[found.rows[row]];
    if (present == 0) {
      RIZOMA_TRY(missing_edge(counts_, step, row));
      continue;
    }
    const std::size_t stay = one ? present - 1 : 0;
    counts_.edges_removed += present - stay;
    if (!singly) columns.push(found.pairs[found.rows[row]]);
    for (std::size_t i = present; singly && i > stay; --i) {
      columns.push(found.pairs[found.rows[row]]);
      if (entry_weights(contents_.schema) != WeightType::none) columns.weights.push_back(edges[i - 1]);
    }
    present = stay;
  }
  change(singly ? ChangeKind::remove_one : ChangeKind::remove, columns);
  return {};
}

Status Transaction::set_weights(const Batch::Step& step) {
  if (contents_.schema.weights == WeightType::none) {
    return Error{ErrorCode::invalid_argument, "the graph was made without weights: there are none to set"};
  }
  RIZOMA_TRY(check_batch(step.edges, contents_.schema.weights));
  if (contents_.schema.rows) {
    Batch::Step values = step;
    values.edges.columns = weight_values(contents_.schema, step.edges.weights);
    return set_edges(values);
  }
  RIZOMA_ASSIGN(const FoundEdges found, staged_.find(step.edges));
  std::vector<bool> counted(found.pairs.size(), false);
  Columns columns;
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const std::span<const double> edges = found.weights[found.rows[row]];
    if (edges.empty()) {
      RIZOMA_TRY(missing_edge(counts_, step, row));
      continue;
    }
    columns.push(found.pairs[found.rows[row]]);
    columns.weights.push_back(step.edges.weights[row]);
    if (!counted[found.rows[row]]) counts_.weights_set += edges.size();
    counted[found.rows[row]] = true;
  }
  change(ChangeKind::set_weight, columns);
  return {};
}

/// Those of the step's vertices that are there, ascending, each once.
Result<std::vector<VertexId>> Transaction::find_vertices(const Batch::Step& step) {
  RIZOMA_ASSIGN(const auto numbers, contents_.dictionary->view(contents_.dictionary->size()).find(step.vertices));
  std::vector<VertexId> there;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (is_vertex(numbers[i])) {
      there.push_back(numbers[i]);
    } else if (step.missing == Missing::error) {
      return no_vertex(step, i);
    }
  }
  sort_unique(there);
  counts_.vertices_missing += numbers.size() - there.size();
  return there;
}

Status Transaction::remove_vertices(const Batch::Step& step) {
  if (size(step.vertices) == 0) return {};
  RIZOMA_ASSIGN(const std::vector<VertexId> gone, find_vertices(step));
  if (gone.empty()) return {};
  std::vector<EdgePair> edges;
  RIZOMA_TRY(staged_.edges_from(gone, edges));
  if (contents_.schema.directed) RIZOMA_TRY(staged_.edges_to(gone, edges));
  counts_.edges_removed += edges.size();
  sort_unique(edges);  // parallel ones go together
  Columns columns;
  for (const EdgePair& pair : edges) columns.push(pair);
  change(ChangeKind::remove, columns);
  payload_.remove_vertices(gone);
  contents_.staged_removed = std::make_shared<const RemovedVertices>(contents_.staged_removed->with(gone));
  if (!contents_.schema.vertex_columns.empty()) {  // should they come back, they have no values
    RIZOMA_TRY(stage_rows(RowKind::vertices, {}, gone.size(), gone));
  }
  counts_.vertices_removed += gone.size();
  return {};
}

}  // namespace rizoma
