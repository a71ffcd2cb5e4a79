#include <rizoma/algorithms/katz_centrality.h>

#include "engine/exchange/one_rank.h"

#include <rizoma/algorithms/multiply.h>

#include <cmath>

namespace rizoma {
namespace {

Status check_options(const KatzOptions& options) {
  if (std::isfinite(options.alpha) && std::isfinite(options.beta) && options.tol >= 0) return {};
  return Error{ErrorCode::invalid_argument,
               "katz_centrality: alpha and beta must be finite, and tol must be 0 or greater"};
}

void normalize(VertexMap<double>& scores) {
  double squares = 0;
  for (const double score : scores.span()) squares += score * score;
  if (squares == 0) return;
  for (double& score : scores.span()) score /= std::sqrt(squares);
}

}  // namespace

Result<KatzResult> katz_centrality(Engine& engine, const GraphView& graph, const KatzOptions& options) {
  RIZOMA_TRY(one_rank_only(engine, "katz_centrality"));
  RIZOMA_TRY(check_options(options));
  const VertexId n = graph.num_vertices();
  const double enough = options.tol * static_cast<double>(graph.num_live());
  KatzResult result{.scores = engine.make_map<double>(n, 0)};
  while (result.iterations < options.max_iter && !result.converged) {
    RIZOMA_TRY(engine.report("katz_centrality", result.iterations, options.max_iter));
    RIZOMA_ASSIGN(auto next, multiply(engine, graph, result.scores.span(),
                                      {.transpose = true, .use_weights = options.use_weights}));
    double change = 0;
    for (VertexId v = 0; v < n; ++v) {
      next[v] = graph.is_live(v) ? options.beta + options.alpha * next[v] : 0;
      change += std::abs(next[v] - result.scores[v]);
    }
    result.scores = std::move(next);
    ++result.iterations;
    if (!std::isfinite(change)) {
      return Error{ErrorCode::invalid_argument,
                   "katz_centrality: the scores grow without bound with alpha = " + std::to_string(options.alpha) +
                       "; take one below 1 / the greatest eigenvalue of the graph's matrix"};
    }
    result.converged = change < enough || n == 0;
  }
  if (options.normalized) normalize(result.scores);
  return result;
}

}  // namespace rizoma
