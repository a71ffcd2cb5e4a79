#include "store/writing/transaction.h"

#include "base/check.h"
#include "base/radix_sort.h"
#include "store/columns/column_rules.h"
#include "store/columns/parallel_rules.h"
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
    return Error{ErrorCode::invalid_argument,
                 "the edges have weights, but the graph was created without; leave the weights out"};
  }
  if (type != WeightType::none && edges.weights.size() != edges.size()) {
    return Error{ErrorCode::invalid_argument,
                 "the graph has weights, but these edges have none; give each edge a weight"};
  }
  for (std::size_t i = 0; i < edges.weights.size(); ++i) {
    if (!weight_fits(type, edges.weights[i])) return refused_weight(type, edges.weights[i], i);
  }
  return {};
}

/// The edges as the graph has them: a weight that a row does not give is an absent one.
Result<EdgeBatch> prepared(const GraphSchema& schema, const EdgeBatch& given) {
  if (schema.rows) return complete_edges(schema, given);
  EdgeBatch weighted = given;
  std::erase_if(weighted.columns.columns, [&](const ColumnValues& column) {
    return schema.weights != WeightType::none && column.name == kWeightColumn;
  });
  RIZOMA_TRY(check_table(weighted.columns, given.size(), schema.edge_columns, "edges"));
  RIZOMA_ASSIGN(const std::vector<std::uint8_t> gives, weights_given(schema, given));
  for (std::size_t i = 0; i < gives.size(); ++i) {
    if (gives[i] == 0) weighted.weights[i] = kAbsentWeight;
  }
  return weighted;
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

void sort_unique(auto& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

Transaction::Transaction(Contents& contents, AccessGuard& access)
    : contents_(contents),
      staged_(contents),
      access_(access),
      first_removed_(contents_.staged_removed),
      vertices_(contents, payload_) {
  contents_.begin_staging();
}

Transaction::~Transaction() {
  if (!kept_) contents_.rollback(vertices_.first(), first_removed_);
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

void Transaction::change(ChangeKind kind, const Columns& columns) {
  if (columns.sources.empty()) return;
  const EdgeColumns edges{columns.sources, columns.targets, columns.weights};
  payload_.edges(kind, edges);
  contents_.stage(kind, edges);
}

Status Transaction::add_vertices(const IdColumn& ids, const ColumnTable& values) {
  if (size(ids) == 0) return {};
  RIZOMA_TRY(check_table(values, size(ids), contents_.schema.vertex_columns, "vertices"));
  RIZOMA_TRY(vertices_.expect_near({&ids}));
  RIZOMA_ASSIGN(const auto numbers, vertices_.number(ids));
  RIZOMA_TRY(vertices_.grow_to({numbers}));
  return values.empty() ? Status() : set_values(numbers, values);
}

Status Transaction::add_edges(const EdgeBatch& given) {
  RIZOMA_TRY(check_batch(given, contents_.schema.weights));
  const bool as_given = !contents_.schema.rows && given.columns.empty();
  EdgeBatch complete;
  if (!as_given) {
    RIZOMA_ASSIGN(complete, prepared(contents_.schema, given));
  }
  const EdgeBatch& edges = as_given ? given : complete;
  RIZOMA_TRY(vertices_.expect_near({&edges.sources, &edges.targets}));
  for (std::size_t begin = 0; begin < edges.size(); begin += kPieceEdges) {
    const std::size_t end = std::min(edges.size(), begin + kPieceEdges);
    RIZOMA_TRY(end - begin == edges.size() ? add_piece(edges) : add_piece(piece_of(edges, begin, end)));
    RIZOMA_TRY(advance(end - begin));
  }
  return {};
}

Status Transaction::add_piece(const EdgeBatch& edges) {
  Columns columns;
  RIZOMA_ASSIGN(columns.sources, vertices_.number(edges.sources));
  RIZOMA_ASSIGN(columns.targets, vertices_.number(edges.targets));
  RIZOMA_TRY(vertices_.grow_to({columns.sources, columns.targets}));
  columns.weights = edges.weights;
  if (contents_.schema.rows) {  // for now the number in the piece
    columns.weights.resize(edges.size());
    std::iota(columns.weights.begin(), columns.weights.end(), 0.0);
  }
  if (contents_.schema.self_loops == SelfLoops::drop)
    drop_self_loops(columns.sources, columns.targets, columns.weights);
  const bool keeps_some = contents_.schema.rows
                              ? leaves_values_out(contents_.schema, edges.columns)
                              : std::any_of(columns.weights.begin(), columns.weights.end(), is_absent_weight);
  if (keeps_some || combines(contents_.schema)) {
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
    return Error{ErrorCode::invalid_argument, "the graph was created without weights, so there are none to set"};
  }
  RIZOMA_TRY(check_batch(step.edges, contents_.schema.weights));
  RIZOMA_ASSIGN(const std::vector<std::uint8_t> gives_weight, weight_marks(step.edges));
  if (contents_.schema.rows) {
    Batch::Step values = step;
    values.edges.columns = weight_values(contents_.schema, step.edges.weights);
    ColumnValues& weights = values.edges.columns.columns.front();
    weights.given = weights.valid = gives_weight;
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
    if (!gives_weight.empty() && gives_weight[row] == 0) continue;
    columns.push(found.pairs[found.rows[row]]);
    columns.weights.push_back(step.edges.weights[row]);
    if (!counted[found.rows[row]]) counts_.weights_set += edges.size();
    counted[found.rows[row]] = true;
  }
  change(ChangeKind::set_weight, columns);
  return {};
}

/// Those of the step's vertices that exist, ascending, each once.
Result<std::vector<VertexId>> Transaction::find_vertices(const Batch::Step& step) {
  RIZOMA_ASSIGN(const auto numbers, contents_.dictionary->view(contents_.dictionary->size()).find(step.vertices));
  std::vector<VertexId> there;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (vertices_.contains(numbers[i])) {
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
  if (!contents_.schema.vertex_columns.empty()) {  // if they return, they have no values
    RIZOMA_TRY(stage_rows(RowKind::vertices, {}, gone.size(), gone));
  }
  counts_.vertices_removed += gone.size();
  return {};
}

}  // namespace rizoma
