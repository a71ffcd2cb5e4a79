// PartitionMap: which edges of a load are together while its rounds are built.
//
// An edge has entries in the round of its source, in that of its target, or in both.  There is a cell for each pair
// of rounds, and an edge is in that of its two: a round reads the cells of its row and of its column, most cells
// are read twice, and all are written once (the grid of GridGraph, Zhu, Han and Chen, ATC 2015).  Devices read faster
// than they write.  Where that is too many cells, there is one for each round instead, and an edge is in that of
// each of its ends.
#pragma once

#include <rizoma/ids.h>

#include "store/loading/bulk_load_plan.h"
#include "store/loading/packed_edges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma::bulk {

/// The rounds of one end of the edges: which one a vertex is in.
class RoundsOfEnd {
 public:
  explicit RoundsOfEnd(const LoadPlan& plan) : granule_bits_(plan.granule_bits) {
    std::vector<std::uint32_t> of_piece;
    for (const Round& round : plan.rounds) {
      of_piece.resize(round.end_piece, static_cast<std::uint32_t>(vertices_.size()));
      vertices_.push_back(round.vertices);
    }
    of_granule_.reserve(plan.piece_of_granule.size());
    for (const std::uint32_t piece : plan.piece_of_granule) {
      of_granule_.push_back(piece < of_piece.size() ? of_piece[piece] : 0);
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return vertices_.size(); }
  [[nodiscard]] std::size_t of(VertexId v) const noexcept { return of_granule_[v >> granule_bits_]; }
  [[nodiscard]] VertexRange vertices(std::size_t round) const noexcept { return vertices_[round]; }

 private:
  std::vector<VertexRange> vertices_;
  std::vector<std::uint32_t> of_granule_;
  unsigned granule_bits_;
};

/// Which end of an edge has an entry.
enum class EdgeEnd { source, target };

class PartitionMap {
 public:
  /// Sources have entries in the rounds of `sources`, targets in those of `targets`: null, they have none; the same
  /// plan, the graph is undirected.  A cell for each pair of rounds if these are at most `most`.
  PartitionMap(const LoadPlan& sources, const LoadPlan* targets, VertexId num_vertices, std::size_t most)
      : num_vertices_(num_vertices), one_end_(targets == nullptr), symmetric_(targets == &sources) {
    rounds_.emplace_back(sources);
    if (!one_end_ && !symmetric_) rounds_.emplace_back(*targets);
    paired_ = !one_end_ && pairs() <= most;
  }

  /// Cells are numbered up to here; some of them are never used.
  [[nodiscard]] std::size_t size() const noexcept {
    if (paired_) return rows() * columns();
    return one_end_ || symmetric_ ? rows() : rows() + columns();
  }
  /// Those that are.
  [[nodiscard]] std::size_t used() const noexcept { return paired_ ? pairs() : size(); }

  /// Calls put(cell, edge) for each cell of the edge.
  template <class Record, class Put>
  void place(const Record& edge, Put&& put) const {
    const std::size_t row = rounds_.front().of(edge.source);
    if (one_end_) return put(row, edge);
    const std::size_t column = rounds_.back().of(edge.target);
    const Record turned{edge.target, edge.source, edge.weight};
    if (paired_) {
      const bool turn = symmetric_ && row > column;  // as likely as not: no branches
      const Record put_in{turn ? edge.target : edge.source, turn ? edge.source : edge.target, edge.weight};
      return put(turn ? pair(column, row) : pair(row, column), put_in);
    }
    put(row, edge);
    if (!symmetric_) return put(rows() + column, edge);
    if (row != column) put(column, turned);
  }

  /// What the ends of a cell's edges may be.
  [[nodiscard]] EndRanges ranges(std::size_t cell) const {
    const VertexRange all{0, num_vertices_};
    if (paired_) return {rounds_.front().vertices(cell / columns()), rounds_.back().vertices(cell % columns())};
    if (cell < rows()) return {rounds_.front().vertices(cell), all};
    return {all, rounds_.back().vertices(cell - rows())};
  }

  /// The cells whose edges have entries in a round of sources or targets; undirected: of sources.
  [[nodiscard]] std::vector<std::size_t> of_round(EdgeEnd end, std::size_t round) const {
    if (!paired_) return {end == EdgeEnd::source ? round : rows() + round};
    std::vector<std::size_t> cells;
    for (std::size_t other = 0; other < (end == EdgeEnd::source ? columns() : rows()); ++other) {
      const bool turned = end == EdgeEnd::target || (symmetric_ && other < round);
      cells.push_back(turned ? pair(other, round) : pair(round, other));
    }
    return cells;
  }
  /// How many rounds read a cell.
  [[nodiscard]] unsigned readers(std::size_t cell) const noexcept {
    return paired_ && !(symmetric_ && cell / columns() == cell % columns()) ? 2 : 1;
  }

 private:
  [[nodiscard]] std::size_t rows() const noexcept { return rounds_.front().size(); }
  [[nodiscard]] std::size_t columns() const noexcept { return rounds_.back().size(); }
  [[nodiscard]] std::size_t pair(std::size_t row, std::size_t column) const noexcept {
    return row * columns() + column;
  }
  [[nodiscard]] std::size_t pairs() const noexcept {
    return symmetric_ ? rows() * (rows() + 1) / 2 : rows() * columns();
  }

  VertexId num_vertices_;
  bool one_end_;         ///< sources alone have entries
  bool symmetric_;       ///< both ends have entries, in the same rounds
  bool paired_ = false;  ///< a cell for each pair of rounds
  std::vector<RoundsOfEnd> rounds_;
};

}  // namespace rizoma::bulk
