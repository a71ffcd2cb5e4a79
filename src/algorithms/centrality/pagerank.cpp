#include <rizoma/algorithms/pagerank.h>
#include <rizoma/detail/same_call.h>

#include "algorithms/centrality/chebyshev.h"
#include "algorithms/centrality/isolated_vertices.h"
#include "algorithms/centrality/teleport.h"
#include "algorithms/centrality/transition_weights.h"
#include "algorithms/shared/checked_sum.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/graph_view.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

/// What an iteration has changed.
struct Changes {
  double change = 0;    ///< L1 distance of the old scores to what Jacobi's iteration makes of them
  double dangling = 0;  ///< new score of the vertices without out-edges
  void add(const Changes& other) {
    change += other.change;
    dangling += other.dangling;
  }
};

/// The scores to begin with: all alike, or as given, in parts of their sum.
struct InitialScores {
  double even = 0;
  const double* given = nullptr;
  double sum = 1;
  [[nodiscard]] double of(VertexId v) const { return given == nullptr ? even : given[v] / sum; }
};

/// One iteration: the message of a vertex is its score divided by its out-degree; its new score is the sum of its
/// neighbours' messages and of what teleports to it.  No list reads the message of a dangling vertex: its score.
template <class Contribution, bool kWeighted>
struct Jacobi {
  using Message = Contribution;
  using Accum = double;
  static constexpr bool weighted = kWeighted;
  static constexpr bool update_all = true;
  using Tally = Changes;

  Teleport teleport;
  const Contribution* degrees;  ///< of scores: out-degrees, or sums of out-edges' weights in a unit; -1 for none
  InitialScores first;
  double unit = 1;    ///< of weights
  double beyond = 0;  ///< how far to go beyond Jacobi's new scores, away from those before the last
  double alone = 1;   ///< how many a vertex without edges stands for (isolated_vertices.h)

  [[nodiscard]] Message scatter(VertexId v) const { return Message(first.of(v) / std::abs(double{degrees[v]})); }
  [[nodiscard, gnu::always_inline]] double gather(double sum, const auto& entries) const {
    return sum + sum_messages(entries, unit);
  }
  [[nodiscard]] double combine(double a, double b) const { return a + b; }
  [[gnu::noinline]] void apply(VertexRange run, const Message* now, Message* next, const double* sum, Tally& out) {
    const Jacobi it = *this;  // whose numbers stay in registers
    double change = 0;
    double dangling = 0;
#pragma omp simd reduction(+ : change, dangling)
    for (VertexId v = run.begin; v < run.end; ++v) {
      const double by = std::abs(double{it.degrees[v]});
      const double none = (by - it.degrees[v]) / 2;
      const double jacobi = it.teleport.alpha * sum[v - run.begin] + it.teleport.to(v);
      const double score = jacobi + it.beyond * (jacobi - next[v] * by);
      change += std::abs(jacobi - now[v] * by) * (1 + none * (it.alone - 1));
      dangling += none * it.alone * score;
      next[v] = static_cast<Message>(score / by);
    }
    out.add({change, dangling});
  }
};

/// The scores of messages.  Polynomials may make some negative, which no score is: raising them to 0 brings them
/// nearer.
template <class Program>
Status read_scores(Engine& engine, const GraphView& graph, const Program& program, const auto* next,
                   VertexState<double>& state) {
  VertexMap<double>& scores = state.values();
  return engine.for_vertices(graph, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      scores[v] = graph.is_live(v) ? std::max(next[v] * std::abs(double{program.degrees[v]}), 0.0) : 0;
    }
  });
}

// Contributions (score / out-degree) are what an iteration reads at random: half the bytes, half the
// cache misses.  As float32 each is off by at most 2^-24 of its value, by half of that more where the degree is above
// 2^24, the sum of two by 2^-24 again, and so is each sum of all; iterating multiplies that by at most 1 / (1 - alpha).
// Used where it stays below 1e-6 and pays.
constexpr double kFloatError = 0x1.4p-23;
constexpr double kCompactError = 1e-6;
constexpr VertexId kCompactVertices = VertexId{1} << 16;

/// What scores add up to in size, at most.  Chebyshev's polynomials never make the first error greater in the norm in
/// which the iteration is symmetric (squares over degrees), which says so much of sums; and what vertices without edges
/// pass on adds less than 8 up to kMostAlpha.
constexpr double kMostAlpha = 0.88;
double score_sum_bound(const GraphView& graph, const PageRankOptions& options) {
  if (!options.accelerate) return 1;
  if (!options.start.empty() || options.alpha > kMostAlpha) return std::numeric_limits<double>::infinity();
  const double live = static_cast<double>(std::max<VertexId>(graph.num_live(), 1));
  return 8 + std::sqrt(1 + static_cast<double>(graph.num_entries()) / live);
}

