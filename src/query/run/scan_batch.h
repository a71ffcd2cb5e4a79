// The edges of a scan on their way: read from lists, tested a thousand at a time.  Module: query.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>

#include "predicate/evaluator.h"
#include "query/plan/filtered_adjacency.h"
#include "query/plan/row_filter.h"
#include "query/run/whole_columns.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace rizoma::query {

/// What a scan found: the vertices that the ends of the pattern's edge stand for, and the entries, in parallel.
struct ScannedEdges {
  std::span<const VertexId> from;
  std::span<const VertexId> to;
  std::span<const EdgeEntry> entries;
  std::span<const std::uint8_t> keep;  ///< 0: it is no match
};

/// What all threads of a scan share.
struct ScanState {
  const Query& query;
  const MatchColumns& columns;
  std::vector<Filter> filters;  ///< to test of each edge
  WholeColumns whole;
  bool has_rows = false;        ///< the lists name the row of each edge
  std::optional<RowBits> bits;  ///< the rows that predicates on the edge alone keep, if there are such
  bool is_part = false;         ///< the lists are those of some edges (filtered_adjacency.h)
};

/// The edges of a direction that one thread tests together; the sources of entries stand for `first`.
class ScanBatch final : public predicate::Source {
 public:
  ScanBatch(const ScanState& shared, unsigned first, unsigned second)
      : shared_(shared), first_(first), second_(second) {
    for (const Filter& filter : shared.filters) evaluators_.emplace_back(*filter.program);
    for (auto* const list : {&sources_, &targets_, &rows_}) list->resize(kTestedTogether);
    entries_.resize(kTestedTogether);
    keep_.resize(kTestedTogether);
  }

  /// True if it is full.
  bool add(EdgeEntry entry, VertexId target, std::uint64_t row) {
    entries_[size_] = entry;
    sources_[size_] = entry.source;
    targets_[size_] = target;
    rows_[size_] = row;
    return ++size_ == kTestedTogether;
  }

  void test(FunctionRef<void(const ScannedEdges&)> found) {
    if (size_ == 0) return;
    const std::span keep = std::span(keep_).first(size_);
    std::fill(keep.begin(), keep.end(), std::uint8_t{1});
    for (std::size_t i = 0; i < evaluators_.size(); ++i) {
      if (!evaluators_[i].test(*this, keep)) shared_.filters[i].failure->note(evaluators_[i].error());
    }
    const bool forwards = shared_.query.edges[0].from == first_;
    const std::span<const VertexId> sources = std::span(sources_).first(size_);
    const std::span<const VertexId> targets = std::span(targets_).first(size_);
    found({forwards ? sources : targets, forwards ? targets : sources, std::span(entries_).first(size_), keep});
    size_ = 0;
  }

  void load(const predicate::Slot& slot, bool units, std::size_t begin, std::size_t count,
            predicate::Values& to) override {
    const bool of_edge = source_of(slot) == SlotSource::edge_column;
    const std::uint64_t* const places = (of_edge ? rows_ : slot.item == first_ ? sources_ : targets_).data() + begin;
    if (const WholeColumn* const whole = shared_.whole.find(slot, units)) {
      return gather_values(*whole, count, to, [places](std::size_t i) { return places[i]; });
    }
    const auto value = [&](std::size_t i) -> Scalar {
      if (of_edge) return shared_.columns.of_edge(slot.column, entries_[begin + i]);
      if (source_of(slot) == SlotSource::vertex_id) return shared_.columns.id(places[i]);
      return shared_.columns.of_vertex(slot.column, places[i]);
    };
    predicate::load_scalars(slot.type, units, count, value, to);
  }

  /// Of the rows of edges; null: nothing was tested by rows.
  [[nodiscard]] const RowBits* bits() const noexcept { return shared_.bits ? &*shared_.bits : nullptr; }
  /// The rows of a vertex's edges, in the order of the graph's list; null: they are not asked for.
  [[nodiscard]] const double* rows_of(VertexId v) const {
    if (!shared_.has_rows) return nullptr;
    return shared_.columns.edge_rows()->lists()->with_out(
        [&](const auto& lists) { return lists.template weights<double>(v).data(); });
  }
  [[nodiscard]] bool is_part() const noexcept { return shared_.is_part; }
  [[nodiscard]] const VertexSet* set_of_first() const noexcept { return shared_.query.filter_of(first_); }
  [[nodiscard]] const VertexSet* set_of_second() const noexcept { return shared_.query.filter_of(second_); }

 private:
  static constexpr std::size_t kTestedTogether = 1024;

  const ScanState& shared_;
  unsigned first_;   ///< the vertex item that the sources of entries are
  unsigned second_;  ///< and the targets
  std::vector<predicate::Evaluator> evaluators_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> sources_;
  std::vector<std::uint64_t> targets_;
  std::vector<std::uint64_t> rows_;
  std::vector<EdgeEntry> entries_;
  std::vector<std::uint8_t> keep_;
};

/// Puts the entries of a list, or of a piece of one, into a batch, and tests it each time that it is full.
template <class Target>
void scan_list(ScanBatch& batch, const Adjacency<Target>& lists, const ListPiece& piece, bool without_loops,
               FunctionRef<void(const ScannedEdges&)> found) {
  const VertexId v = piece.vertex;
  if (piece.begin == piece.end) return;
  if (const VertexSet* const set = batch.set_of_first(); set != nullptr && !set->contains(v)) return;
  const VertexSet* const others = batch.set_of_second();
  const RowBits* const bits = batch.bits();
  const auto targets = lists.neighbors(v);
  const auto read = [&](EdgeCount i, EdgeCount place, std::uint64_t row) {
    if (bits != nullptr && !bits->holds(row)) return;
    const VertexId to = targets[i];
    if ((without_loops && to == v) || (others != nullptr && !others->contains(to))) return;
    if (batch.add({v, place}, to, row)) batch.test(found);
  };
  if (batch.is_part()) {
    const auto entries = lists.template weights<FilteredEntry>(v);
    for (EdgeCount i = piece.begin; i < piece.end; ++i) read(i, entries[i].place, entries[i].row);
    return;
  }
  const double* const rows = batch.rows_of(v);
  for (EdgeCount i = piece.begin; i < piece.end; ++i) read(i, i, rows == nullptr ? 0 : row_of(rows[i]));
}

}  // namespace rizoma::query
