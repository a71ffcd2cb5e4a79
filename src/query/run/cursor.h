// Makes the cursor that reads the matches of all queries of a pattern.  Module: query.
#pragma once

#include "query/run/rows.h"
#include "query/run/run.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rizoma::query {

struct CursorPlan {
  GraphView graph;
  GraphFigures figures;
  std::vector<Query> queries;
  RowColumns wanted;
  std::shared_ptr<const MatchColumns> columns;
  std::shared_ptr<const FirstFailure> failure;  ///< of the pattern's predicates
  std::shared_ptr<KnownRepeats> repeats;
  MatchSelection selection;
  Sharing sharing = {};
  std::uint64_t memory_limit = 0;  ///< of MatchOptions
};

[[nodiscard]] MatchCursor make_cursor(CursorPlan plan);

}  // namespace rizoma::query