/// Bound on the distance to the exact scores that is due to the engine's fixed-point sums (SweepOptions::sum_bound).
double unit_bound(const GraphView& graph, double most, double alpha) {
  return static_cast<double>(graph.num_entries()) * most * 0x1p-60 / (1 - alpha);
}

/// The same for contributions in float64: whether so much may be added to the error that is asked for.
bool may_be_in_units(const GraphView& graph, const PageRankOptions& options) {
  return options.tol > 0 && options.personalization.empty() && options.dangling.empty() && options.start.empty() &&
         unit_bound(graph, score_sum_bound(graph, options), options.alpha) < options.tol / 4;
}

double rounding_bound(double alpha) { return kFloatError / (1 - alpha); }

/// True if contributions may be float32: a plain run on a large graph whose scores all are at least
/// (1 - alpha) / n, and that is not asked for more digits than float32 gives.
bool may_be_compact(const GraphView& graph, const PageRankOptions& options) {
  const double change_asked = options.alpha > 0 ? options.tol * (1 - options.alpha) / options.alpha : options.tol;
  return graph.num_vertices() > kCompactVertices && !options.use_weights && options.personalization.empty() &&
         rounding_bound(options.alpha) <= kCompactError && (options.tol <= 0 || change_asked >= kCompactError);
}

/// What scores are made of, and where the iteration begins.
template <class Contribution>
struct Given {
  Teleport teleport;
  InitialScores first;
  OutDegrees<Contribution> degrees;
};

/// How far the iteration is.
struct Position {
  int iterations = 0;
  double dangling = 0;  ///< score of the vertices without out-edges
  double error = std::numeric_limits<double>::infinity();
};

/// Begins with the first scores, or with those that were restored.  True: the latter.
template <class Contribution>
Result<bool> begin(Iteration& loop, const Given<Contribution>& given, VertexState<double>& scores, Position& at) {
  loop.keep(at.iterations, at.dangling, at.error);
  loop.valid_if([&] {
    return at.iterations > 0 && at.dangling >= 0 && at.dangling <= 2 && at.error >= 0 && std::isfinite(at.error) &&
           std::ranges::all_of(scores.span(), [](double score) { return score >= 0 && score <= 2; });
  });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  if (resumed) return true;
  if (given.first.given == nullptr) {
    at.dangling = given.first.even * static_cast<double>(given.degrees.none);
    return false;
  }
  const auto dangling = [&](VertexId v) { return given.degrees.of_vertex[v] < 0 ? given.first.of(v) : 0.0; };
  RIZOMA_ASSIGN(at.dangling, process_vertices(loop.engine(), loop.graph(), 0.0, dangling));
  return false;
}

template <class Contribution, bool kWeighted>
Result<PageRankResult> iterate(Engine& engine, const GraphView& graph, const PageRankOptions& options,
                               const Given<Contribution>& given) {
  constexpr bool kCompact = std::is_same_v<Contribution, float>;  // units are then smaller than the rounding
  const bool in_units = kCompact || may_be_in_units(graph, options);
  const double most = in_units ? score_sum_bound(graph, options) : std::numeric_limits<double>::infinity();
  const double of_units = kCompact || !in_units ? 0 : unit_bound(graph, most, options.alpha);
  PageRankResult result;
  const VertexMap<Contribution>& degrees = given.degrees.of_vertex;
  Jacobi<Contribution, kWeighted> jacobi{given.teleport, degrees.data(), given.first, given.degrees.unit};
  Iteration loop(engine, graph, "pagerank");
  VertexState<double> scores(loop);
  Position at;
  RIZOMA_ASSIGN(const bool resumed, begin(loop, given, scores, at));
  if (resumed) jacobi.first = {0, scores.data()};
  result.resumed_after = at.iterations;
  jacobi.teleport.pass_on(at.dangling);
  IsolatedVertices alone;
  const bool are_alike = given.teleport.all_alike && given.first.given == nullptr && !loop.survives();
  if (!graph.directed() && are_alike && given.degrees.none > 0) {
    RIZOMA_ASSIGN(alone, IsolatedVertices::find(engine, graph, degrees));
    jacobi.alone = alone.weight();
  }
  Sweep<Jacobi<Contribution, kWeighted>> sweep(engine, graph, jacobi, {.excluded = alone.others(), .sum_bound = most});
  RIZOMA_TRY(sweep.start_all());
  result.converged = graph.num_live() == 0 || (options.tol > 0 && at.error < options.tol);
  Acceleration acceleration(options.accelerate && !graph.directed() && !loop.survives(), options.alpha);
  bool chebyshev = false;  // of the last iteration: whose change then is that of the scores before it
  const auto step = [&]() -> Result<bool> {
    if (result.converged || at.iterations >= options.max_iter) return false;
    RIZOMA_TRY(loop.report(at.iterations, options.max_iter));
    RIZOMA_TRY(sweep.step());
    const auto [change, new_dangling] = sweep.tally();
    jacobi.teleport.pass_on(new_dangling);
    chebyshev = acceleration.on();
    const double error = change * (chebyshev ? 1 : options.alpha) / (1 - options.alpha) + of_units;
    at = {at.iterations + 1, new_dangling, error};
    result.converged = options.tol > 0 && at.error < options.tol;
    jacobi.beyond = acceleration.beyond_next(change);
    return !result.converged;
  };
  loop.update_by([&] { return read_scores(engine, graph, jacobi, sweep.messages(), scores); });
  RIZOMA_TRY(loop.run(step));
  RIZOMA_TRY(read_scores(engine, graph, jacobi, chebyshev ? sweep.last_messages() : sweep.messages(), scores));
  if (alone.any()) alone.fill_in(scores.span());
  result.iterations = at.iterations;
  result.error = (at.iterations > 0 ? at.error : 0) + (kCompact ? rounding_bound(options.alpha) : 0);
  result.scores = std::move(scores).take();
  RIZOMA_TRY(loop.gather(result.scores));
  return result;
}

