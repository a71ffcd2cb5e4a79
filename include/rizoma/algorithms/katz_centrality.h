// Katz centrality.  Module: algorithms.
//
// What: x[v] = beta + alpha * sum of weight(u, v) * x[u] over the edges u -> v: the number of walks that end at v, each
// step of them lessening its part by alpha.  Finite for alpha below 1 / the largest eigenvalue of the matrix.
// How: the iteration of the definition, from 0, until it changes less than n * tol in all.  In an undirected graph the
// first change that exceeds the one before proves that the scores diverge; in a directed graph the last one tells.
// Cost: O(n + m) an iteration.
// Source: Katz, "A new status index derived from sociometric analysis", Psychometrika 18, 1953.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct KatzOptions {
  double alpha = 0.1;
  double beta = 1;
  unsigned max_iter = 1000;
  double tol = 1e-6;       ///< a vertex
  bool normalized = true;  ///< scale the scores to a Euclidean norm of 1
  bool use_weights = false;
};

struct KatzResult {
  VertexMap<double> scores;  ///< n values; 0 for removed vertices
  unsigned iterations = 0;
  unsigned resumed_after = 0;  ///< of these, before the checkpoint that the call resumed from
  bool converged = false;
};

/// Errors: invalid_argument (alpha, beta or tol is not finite, or tol is negative; the scores grow without bound: alpha
/// is too large), unsupported (a directed graph without in-edges), cancelled.
Result<KatzResult> katz_centrality(Engine& engine, const GraphView& graph, const KatzOptions& options = {});

}  // namespace rizoma
