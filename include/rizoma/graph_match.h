// Patterns over a stored graph, by external id, and predicates over its edge columns.  Module: api.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/match.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace rizoma {

/// The columns of a state of a graph: external ids of vertices, and all columns of vertices and edges.  Values are read
/// when they are first asked for, a few thousand at a time.  `view` is that of the snapshot.
[[nodiscard]] std::shared_ptr<const MatchColumns> columns_of(const Snapshot& snapshot, const GraphView& view);

/// As Match::prepare, errors and cost included, with the columns of the snapshot; `view` is its view.
[[nodiscard]] Result<Match> prepare_match(const Snapshot& snapshot, const GraphView& view, MatchOptions options);

/// A bit for each row of edges for which a predicate over the edge columns is true, as Snapshot::with_rows takes them.
/// Errors: those of Predicate::parse and Predicate::test, also for the row of an edge that is gone; of reading values.
[[nodiscard]] Result<std::vector<std::uint8_t>> rows_where(const Snapshot& snapshot, std::string_view predicate,
                                                           Executor& executor);

}  // namespace rizoma
