#include <rizoma/algorithms/katz_centrality.h>

#include "engine/exchange/single_process.h"

#include <rizoma/algorithms/multiply.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace rizoma {
namespace {

Status check_options(const KatzOptions& options) {
  if (std::isfinite(options.alpha) && std::isfinite(options.beta) && options.tol >= 0) return {};
  return Error{ErrorCode::invalid_argument,
               "katz_centrality: alpha and beta must be finite, and tol must be 0 or more"};
}

/// Divides by the Euclidean norm; the largest score first, so that no square overflows.
void normalize(VertexMap<double>& scores) {
  double greatest = 0;
  for (const double score : scores.span()) greatest = std::max(greatest, std::abs(score));
  if (greatest == 0) return;
  double squares = 0;
  for (const double score : scores.span()) squares += score / greatest * (score / greatest);
  for (double& score : scores.span()) score = score / greatest / std::sqrt(squares);
}

/// Notices that the scores grow without bound.
class GrowthCheck {
 public:
  GrowthCheck(const KatzOptions& options, bool symmetric) : options_(options), symmetric_(symmetric) {}

  /// Takes the Euclidean norm of what an iteration changed.  In an undirected graph the factor from one change to the
  /// next never falls, so that one above 1 proves unbounded growth; in a directed graph changes may grow for as
  /// long as its longest path and vanish then.
  Status add(double norm) {
    norms_.push_back(norm);
    if (!std::isfinite(norm)) return grows();
    constexpr double kRounding = 1 + 1e-9;
    const bool grew = symmetric_ && norms_.size() > 1 && norm > *(norms_.end() - 2) * kRounding;
    return grew && is_no_rounding(norm) ? Status(grows()) : Status();
  }

  /// For a last iteration without convergence: changes that are greater than half of the iterations ago.
  [[nodiscard]] Status end() const {
    const bool grew = norms_.size() > 1 && norms_.back() > norms_[norms_.size() / 2 - 1];
    return grew && is_no_rounding(norms_.back()) ? Status(grows()) : Status();
  }

 private:
  [[nodiscard]] bool is_no_rounding(double norm) const { return norm > 1e-6 * norms_.front(); }
  [[nodiscard]] Error grows() const {
    const double before = norms_.size() > 1 ? *(norms_.end() - 2) : 0;
    const double factor = before > 0 ? norms_.back() / before : 0;
    std::string most = "1 / the largest eigenvalue of the graph's adjacency matrix";
    if (std::isfinite(factor) && factor > 1) most += ", which is at most " + std::to_string(options_.alpha / factor);
    return {ErrorCode::invalid_argument,
            "katz_centrality: the scores grow without bound with alpha = " + std::to_string(options_.alpha) + " (" +
                std::to_string(norms_.size()) + " iterations); choose an alpha below " + most};
  }

  const KatzOptions& options_;
  bool symmetric_;
  std::vector<double> norms_;
};

}  // namespace

Result<KatzResult> katz_centrality(Engine& engine, const GraphView& graph, const KatzOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "katz_centrality"));
  RIZOMA_TRY(check_options(options));
  const VertexId n = graph.num_vertices();
  const double enough = options.tol * static_cast<double>(graph.num_live());
  KatzResult result{.scores = engine.make_map<double>(n, 0)};
  GrowthCheck growth(options, !graph.directed());
  while (result.iterations < options.max_iter && !result.converged) {
    RIZOMA_TRY(engine.report("katz_centrality", result.iterations, options.max_iter));
    RIZOMA_ASSIGN(auto next, multiply(engine, graph, result.scores.span(),
                                      {.transpose = true, .use_weights = options.use_weights}));
    double change = 0;
    double squares = 0;
    for (VertexId v = 0; v < n; ++v) {
      next[v] = graph.is_live(v) ? options.beta + options.alpha * next[v] : 0;
      const double difference = std::abs(next[v] - result.scores[v]);
      change += difference;
      squares += difference * difference;
    }
    result.scores = std::move(next);
    ++result.iterations;
    result.converged = change < enough || n == 0;
    if (!result.converged) RIZOMA_TRY(growth.add(std::sqrt(squares)));
  }
  if (!result.converged) RIZOMA_TRY(growth.end());
  if (options.normalized) normalize(result.scores);
  return result;
}

}  // namespace rizoma
