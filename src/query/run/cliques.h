// Counts the cliques of a graph: what a count of a pattern in which each two vertices are adjacent comes down to, where
// nothing else is said of them.  Module: query.
//
// How: vertices are ranked by degree (engine/intersection/oriented_lists.h), so that each clique is found once, from
// its vertex of
// highest rank, and lists are short whatever numbers the vertices have.  Triangles are found as the kernel finds them.
// Of larger cliques, the neighbours of a vertex that rank below it make a small graph of its own, whose lists are rows
// of bits: cliques are counted by rows that are held against each other.
// Cost: that of the triangles, and for k vertices time by the cliques of k - 1 vertices, times a 64th of the longest
// list; the ranked lists take 4 to 8 bytes an edge and 24 a vertex; each thread has 4 bytes a vertex for cliques of
// more than three, and rows of at most 16 MiB.
// Source: Danisch, Balalau, Sozio, "Listing k-cliques in sparse real-world graphs", WWW'18 (the ordering); Schank,
// Wagner, "Finding, counting and listing all triangles in large graphs", WEA'05.
#pragma once

#include "query/run/run.h"

#include <cstdint>
#include <optional>

namespace rizoma::query {

/// True if matches of the query are cliques of three vertices or more, each of which is found once, in a graph that is
/// undirected, without parallel edges, and whole in one process; and either ranking pays, and takes no more than
/// `most_bytes` (0: no limit), or they are triangles.  Errors: cancelled.
[[nodiscard]] Result<bool> counts_cliques(Engine& engine, const GraphView& graph, const Query& query,
                                          std::uint64_t most_bytes);

/// As count_matches, for such a query; nullopt if its lists are unfit for it.
[[nodiscard]] Result<std::optional<CountResult>> count_cliques(Engine& engine, const Planned& planned);

}  // namespace rizoma::query
