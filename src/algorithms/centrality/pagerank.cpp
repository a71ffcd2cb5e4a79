#include <rizoma/algorithms/pagerank.h>
#include <rizoma/detail/same_call.h>

#include "algorithms/centrality/teleport.h"
#include "engine/loop/chebyshev.h"
#include "engine/loop/checked_sum.h"
#include "engine/loop/kernel_arguments.h"
#include "engine/sweep/isolated_blocks.h"
#include "engine/sweep/transition_weights.h"

#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
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
  Shares first;                 ///< the scores to begin with
  double unit = 1;              ///< of weights
  double beyond = 0;            ///< how far to go beyond Jacobi's new scores, away from those before the last
  double alone = 1;             ///< how many vertices one without edges stands for

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

/// How sums of contributions are added up.
struct Precision {
  bool compact = false;  ///< contributions are float32: half the bytes that an iteration reads at random
  double sum_bound = std::numeric_limits<double>::infinity();  ///< finite: the engine may add up in fixed point
  double error = 0;                                            ///< of all scores together, at most
};

/// As float32, contributions are off by at most 2^-24 of their value, by half of that more where the degree is above
/// 2^24, the sum of two by 2^-24 again, and so is each sum of all; in fixed point each entry is off by 2^-60 of the
/// bound.  Iterating multiplies that by at most 1 / (1 - alpha).
///
/// The bound of a plain run: Chebyshev's polynomials never make the first error greater in the norm in which the
/// iteration is symmetric (squares over degrees), which says so much of sums; and what vertices without edges pass on
/// adds less than 8 up to kMostAlpha.  Scores of such a run are (1 - alpha) / n at least, which float32 can hold.
Precision precision_of(const GraphView& graph, const PageRankOptions& options) {
  constexpr double kMostAlpha = 0.88;
  constexpr double kFloatError = 0x1.4p-23;
  constexpr VertexId kCompactVertices = VertexId{1} << 16;  // fewer fit the caches anyway
  const double may_add = options.tol > 0 ? options.tol / 4 : 1e-6;
  const auto entries = static_cast<double>(graph.num_entries());
  const bool plain = options.personalization.empty() && options.dangling.empty() && options.start.empty();
  Precision precision{.error = kFloatError / (1 - options.alpha)};
  if (plain && options.alpha <= kMostAlpha)
    precision.sum_bound = 8 + std::sqrt(1 + entries / static_cast<double>(std::max<VertexId>(graph.num_live(), 1)));
  precision.compact = graph.num_vertices() > kCompactVertices && !options.use_weights &&
                      options.personalization.empty() && precision.error <= may_add;
  if (precision.compact) return precision;
  precision.error = entries * precision.sum_bound * 0x1p-60 / (1 - options.alpha);
  return precision.error <= may_add ? precision : Precision();
}

template <class Contribution, bool kWeighted>
Result<PageRankResult> iterate(Engine& engine, const GraphView& graph, const PageRankOptions& options,
                               const Precision& precision, const Teleport& teleport, const Shares& start) {
  RIZOMA_ASSIGN(const auto degrees, (out_degrees<Contribution, kWeighted>(engine, graph, "pagerank")));
  const Contribution* const degree = degrees.of_vertex.data();
  PageRankResult result{.error = graph.num_live() > 0 ? 2.0 : 0.0};  // no distance is greater
  double dangling = 0;                                               // score of the vertices without out-edges
  Iteration loop(engine, graph, "pagerank");
  VertexState<double> scores(loop);
  loop.keep(result.iterations, dangling, result.error);
  loop.valid_if([&] {
    const auto in_range = [](double score) { return score >= 0 && score <= 2; };
    return result.iterations > 0 && result.error >= 0 && std::isfinite(result.error) && in_range(dangling) &&
           std::ranges::all_of(scores.span(), in_range);
  });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  result.resumed_after = result.iterations;
  const Shares first = resumed ? Shares{.given = scores.span()} : start;
  if (!resumed) {
    const auto score = [&](VertexId v) { return degree[v] < 0 ? first.of(v) : 0; };
    RIZOMA_ASSIGN(dangling, process_vertices(engine, graph, 0.0, score));
  }
  Jacobi<Contribution, kWeighted> jacobi{teleport, degree, first, degrees.unit};
  jacobi.teleport.pass_on(dangling);
  IsolatedBlocks isolated;
  if (!graph.directed() && teleport.all_alike && first.given.empty() && dangling > 0 && !loop.survives()) {
    RIZOMA_ASSIGN(isolated, IsolatedBlocks::find(engine, graph, [&](VertexId v) { return degree[v] < 0; }));
    jacobi.alone = isolated.weight;
  }
  Sweep<Jacobi<Contribution, kWeighted>> sweep(
      engine, graph, jacobi, {.excluded = std::move(isolated.others), .sum_bound = precision.sum_bound});
  RIZOMA_TRY(sweep.start_all());
  Acceleration acceleration(options.accelerate && !graph.directed() && !loop.survives(), options.alpha);
  bool chebyshev = false;  // of the last iteration: whose change then is that of the scores before it
  const auto step = [&]() -> Result<bool> {
    result.converged = graph.num_live() == 0 || (options.tol > 0 && result.error < options.tol);
    if (result.converged || result.iterations >= options.max_iter) return false;
    RIZOMA_TRY(loop.report(result.iterations++, options.max_iter));
    RIZOMA_TRY(sweep.step());
    const Changes changes = sweep.tally();
    jacobi.teleport.pass_on(dangling = changes.dangling);
    chebyshev = acceleration.on();
    jacobi.beyond = acceleration.beyond_next(changes.change);
    result.error = changes.change * (chebyshev ? 1 : options.alpha) / (1 - options.alpha) + precision.error;
    return true;
  };
  // Polynomials may make some scores negative, which none is: raising them to 0 brings them nearer.
  const auto read_scores = [&](const Contribution* messages) {
    return engine.for_vertices(graph, [&, all = scores.data()](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        const VertexId of = isolated.one != kNoVertex && degree[v] < 0 ? isolated.one : v;
        all[v] = graph.is_live(v) ? std::max(messages[of] * std::abs(double{degree[of]}), 0.0) : 0;
      }
    });
  };
  loop.update_by([&] { return read_scores(sweep.messages()); });
  RIZOMA_TRY(loop.run(step));
  RIZOMA_ASSIGN(const Contribution* const messages, sweep.end(chebyshev));
  RIZOMA_TRY(read_scores(messages));
  result.scores = std::move(scores).take();
  RIZOMA_TRY(loop.gather(result.scores));
  return result;
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
  const auto shares = [&](std::span<const double> given, std::string_view what) -> Result<Shares> {
    RIZOMA_ASSIGN(const double sum, checked_sum(graph, given, what, "pagerank"));
    return Shares{1 / static_cast<double>(graph.num_live()), given, sum};
  };
  RIZOMA_ASSIGN(const Shares personalization, shares(options.personalization, "personalization"));
  RIZOMA_ASSIGN(const Shares dangling, shares(options.dangling, "dangling"));
  RIZOMA_ASSIGN(const Shares start, shares(options.start, "start"));
  const Teleport teleport{options.alpha, personalization, options.dangling.empty() ? personalization : dangling};
  const Precision precision = precision_of(graph, options);
  if (options.use_weights) return iterate<double, true>(engine, graph, options, precision, teleport, start);
  return precision.compact ? iterate<float, false>(engine, graph, options, precision, teleport, start)
                           : iterate<double, false>(engine, graph, options, precision, teleport, start);
}

}  // namespace rizoma
