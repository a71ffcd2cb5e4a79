// Patterns over a stored graph, by external id.  Module: api.
#pragma once

#include <rizoma/graph.h>
#include <rizoma/match.h>

namespace rizoma {

/// The columns of a state of a graph: external ids of vertices, and all columns of vertices and edges.  Values are read
/// when they are first asked for, some thousands at a time.  `view` is that of the snapshot.
[[nodiscard]] std::shared_ptr<const MatchColumns> columns_of(const Snapshot& snapshot, const GraphView& view);

/// As Match::prepare, with the columns of the snapshot; `view` is its view.
[[nodiscard]] Result<Match> prepare_match(const Snapshot& snapshot, const GraphView& view, MatchOptions options);

}  // namespace rizoma
