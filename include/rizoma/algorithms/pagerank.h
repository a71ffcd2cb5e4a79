// PageRank.  Module: algorithms.
//
// What: the stationary distribution of a surfer who follows a random out-edge with probability alpha
// and otherwise teleports to a vertex drawn from the personalization (uniform if none is given).  A
// vertex without out-edges (dangling) teleports as `dangling` says, or else as the personalization does.
// Ranks sum to 1.
// How: Jacobi iteration by pull over the in-edges: x' = alpha (A^T D^-1 x + dangling(x) p) + (1-alpha) p.
// Stop: when the scores are surely within tol of the exact ones (L1 distance), or at max_iter.  An iteration that
// changes the scores by d leaves an error of at most d * alpha / (1 - alpha), which is the `error` returned.
// Accelerated, in an undirected graph: the eigenvalues of the iteration are real and be in [-alpha, alpha], so that
// Chebyshev's polynomials apply: x'' = w (J x' - x) + x with weights w known beforehand.  It begins once Jacobi's
// iterations gain less than these promise, 0.56 each for alpha = 0.85.  The error is then that of the residual J x - x,
// at most its sum / (1 - alpha).
// Cost: O(n + m) an iteration; about log(tol / 2) / log(alpha) iterations.  Weights are ignored
// unless `use_weights`: then an edge is followed with probability proportional to its weight.
// Source: Page, Brin, Motwani, Winograd, "The PageRank citation ranking", Stanford 1999; Golub, Varga, "Chebyshev
// semi-iterative methods, successive overrelaxation iterative methods, and second order Richardson iterative methods",
// Numer. Math. 3, 1961.
#pragma once

#include <rizoma/engine.h>

#include <span>

namespace rizoma {

struct PageRankOptions {
  double alpha = 0.85;  ///< in [0, 1)
  double tol = 1e-6;    ///< bound on the L1 distance to the exact scores; <= 0: always run max_iter iterations
  int max_iter = 100;
  bool use_weights = false;                 ///< needs a weighted graph with non-negative weights
  std::span<const double> personalization;  ///< n non-negative values with positive sum, or empty
  std::span<const double> dangling;         ///< as personalization
  std::span<const double> start;            ///< n initial values with positive sum, or empty: uniform
  bool accelerate = false;                  ///< see above; of no effect in directed graphs and with checkpoints
};

struct PageRankResult {
  VertexMap<double> scores;  ///< n values; 0 for removed vertices
  int iterations = 0;        ///< those before a checkpoint that it went on from included
  int resumed_after = 0;     ///< iterations before that checkpoint; 0: it started over
  bool converged = false;
  double error = 0;  ///< bound on the L1 distance to the exact scores
};

/// Errors: invalid_argument (alpha, sizes, negative values, weights that lie too far apart to be added), cancelled, and
/// those of checkpoints.
Result<PageRankResult> pagerank(Engine& engine, const GraphView& graph, const PageRankOptions& options = {});

}  // namespace rizoma
