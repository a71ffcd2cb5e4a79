#include <rizoma/algorithms/katz_centrality.h>

#include "engine/loop/kernel_arguments.h"

#include <rizoma/algorithms/multiply.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// Divides by the Euclidean norm; the largest score first, so that no square overflows.
void normalize(VertexMap<double>& scores) {
  double greatest = 0;
  for (const double score : scores.span()) greatest = std::max(greatest, std::abs(score));
  if (greatest == 0) return;
  double squares = 0;
  for (const double score : scores.span()) squares += score / greatest * (score / greatest);
  for (double& score : scores.span()) score = score / greatest / std::sqrt(squares);
}

/// Detects that the scores grow without bound, by the Euclidean norms of the changes of each iteration.
struct GrowthCheck {
  double first = 0;
  double before = 0;  ///< the last
  double last = 0;
  double at_power = 0;  ///< of the last iteration whose number is a power of two,
  double earlier = 0;   ///< and of the one before that

  void add(double norm, unsigned iteration) {
    if (iteration == 1) first = norm;
    if (std::has_single_bit(iteration)) earlier = std::exchange(at_power, norm);
    before = std::exchange(last, norm);
  }
  /// An error if the last change exceeds `other`.  In an undirected graph the factor from one change to the next never
  /// falls, so one above 1 proves unbounded growth; in a directed graph changes may grow for as long as its longest
  /// path and vanish then, so that only after the last iteration they tell, by those of half to three quarters ago.
  [[nodiscard]] Status check(const KatzOptions& options, unsigned iteration, double other) const {
    if (std::isfinite(last) && !(other > 0 && last > other && last > 1e-6 * first)) return {};
    const double most = options.alpha * before / last;
    return Error{ErrorCode::invalid_argument,
                 "katz_centrality: the scores grow without bound with alpha = " + std::to_string(options.alpha) + " (" +
                     std::to_string(iteration) +
                     " iterations); choose an alpha below 1 / the largest eigenvalue of the graph's adjacency matrix" +
                     (before > 0 && last > before ? ", which is at most " + std::to_string(most) : "")};
  }
};

}  // namespace

Result<KatzResult> katz_centrality(Engine& engine, const GraphView& graph, const KatzOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "katz_centrality"));
  if (!std::isfinite(options.alpha)) return bad_option("katz_centrality", "alpha", options.alpha, "finite");
  if (!std::isfinite(options.beta)) return bad_option("katz_centrality", "beta", options.beta, "finite");
  if (!(options.tol >= 0)) return bad_option("katz_centrality", "tol", options.tol, "0 or more");
  Iteration loop(engine, graph, "katz_centrality");
  VertexState<double> scores(loop, 0);
  KatzResult result;
  GrowthCheck growth;
  loop.keep(result.iterations, growth.first, growth.before, growth.last, growth.at_power, growth.earlier);
  loop.valid_if([&] { return std::ranges::all_of(scores.span(), [](double score) { return std::isfinite(score); }); });
  RIZOMA_TRY(loop.begin());
  result.resumed_after = result.iterations;
  const auto step = [&]() -> Result<bool> {
    if (result.iterations >= options.max_iter) return false;
    RIZOMA_TRY(loop.report(result.iterations, options.max_iter));
    RIZOMA_ASSIGN(auto next, multiply(engine, graph, scores.span(), {true, options.use_weights}));
    double change = 0, squares = 0;
    for (VertexId v = 0; v < next.size(); ++v) {
      next[v] = graph.is_live(v) ? options.beta + options.alpha * next[v] : 0;
      const double difference = std::abs(next[v] - scores[v]);
      change += difference;
      squares += difference * difference;
    }
    scores.values() = std::move(next);
    result.converged = change < options.tol * static_cast<double>(graph.num_live()) || graph.num_live() == 0;
    growth.add(std::sqrt(squares), ++result.iterations);
    if (!result.converged && result.iterations > result.resumed_after + 1)  // by norms of this process
      RIZOMA_TRY(growth.check(options, result.iterations, graph.directed() ? 0 : growth.before * (1 + 1e-9)));
    return !result.converged;
  };
  RIZOMA_TRY(loop.run(step));
  if (!result.converged) RIZOMA_TRY(growth.check(options, result.iterations, growth.earlier));
  result.scores = std::move(scores).take();
  if (options.normalized) normalize(result.scores);
  return result;
}

}  // namespace rizoma