/// What scores are divided by in a graph without weights: the out-degrees, -1 in place of 0.
template <class Number>
Result<OutDegrees<Number>> out_degrees(Engine& engine, const GraphView& graph) {
  OutDegrees<Number> found{engine.make_unset_map<Number>(graph.num_vertices())};
  const Degrees degrees(graph);
  RIZOMA_ASSIGN(found.none, process_vertices(engine, graph, VertexId{0}, [&](VertexId v) -> VertexId {
                  const EdgeCount degree = degrees[v];
                  found.of_vertex[v] = degree == 0 ? Number{-1} : static_cast<Number>(degree);
                  return degree == 0 ? 1 : 0;
                }));
  return found;
}

}  // namespace

Result<PageRankResult> pagerank(Engine& engine, const GraphView& graph, const PageRankOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "pagerank",
                              {{"alpha", options.alpha},
                               {"tol", options.tol},
                               {"max_iter", options.max_iter},
                               {"use_weights", options.use_weights},
                               {"accelerate", options.accelerate},
                               {"personalization", options.personalization},
                               {"dangling", options.dangling},
                               {"start", options.start.size()}}));
  if (!(options.alpha >= 0 && options.alpha < 1))
    return bad_option("pagerank", "alpha", options.alpha, "at least 0 and below 1");
  if (options.max_iter < 0) return bad_option("pagerank", "max_iter", options.max_iter, "0 or more");
  if (std::isnan(options.tol)) return bad_option("pagerank", "tol", options.tol, "a number");
  if (options.use_weights && graph.weight_type() == WeightType::none) {
    return Error{ErrorCode::invalid_argument,
                 "pagerank: the graph has no weights; leave weight= out, or import the graph with weights"};
  }
  RIZOMA_ASSIGN(const double personalization_sum,
                checked_sum(graph, options.personalization, "personalization", "pagerank"));
  RIZOMA_ASSIGN(const double dangling_sum, checked_sum(graph, options.dangling, "dangling", "pagerank"));
  RIZOMA_ASSIGN(const double start_sum, checked_sum(graph, options.start, "start", "pagerank"));
  const Teleport teleport{options.alpha,           static_cast<double>(graph.num_live()),
                          options.personalization, options.dangling,
                          personalization_sum,     dangling_sum};
  InitialScores first{1 / teleport.live};
  if (start_sum > 0) first = {0, options.start.data(), start_sum};
  if (options.use_weights) {
    RIZOMA_ASSIGN(OutDegrees<double> sums, transition_weights(engine, graph, "pagerank"));
    return iterate<double, true>(engine, graph, options, {teleport, first, std::move(sums)});
  }
  if (may_be_compact(graph, options)) {
    RIZOMA_ASSIGN(OutDegrees<float> degrees, out_degrees<float>(engine, graph));
    return iterate<float, false>(engine, graph, options, {teleport, first, std::move(degrees)});
  }
  RIZOMA_ASSIGN(OutDegrees<double> degrees, out_degrees<double>(engine, graph));
  return iterate<double, false>(engine, graph, options, {teleport, first, std::move(degrees)});
}

}  // namespace rizoma
