// The rows of a pattern of one edge, read by a scan over the edges (edge_pattern_scan.h) that can stop between any two
// blocks of it.  Module: query.
//
// Cost: O(entries), a few nanoseconds each; memory: the rows asked for, and a block of the scan for each thread.
#pragma once

#include "query/run/cursor.h"
#include "query/run/edge_pattern_scan.h"
#include "query/run/query_rows.h"

#include <memory>

namespace rizoma::query {

/// The rows of a query of `plan`, which outlives them and for which reads_all_edges holds.  Errors: those of
/// EdgePatternScan::run.
[[nodiscard]] Result<std::unique_ptr<QueryRows>> scanned_rows(Engine& engine, const CursorPlan& plan,
                                                              const Query& query);

}  // namespace rizoma::query
