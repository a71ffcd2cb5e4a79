#include <rizoma/algorithms/pagerank.h>

#include "algorithms/checked_sum.h"
#include "algorithms/chebyshev.h"
#include "algorithms/jumps.h"
#include "algorithms/lone_vertices.h"
#include "algorithms/out_shares.h"
#include "algorithms/rank_checkpoint.h"

#include <rizoma/degrees.h>
#include <rizoma/sweep.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

/// One iteration: every vertex shows the rank that it passes on along an edge; what it is shown, and what jumps to it,
/// is its new rank.
template <class Contribution, bool kWeighted>
struct Iteration {
  using Shown = Contribution;
  using Folded = double;
  static constexpr bool weighted = kWeighted;
  static constexpr bool always = true;
  struct Tally {
    double change = 0;    ///< L1 distance of the old ranks to what Jacobi's iteration makes of them
    double dangling = 0;  ///< new rank of the vertices without out-edges
    void add(const Tally& other) {
      change += other.change;
      dangling += other.dangling;
    }
  };

  Jumps jumps;
  double* ranks;         ///< the new ones, in the place of the last or of those before them
  double* last;          ///< the last ones
  const double* shares;  ///< of what a vertex passes on: that of each edge; 0: it has none
  double unit = 1;       ///< of weights
  double most = 1;       ///< sum of ranks in size
  double beyond = 0;     ///< how far to go beyond Jacobi's new ranks, away from those before the last
  double alone = 1;      ///< how many a vertex without edges stands for (lone_vertices.h)

  [[nodiscard]] Shown show(VertexId v) const { return static_cast<Shown>(ranks[v] * shares[v]); }
  [[nodiscard]] double fold(double sum, const auto& entries) const { return sum + sum_shown(entries, unit); }
  [[nodiscard]] double combine(double a, double b) const { return a + b; }
  [[nodiscard]] double most_sum() const { return most; }
  void apply(VertexId v, double received, Tally& tally) {
    const double rank = jumps.alpha * received + jumps.to(v);
    const double change = std::abs(rank - last[v]);
    tally.change += change;
    ranks[v] = rank + beyond * (rank - ranks[v]);
    if (shares[v] == 0) {
      tally.dangling += alone * ranks[v];
      tally.change += (alone - 1) * change;
    }
  }
};

// Contributions (rank / out-degree) are what an iteration reads at random: half the bytes, half the
// cache misses.  As float32 each is off by at most 2^-24 of its value, the sum of two by as much again,
// and so is each sum of all; iterating multiplies that by at most 1 / (1 - alpha).  Used where it stays
// below 1e-6 and pays.
constexpr double kFloatError = 0x1p-23;
constexpr double kCompactError = 1e-6;
constexpr VertexId kCompactVertices = VertexId{1} << 17;

/// What ranks add up to in size, at most.  Chebyshev's polynomials never make the first error greater in the norm in
/// which the iteration is symmetric (squares over degrees), which says so much of sums; and what vertices without edges
/// pass on adds less than 8 up to kMostAlpha.
constexpr double kMostAlpha = 0.88;
double most_of_ranks(const GraphView& graph, const PageRankOptions& options) {
  if (!options.accelerate) return 1;
  if (!options.start.empty() || options.alpha > kMostAlpha) return std::numeric_limits<double>::infinity();
  const double live = static_cast<double>(std::max<VertexId>(graph.num_live(), 1));
  return 8 + std::sqrt(1 + static_cast<double>(graph.num_entries()) / live);
}

/// How far from the exact ranks they are at most because the engine adds up in whole units (edge_program.h: most_sum).
double unit_bound(const GraphView& graph, double most, double alpha) {
  return static_cast<double>(graph.num_entries()) * most * 0x1p-60 / (1 - alpha);
}

/// The same for contributions in float64: whether so much may be added to the error that is asked for.
bool may_be_in_units(const GraphView& graph, const PageRankOptions& options) {
  return options.tol > 0 && options.personalization.empty() && options.dangling.empty() && options.start.empty() &&
         unit_bound(graph, most_of_ranks(graph, options), options.alpha) < options.tol / 4;
}

double rounding_bound(double alpha) { return kFloatError / (1 - alpha); }

/// True if contributions may be float32: a plain run on a large graph whose ranks all are at least
/// (1 - alpha) / n, and that is not asked for more digits than float32 gives.
bool may_be_compact(const GraphView& graph, const PageRankOptions& options) {
  const double change_asked = options.alpha > 0 ? options.tol * (1 - options.alpha) / options.alpha : options.tol;
  return graph.num_vertices() > kCompactVertices && !options.use_weights && options.personalization.empty() &&
         rounding_bound(options.alpha) <= kCompactError && (options.tol <= 0 || change_asked >= kCompactError);
}

Error invalid(std::string message) { return {ErrorCode::invalid_argument, "pagerank: " + std::move(message)}; }

