// Shortest paths from one source or several, with non-negative weights.  Module: algorithms.
//
// What: for each vertex the smallest sum of weights of a path from `source` along out-edges; of several
// sources, from the nearest.
// How: delta-stepping: vertices wait in buckets of width delta; a bucket's vertices relax their edges
// in parallel, each thread with its own buckets; an unweighted graph has weight 1 on every edge.
// Distances are held in 32 bits while int32 weights allow, else in float64.  Every weight that a search
// meets is checked, so weights out of reach of the source are not.
// Ranks that share memory take vertices of the same buckets, as threads do.  Others relax the edges of their own
// vertices; after each bucket they tell each other of the shorter ways to one another's vertices that end in the
// next, and agree on which that is.  The distances are the same.
// Cost: O(n + m + buckets) for a well-chosen delta; `delta` 0 chooses one from a sample of weights and the mean
// degree.  Of n vertices n distances are cleared; the result has those of the vertices reached, if these are few.
// Source: Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms
// 49, 2003; bucket fusion: Zhang et al., CGO'20.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/detail/search_sources.h>
#include <rizoma/vertex_set.h>

#include <cstdint>
#include <span>

namespace rizoma {

struct SsspOptions {
  double delta = 0;  ///< bucket width; 0: chosen from the graph
};

struct SsspResult {
  ReachedMap<double> distances;  ///< n values; +infinity: not reached
  VertexId reached = 0;          ///< vertices reached, the source included
  double delta = 0;              ///< the width used
  VertexId resumed_after = 0;    ///< vertices reached before the checkpoint; 0: it started over
};

/// Of several sources each has distance 0; one that is given twice counts once.
/// Errors: invalid_argument (no source; source out of range or removed; delta < 0; a negative or NaN weight: the
/// message names the edge by internal ids), cancelled.
Result<SsspResult> sssp(Engine& engine, const GraphView& graph, const SearchSources& sources,
                        const SsspOptions& options = {});

/// For each vertex the one before it on a shortest path: of several the least, where none is of length 0 after the
/// last longer edge; a source is its own, -1: not reached.  `distances` are those from these sources over these
/// weights, or over lengths of 1 if not `weighted`.
/// Cost: O(n + m), and O(n + m) once more for each edge of length 0 that shortest paths have in a row.
/// Errors: invalid_argument (source out of range or removed; another number of distances than vertices), cancelled.
Result<VertexMap<std::int64_t>> path_parents(Engine& engine, const GraphView& graph, std::span<const double> distances,
                                             std::span<const VertexId> sources, bool weighted = true);

}  // namespace rizoma
