#include <rizoma/algorithms/katz_centrality.h>

#include <rizoma/detail/same_call.h>

#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// Divides by the Euclidean norm; the largest score first, so that no square overflows.  Collective.
Status normalize(Iteration& loop, VertexState<double>& scores) {
  double greatest = 0;
  loop.for_own([&](VertexId v) { greatest = std::max(greatest, std::abs(scores[v])); });
  RIZOMA_ASSIGN(greatest, loop.total(greatest, [](double a, double b) { return std::max(a, b); }));
  if (greatest == 0) return {};
  double squares = 0;
  loop.for_own([&](VertexId v) { squares += scores[v] / greatest * (scores[v] / greatest); });
  RIZOMA_ASSIGN(squares, loop.total(squares));
  loop.for_own([&, norm = std::sqrt(squares)](VertexId v) { scores[v] = scores[v] / greatest / norm; });
  return {};
}

/// How much an iteration has changed the scores.
struct Change {
  double sum = 0, squares = 0;
  static Change add(const Change& a, const Change& b) { return {a.sum + b.sum, a.squares + b.squares}; }
};

/// An iteration: the sums of what leads to each vertex, then the scores.  Collective.
Result<Change> iterate(Iteration& loop, VertexState<double>& scores, VertexMap<double>& sums,
                       const KatzOptions& options) {
  RIZOMA_TRY(scores.refresh());
  const auto sum_up = [&](VertexId v, const auto& entries, unsigned) { sums[v] = sum_messages(entries); };
  RIZOMA_TRY(options.use_weights ? gather<true>(loop.engine(), loop.graph(), {Direction::in}, scores.data(), sum_up)
                                 : gather(loop.engine(), loop.graph(), {Direction::in}, scores.data(), sum_up));
  double sum = 0, squares = 0;
  loop.for_own(
      [&sum, &squares, of = options, graph = &loop.graph(), now = scores.data(), sum_of = sums.data()](VertexId v) {
        const double score = graph->is_live(v) ? of.beta + of.alpha * sum_of[v] : 0;
        const double difference = std::abs(score - now[v]);
        sum += difference;
        squares += difference * difference;
        now[v] = score;
      });
  return loop.total(Change{sum, squares}, Change::add);
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
  RIZOMA_TRY(expect_same_call(engine, "katz_centrality",
                              {{"alpha", options.alpha},
                               {"beta", options.beta},
                               {"max_iter", options.max_iter},
                               {"tol", options.tol},
                               {"normalized", options.normalized},
                               {"use_weights", options.use_weights}}));
  if (!std::isfinite(options.alpha)) return bad_option("katz_centrality", "alpha", options.alpha, "finite");
  if (!std::isfinite(options.beta)) return bad_option("katz_centrality", "beta", options.beta, "finite");
  if (!(options.tol >= 0)) return bad_option("katz_centrality", "tol", options.tol, "0 or more");
  RIZOMA_TRY(check_direction(graph, Direction::in, "katz_centrality"));
  Iteration loop(engine, graph, "katz_centrality");
  VertexState<double> scores(loop, 0);
  KatzResult result;
  GrowthCheck growth;
  loop.keep(result.iterations, growth.first, growth.before, growth.last, growth.at_power, growth.earlier);
  loop.valid_if([&] { return std::ranges::all_of(scores.span(), [](double score) { return std::isfinite(score); }); });
  RIZOMA_TRY(loop.begin());
  result.resumed_after = result.iterations;
  VertexMap<double> sums = engine.make_map<double>(graph.num_vertices(), 0);
  const auto step = [&]() -> Result<bool> {
    if (result.iterations >= options.max_iter) return false;
    RIZOMA_TRY(loop.report(result.iterations, options.max_iter));
    RIZOMA_ASSIGN(const Change change, iterate(loop, scores, sums, options));
    result.converged = change.sum < options.tol * static_cast<double>(graph.num_live()) || graph.num_live() == 0;
    growth.add(std::sqrt(change.squares), ++result.iterations);
    if (!result.converged && result.iterations > result.resumed_after + 1)  // by norms of this process
      RIZOMA_TRY(growth.check(options, result.iterations, graph.directed() ? 0 : growth.before * (1 + 1e-9)));
    return !result.converged;
  };
  RIZOMA_TRY(loop.run(step));
  if (!result.converged) RIZOMA_TRY(growth.check(options, result.iterations, growth.earlier));
  if (options.normalized) RIZOMA_TRY(normalize(loop, scores));
  result.scores = std::move(scores).take();
  RIZOMA_TRY(loop.gather(result.scores));
  return result;
}

}  // namespace rizoma