template <class Contribution, bool kWeighted>
Result<PageRankResult> iterate(Engine& engine, const GraphView& graph, const PageRankOptions& options,
                               const Jumps& jumps, const OutShares& shares, double start_sum) {
  PageRankResult result{.ranks = engine.make_map<double>(graph.num_vertices(), 0)};
  constexpr bool kCompact = std::is_same_v<Contribution, float>;  // then units are below what is rounded anyway
  const bool in_units = kCompact || may_be_in_units(graph, options);
  const double most = in_units ? most_of_ranks(graph, options) : std::numeric_limits<double>::infinity();
  const double of_units = kCompact || !in_units ? 0 : unit_bound(graph, most, options.alpha);
  Iteration<Contribution, kWeighted> iteration{
      jumps, result.ranks.data(), result.ranks.data(), shares.of_vertex.data(), shares.unit, most};
  const auto set_start = [&](VertexId v) {
    result.ranks[v] = start_sum > 0 ? options.start[v] / start_sum : 1 / jumps.live;
    return iteration.shares[v] == 0 ? result.ranks[v] : 0;
  };
  RIZOMA_ASSIGN(RankFigures figures, first_ranks(engine, graph, options.checkpoints, result.ranks, set_start));
  result.iterations = result.resumed_after = figures.iterations();
  iteration.jumps.pass_on(figures.dangling());
  Sweep<Iteration<Contribution, kWeighted>> sweep(engine, graph, iteration);
  RIZOMA_TRY(sweep.start_all());
  LoneVertices alone;
  if (!graph.directed() && options.checkpoints == nullptr && jumps.all_alike && start_sum == 0) {
    RIZOMA_ASSIGN(alone, LoneVertices::find(engine, graph, iteration.shares));
    iteration.alone = alone.weight();
    if (alone.any()) sweep.leave_out(alone.others());
  }
  if (result.iterations > 0) result.error = figures.error();
  result.converged = graph.num_live() == 0 || (options.tol > 0 && figures.error() < options.tol);
  Acceleration acceleration(options.accelerate && !graph.directed() && options.checkpoints == nullptr, options.alpha);
  const double* answer = result.ranks.data();
  for (; result.iterations < options.max_iter && !result.converged; ++result.iterations) {
    RIZOMA_TRY(engine.report("pagerank", result.iterations, options.max_iter));
    RIZOMA_TRY(sweep.step());
    const auto [change, new_dangling] = sweep.tally();
    iteration.jumps.pass_on(new_dangling);
    answer = acceleration.on() ? iteration.last : iteration.ranks;
    result.error = change * (acceleration.on() ? 1 : options.alpha) / (1 - options.alpha) + of_units;
    result.converged = options.tol > 0 && result.error < options.tol;
    if (options.checkpoints != nullptr && !result.converged) {
      figures.of = {static_cast<double>(result.iterations + 1), new_dangling, result.error};
      RIZOMA_TRY(options.checkpoints->offer({figures.of, {column_of(result.ranks)}}));
    }
    acceleration.go_on(engine, graph.num_vertices(), change, iteration);
  }
  acceleration.settle(answer, result.ranks);
  if (alone.any()) alone.settle(result.ranks.span());
  if (acceleration.on()) {  // its polynomials may go below 0, where no rank is: this only brings them nearer
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) result.ranks[v] = std::max(result.ranks[v], 0.0);
    }));
  }
  if (kCompact) result.error += rounding_bound(options.alpha);
  return result;
}

/// The shares of a graph without weights.
Result<OutShares> equal_shares(Engine& engine, const GraphView& graph) {
  OutShares shares{engine.make_map<double>(graph.num_vertices(), 0)};
  const Degrees degrees(graph);
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      const EdgeCount degree = degrees[v];
      if (degree > 0) shares.of_vertex[v] = 1 / static_cast<double>(degree);
    }
  }));
  return shares;
}

}  // namespace

Result<PageRankResult> pagerank(Engine& engine, const GraphView& graph, const PageRankOptions& options) {
  if (!(options.alpha >= 0 && options.alpha < 1)) return invalid("alpha must lie in [0, 1)");
  if (options.max_iter < 0) return invalid("max_iter must not be negative");
  if (std::isnan(options.tol)) return invalid("tol must be a number");
  if (options.use_weights && graph.weight_type() == WeightType::none) {
    return invalid("the graph has no weights; leave them out, or import it with weights");
  }
  RIZOMA_ASSIGN(const double personalization_sum,
                checked_sum(graph, options.personalization, "personalization", "pagerank"));
  RIZOMA_ASSIGN(const double dangling_sum, checked_sum(graph, options.dangling, "dangling", "pagerank"));
  RIZOMA_ASSIGN(const double start_sum, checked_sum(graph, options.start, "start", "pagerank"));
  const Jumps jumps{options.alpha,           static_cast<double>(graph.num_live()),
                    options.personalization, options.dangling,
                    personalization_sum,     dangling_sum};
  if (options.use_weights) {
    RIZOMA_ASSIGN(const OutShares shares, out_shares(engine, graph, "pagerank"));
    return iterate<double, true>(engine, graph, options, jumps, shares, start_sum);
  }
  RIZOMA_ASSIGN(const OutShares shares, equal_shares(engine, graph));
  return may_be_compact(graph, options) ? iterate<float, false>(engine, graph, options, jumps, shares, start_sum)
                                        : iterate<double, false>(engine, graph, options, jumps, shares, start_sum);
}

}  // namespace rizoma
