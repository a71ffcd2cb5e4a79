#include <rizoma/algorithms/pagerank.h>

#include "algorithms/checked_sum.h"
#include "algorithms/out_shares.h"

#include <rizoma/degrees.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

// Contributions (rank / out-degree) are what an iteration reads at random: half the bytes, half the
// cache misses.  As float32 each is off by at most 2^-24 of its value, the sum of two by as much again,
// and so is each sum of all; iterating multiplies that by at most 1 / (1 - alpha).  Used where it stays
// below 1e-6 and pays.
constexpr double kFloatError = 0x1p-23;
constexpr double kCompactError = 1e-6;
constexpr VertexId kCompactVertices = VertexId{1} << 17;

double rounding_bound(double alpha) { return kFloatError / (1 - alpha); }

/// True if contributions may be float32: a plain run on a large graph whose ranks all are at least
/// (1 - alpha) / n, and that is not asked for more digits than float32 gives.
bool may_be_compact(const GraphView& graph, const PageRankOptions& options) {
  const double change_asked = options.alpha > 0 ? options.tol * (1 - options.alpha) / options.alpha : options.tol;
  return graph.num_vertices() > kCompactVertices && !options.use_weights && options.personalization.empty() &&
         rounding_bound(options.alpha) <= kCompactError && (options.tol <= 0 || change_asked >= kCompactError);
}

Error invalid(std::string message) { return {ErrorCode::invalid_argument, "pagerank: " + std::move(message)}; }

/// What an iteration reads of each vertex and does not change.
struct Surfer {
  double alpha;
  double live;  ///< vertices
  std::span<const double> personalization;
  std::span<const double> dangling;
  double personalization_sum = 0;  ///< to divide by: the inverse of the least numbers is infinite
  double dangling_sum = 0;
  const OutShares* out_shares = nullptr;

  [[nodiscard]] bool treats_all_alike() const noexcept { return personalization.empty() && dangling.empty(); }
  /// Probability that a jump lands at v, where the personalization says.
  [[nodiscard]] double jump(VertexId v) const { return personalization[v] / personalization_sum; }
  /// Part of what lands at v from dangling vertices that do not jump as all others do.
  [[nodiscard]] double from_dangling(VertexId v) const { return dangling.empty() ? 0 : dangling[v] / dangling_sum; }
};

/// One iteration: every vertex shows the rank that it passes on, and gets the sum of what it is shown.
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

  Surfer surfer;
  double* ranks;                ///< the new ones, in the place of the last or of those before them
  double* last;                 ///< the last ones
  const double* shares;         ///< of what a vertex passes on: that of each edge; 0: it has none
  double unit = 1;              ///< of weights
  double jumping = 0;           ///< share of all rank that jumps as the personalization says
  double jumping_anywhere = 0;  ///< what of it each vertex gets without a personalization
  double dangling = 0;          ///< rank that goes where `dangling` says
  double beyond = 0;            ///< how far to go beyond Jacobi's new ranks, away from those before the last

  [[nodiscard]] Shown show(VertexId v) const { return static_cast<Shown>(ranks[v] * shares[v]); }
  [[nodiscard]] double fold(double sum, const auto& entries) const { return sum + sum_shown(entries, unit); }
  [[nodiscard]] double combine(double a, double b) const { return a + b; }
  void apply(VertexId v, double received, Tally& tally) {
    double rank = surfer.alpha * received + jumping_anywhere;
    if (!surfer.personalization.empty()) rank += jumping * surfer.jump(v);
    if (!surfer.dangling.empty()) rank += dangling * surfer.from_dangling(v);
    tally.change += std::abs(rank - last[v]);
    rank += beyond * (rank - ranks[v]);
    ranks[v] = rank;
    if (shares[v] == 0) tally.dangling += rank;
  }
  /// Where the rank of dangling vertices goes in the next iteration.
  void pass_on(double from_dangling) {
    jumping = 1 - surfer.alpha + (surfer.dangling.empty() ? surfer.alpha * from_dangling : 0);
    jumping_anywhere = surfer.personalization.empty() ? jumping / surfer.live : 0;
    dangling = surfer.alpha * from_dangling;
  }
};

