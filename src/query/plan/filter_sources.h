// Where the predicates of a pattern read values: of one match, or of several vertices or edges at once.  Module: query.
#pragma once

#include <rizoma/match.h>

#include "predicate/evaluator.h"
#include "query/parse/query.h"

#include <cstddef>
#include <span>
#include <vector>

namespace rizoma::query {

/// The vertices and edges of one match, by number of their items.
class MatchSource final : public predicate::Source {
 public:
  MatchSource(std::span<const VertexId> vertices, std::span<const EdgeEntry> edges, const MatchColumns& columns)
      : vertices_(vertices), edges_(edges), columns_(columns) {}

  void load(const predicate::Slot& slot, bool units, std::size_t, std::size_t count, predicate::Values& to) override {
    predicate::load_scalars(slot.type, units, count, [&](std::size_t) { return value(slot); }, to);
  }

 private:
  [[nodiscard]] Scalar value(const predicate::Slot& slot) const {
    switch (source_of(slot)) {
      case SlotSource::vertex_id: return columns_.id(vertices_[slot.item]);
      case SlotSource::vertex_column: return columns_.of_vertex(slot.column, vertices_[slot.item]);
      case SlotSource::edge_column: break;
    }
    return columns_.of_edge(slot.column, edges_[slot.item]);
  }

  std::span<const VertexId> vertices_;
  std::span<const EdgeEntry> edges_;
  const MatchColumns& columns_;
};

/// One vertex a row, ascending, for any item of a predicate.
class VertexSource final : public predicate::Source {
 public:
  VertexSource(std::span<const VertexId> vertices, const MatchColumns& columns)
      : vertices_(vertices), columns_(columns) {}

  void load(const predicate::Slot& slot, bool units, std::size_t begin, std::size_t count,
            predicate::Values& to) override {
    const std::span<const VertexId> rows = vertices_.subspan(begin, count);
    if (source_of(slot) == SlotSource::vertex_column && load_together(slot, units, rows, to)) return;
    const auto read = [&](std::size_t i) -> Scalar {
      return source_of(slot) == SlotSource::vertex_id ? columns_.id(rows[i]) : columns_.of_vertex(slot.column, rows[i]);
    };
    predicate::load_scalars(slot.type, units, count, read, to);
  }

 private:
  bool load_together(const predicate::Slot& slot, bool units, std::span<const VertexId> rows, predicate::Values& to) {
    const ColumnRun run = columns_.run_of_vertices(slot.column, rows.front());
    if (rows.back() - rows.front() >= run.size) return false;
    predicate::load_rows(run, units, rows, rows.front(), to);
    return true;
  }

  std::span<const VertexId> vertices_;
  const MatchColumns& columns_;
};

/// One edge a row, for the one item of a predicate.
class EdgeSource final : public predicate::Source {
 public:
  /// `rows`: of these edges, where they are known; else none.
  EdgeSource(std::span<const EdgeEntry> edges, std::span<const std::uint64_t> rows, const MatchColumns& columns)
      : edges_(edges), rows_(rows), columns_(columns) {}

  void load(const predicate::Slot& slot, bool units, std::size_t begin, std::size_t count,
            predicate::Values& to) override {
    if (!rows_.empty() && column_width(slot.type) != 0) {
      const auto values = columns_.edge_rows()->kept_values(slot.column, rows_.subspan(begin, count));
      if (values) return predicate::load_run(run_of(*values, 0, count), units, 0, count, to);
    }
    const auto read = [&](std::size_t i) { return columns_.of_edge(slot.column, edges_[begin + i]); };
    predicate::load_scalars(slot.type, units, count, read, to);
  }

 private:
  std::span<const EdgeEntry> edges_;
  std::span<const std::uint64_t> rows_;
  const MatchColumns& columns_;
};

/// Some filters, evaluated for matches.  For one thread.
class MatchFilters {
 public:
  explicit MatchFilters(std::span<const Filter> filters) : filters_(filters) {
    for (const Filter& filter : filters) evaluators_.emplace_back(*filter.program);
  }

  /// Whether filter i is true of the source's values.
  [[nodiscard]] bool hold(std::size_t i, MatchSource& source) {
    std::uint8_t keep = 1;
    test(i, source, {&keep, 1});
    return keep != 0;
  }
  /// Clears those of `keep` for whose rows filter i is not true.
  void test(std::size_t i, predicate::Source& source, std::span<std::uint8_t> keep) {
    if (!evaluators_[i].test(source, keep)) filters_[i].failure->note(evaluators_[i].error());
  }

 private:
  std::span<const Filter> filters_;
  std::vector<predicate::Evaluator> evaluators_;
};

}  // namespace rizoma::query
