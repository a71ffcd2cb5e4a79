// Breadth-first search.  Module: algorithms.
//
// What: for every vertex reachable from `source` along out-edges, its level (edges on a shortest
// path) and a parent one level lower; of several sources, from the nearest.
// How: direction-optimizing: top-down from a small frontier, bottom-up over the in-edges (a vertex
// looks for one parent in the frontier) while the frontier has many edges; top-down only where the
// graph stores no in-edges.
// Cost: O(n + m) at worst, much less when bottom-up stops early; a search that reaches little touches little, apart
// from n / 8 bytes.
// Source: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC'12.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/detail/search_sources.h>
#include <rizoma/vertex_set.h>

namespace rizoma {

struct BfsOptions {
  std::int64_t max_depth = -1;  ///< stop after this level; -1: no limit
};

struct BfsResult {
  ReachedMap<std::int64_t> parents;  ///< n values; -1: not reached; the source is its own parent
  ReachedMap<std::int32_t> levels;   ///< n values; -1: not reached
  VertexId reached = 0;              ///< vertices reached, the source included
  std::int32_t depth = 0;            ///< largest level
  std::int32_t resumed_after = 0;    ///< levels before the checkpoint; 0: it started over
};

/// Of several sources each is at level 0 and its own parent; one that is given twice counts once.
/// Errors: invalid_argument (no source; source out of range or removed), cancelled.
Result<BfsResult> bfs(Engine& engine, const GraphView& graph, const SearchSources& sources,
                      const BfsOptions& options = {});

}  // namespace rizoma