/// Chebyshev's acceleration of an iteration whose eigenvalues are real and at most alpha in size.
class Acceleration {
 public:
  Acceleration(bool wanted, double alpha) : wanted_(wanted), alpha_(alpha) {}

  [[nodiscard]] bool on() const noexcept { return room_.size() > 0; }

  /// After an iteration: makes the next one ready, by what this one has changed.
  template <class Program>
  void go_on(Engine& engine, VertexId n, double change, Program& iteration) {
    const double promised = alpha_ / (1 + std::sqrt(1 - alpha_ * alpha_));
    const bool slow = change > std::pow(promised, kSlow) * former_change_;
    former_change_ = change;
    if (!wanted_ || (!on() && !slow)) return;
    if (!on()) {
      room_ = engine.make_map<double>(n, 0);
      iteration.ranks = room_.data();
      return;  // the first of them is Jacobi's own
    }
    weight_ = 1 / (1 - alpha_ * alpha_ * weight_ / (weight_ == 1 ? 2 : 4));
    iteration.beyond = weight_ - 1;
    std::swap(iteration.last, iteration.ranks);
  }
  /// Makes `ranks` the values at `answer`, which are there or in the room of this.
  void settle(const double* answer, VertexMap<double>& ranks) {
    if (answer != ranks.data()) std::swap(ranks, room_);
  }

 private:
  static constexpr double kSlow = 0.8;  ///< of a polynomial's step, as an exponent: below 1 for every alpha
  bool wanted_;
  double alpha_;
  double former_change_ = std::numeric_limits<double>::infinity();
  double weight_ = 1;
  VertexMap<double> room_;  ///< for the ranks before the last
};

/// Vertices that neither pass anything on nor are passed anything, in a graph where all such have the same rank: one of
/// them stands for the others, which sweeps pass over.  A filtered graph may have more of them than of all else.
class Alone {
 public:
  /// Of an undirected graph.
  static Result<Alone> find(Engine& engine, const GraphView& graph, const double* shares) {
    Alone alone;
    VertexSet found = engine.make_set(graph.num_vertices());
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        if (shares[v] == 0 && graph.is_live(v)) found.add_atomic(v);
      }
    }));
    found.recount();
    if (found.count() < graph.num_vertices() / kWorthwhile + 2) return alone;
    VertexId word = 0;
    while (found.word(word) == 0) ++word;
    alone.one_ = 64 * word + static_cast<VertexId>(std::countr_zero(found.word(word)));
    found.words()[word] &= found.word(word) - 1;
    found.recount();
    alone.count_ = found.count();
    alone.others_ = std::move(found);
    return alone;
  }

  [[nodiscard]] bool any() const noexcept { return count_ > 0; }
  [[nodiscard]] VertexId one() const noexcept { return one_; }
  [[nodiscard]] VertexSet others() const { return others_; }
  /// The others' part of the tally of an iteration that changed the one's rank by so much.
  template <class Tally>
  void add_to(Tally& tally, double change, double rank) const {
    tally.change += static_cast<double>(count_) * change;
    tally.dangling += static_cast<double>(count_) * rank;
  }
  void settle(std::span<double> ranks) const {
    others_.for_each([&](VertexId v) { ranks[v] = ranks[one_]; });
  }

 private:
  static constexpr VertexId kWorthwhile = 8;  ///< of so many vertices one at least
  VertexSet others_;
  VertexId count_ = 0;
  VertexId one_ = 0;
};

/// What goes into a checkpoint beside the ranks.
struct Figures {
  std::array<double, 3> of = {};  ///< iterations, rank of the vertices without out-edges, error
  [[nodiscard]] int iterations() const noexcept { return static_cast<int>(of[0]); }
  [[nodiscard]] double dangling() const noexcept { return of[1]; }
  [[nodiscard]] double error() const noexcept { return of[2]; }
  /// Ranks are parts of 1; only before the first iteration nothing is known of the error.
  [[nodiscard]] bool sound() const noexcept {
    return whole_below(of[0], 0x1p31) && of[1] >= 0 && of[1] <= 2 && of[2] >= 0 && (of[0] == 0 || std::isfinite(of[2]));
  }
};

