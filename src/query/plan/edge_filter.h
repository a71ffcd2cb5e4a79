// Tests the edges of a list against predicates on one edge alone, all at once.  Module: query.
//
// How: where the values lie in rows, these have been tested before (row_filter.h), and a bit is looked up.  Else a
// predicate runs over the values of its columns as stored, as far as they are together, or edge by edge.
#pragma once

#include <rizoma/match.h>

#include "query/plan/filter_sources.h"
#include "query/plan/row_filter.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::query {

/// For one thread.
class EdgeFilter {
 public:
  /// The filters speak of edge item 0 only, and outlive this.  `bits`, if not null: the rows for which they hold.
  EdgeFilter(std::span<const Filter> filters, const MatchColumns& columns, const RowBits* bits)
      : filters_(filters), columns_(columns), bits_(bits) {
    for (const Filter& filter : filters) evaluators_.emplace_back(*filter.program);
  }

  /// Whether all filters hold, for each of entries [begin, begin + keep.size()) of the list of a vertex.
  void run(VertexId source, EdgeCount begin, std::span<std::uint8_t> keep);

 private:
  void test_rows(VertexId source, EdgeCount begin, std::span<std::uint8_t> keep) const;
  /// How many values of all columns of a filter are together from an entry on, at most `most`; they are in `runs_`.
  std::size_t find_runs(const predicate::Program& program, EdgeEntry first, std::size_t most);

  std::span<const Filter> filters_;
  const MatchColumns& columns_;
  const RowBits* bits_;
  std::vector<predicate::Evaluator> evaluators_;  ///< of each filter
  std::vector<ColumnRun> runs_;                   ///< of each column of a filter
};

}  // namespace rizoma::query
