// Single-source shortest paths with non-negative weights.  Module: algorithms.
//
// What: for each vertex the smallest sum of weights of a path from `source` along out-edges.
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
#include <rizoma/vertex_set.h>

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

/// Errors: invalid_argument (source out of range or removed; delta < 0; a negative or NaN weight:
/// the message names the edge by internal ids), cancelled.
Result<SsspResult> sssp(Engine& engine, const GraphView& graph, VertexId source, const SsspOptions& options = {});

}  // namespace rizoma