/// The ranks to begin with: those of a checkpoint, or the ones given.
template <class Start>
Result<Figures> first_ranks(Engine& engine, const GraphView& graph, Checkpoints* checkpoints, VertexMap<double>& ranks,
                            Start start) {
  Figures figures;
  if (checkpoints != nullptr) {
    const auto sound = [&] {
      return figures.sound() && std::ranges::all_of(ranks.span(), [](double rank) { return rank >= 0 && rank <= 2; });
    };
    RIZOMA_ASSIGN(const bool resumed, checkpoints->resume({figures.of, {column_of(ranks)}, sound}));
    if (resumed) return figures;
  }
  RIZOMA_ASSIGN(const double dangling, process_vertices(engine, graph, 0.0, start));
  figures.of = {0, dangling, std::numeric_limits<double>::infinity()};
  return figures;
}

template <class Contribution, bool kWeighted>
Result<PageRankResult> iterate(Engine& engine, const GraphView& graph, const PageRankOptions& options,
                               const Surfer& surfer, double start_sum) {
  PageRankResult result{.ranks = engine.make_map<double>(graph.num_vertices(), 0)};
  Iteration<Contribution, kWeighted> iteration{surfer, result.ranks.data(), result.ranks.data(),
                                               surfer.out_shares->of_vertex.data(), surfer.out_shares->unit};
  const auto set_start = [&](VertexId v) {
    result.ranks[v] = start_sum > 0 ? options.start[v] / start_sum : 1 / surfer.live;
    return iteration.shares[v] == 0 ? result.ranks[v] : 0;
  };
  RIZOMA_ASSIGN(Figures figures, first_ranks(engine, graph, options.checkpoints, result.ranks, set_start));
  result.iterations = result.resumed_after = figures.iterations();
  iteration.pass_on(figures.dangling());
  Sweep<Iteration<Contribution, kWeighted>> sweep(engine, graph, iteration);
  RIZOMA_TRY(sweep.start_all());
  Alone alone;
  if (!graph.directed() && engine.ranks() == nullptr && options.checkpoints == nullptr && surfer.treats_all_alike() &&
      start_sum == 0) {
    RIZOMA_ASSIGN(alone, Alone::find(engine, graph, iteration.shares));
    if (alone.any()) sweep.leave_out(alone.others());
  }
  if (result.iterations > 0) result.error = figures.error();
  result.converged = graph.num_live() == 0 || (options.tol > 0 && figures.error() < options.tol);
  Acceleration acceleration(options.accelerate && !graph.directed() && options.checkpoints == nullptr, options.alpha);
  const double* answer = result.ranks.data();
  for (; result.iterations < options.max_iter && !result.converged; ++result.iterations) {
    RIZOMA_TRY(engine.report("pagerank", result.iterations, options.max_iter));
    const double without_edges = alone.any() ? iteration.jumping_anywhere - iteration.last[alone.one()] : 0;
    RIZOMA_TRY(sweep.step());
    auto tally = sweep.tally();
    if (alone.any()) alone.add_to(tally, std::abs(without_edges), iteration.ranks[alone.one()]);
    const auto [change, new_dangling] = tally;
    iteration.pass_on(new_dangling);
    answer = acceleration.on() ? iteration.last : iteration.ranks;
    result.error = change * (acceleration.on() ? 1 : options.alpha) / (1 - options.alpha);
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
  if (std::is_same_v<Contribution, float>) result.error += rounding_bound(options.alpha);
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
  Surfer surfer{options.alpha,           static_cast<double>(graph.num_live()),
                options.personalization, options.dangling,
                personalization_sum,     dangling_sum};
  if (options.use_weights) {
    RIZOMA_ASSIGN(const OutShares shares, out_shares(engine, graph, "pagerank"));
    surfer.out_shares = &shares;
    return iterate<double, true>(engine, graph, options, surfer, start_sum);
  }
  RIZOMA_ASSIGN(const OutShares shares, equal_shares(engine, graph));
  surfer.out_shares = &shares;
  return may_be_compact(graph, options) ? iterate<float, false>(engine, graph, options, surfer, start_sum)
                                        : iterate<double, false>(engine, graph, options, surfer, start_sum);
}

}  // namespace rizoma
