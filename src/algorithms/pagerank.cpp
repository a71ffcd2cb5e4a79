#include <rizoma/algorithms/pagerank.h>

#include "base/check.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

// Contributions (rank / out-degree) are what an iteration reads at random: half the bytes, half the
// cache misses.  As float32 each is off by at most 2^-24 of its value, the sum of two by as much again,
// and so is each sum of all; iterating multiplies that by at most 1 / (1 - alpha).  Used where it stays
// below 1e-6 and pays.
constexpr double kFloatError = 0x1p-23;
constexpr double kCompactError = 1e-6;
constexpr VertexId kCompactVertices = VertexId{1} << 17;

/// What one thread adds up over the vertices it updates.
struct alignas(64) Sums {
  double change = 0;                                   ///< L1 distance of new and old ranks
  double dangling = 0;                                 ///< new rank of the vertices without out-edges
  std::vector<std::pair<ListPiece, double>> pieces{};  ///< of great lists, with what each received
};

double rounding_bound(double alpha) { return kFloatError / (1 - alpha); }

/// True if contributions may be float32: a plain run on a large graph whose ranks all are at least
/// (1 - alpha) / n, and that is not asked for more digits than float32 gives.
bool may_be_compact(const GraphView& graph, const PageRankOptions& options) {
  const double change_asked = options.tol * static_cast<double>(graph.num_live());
  return graph.num_vertices() > kCompactVertices && !options.use_weights && options.personalization.empty() &&
         rounding_bound(options.alpha) <= kCompactError && (options.tol <= 0 || change_asked >= kCompactError);
}

Error invalid(std::string message) { return {ErrorCode::invalid_argument, "pagerank: " + std::move(message)}; }

/// Checks n non-negative values with a positive sum over live vertices; returns that sum, or 0 for
/// an empty span.
Result<double> checked_sum(const GraphView& graph, std::span<const double> values, const char* name) {
  if (values.empty()) return 0.0;
  if (values.size() != graph.num_vertices()) {
    return invalid(std::string(name) + " has " + std::to_string(values.size()) + " values, the graph has " +
                   std::to_string(graph.num_vertices()) + " vertices");
  }
  double sum = 0;
  for (VertexId v = 0; v < values.size(); ++v) {
    if (!(values[v] >= 0) || std::isinf(values[v])) {
      return invalid(std::string(name) + " of vertex " + std::to_string(v) +
                     " (inner number) is not a finite number >= 0");
    }
    if (graph.is_live(v)) sum += values[v];
  }
  if (!(sum > 0) || std::isinf(sum)) return invalid(std::string(name) + " must have a positive, finite sum");
  return sum;
}

/// The power iteration.  `Contribution` is the type that rank / out-weight is stored in, `Weight` the
/// graph's weight type, or void to follow all edges alike.
template <class Target, class Weight, class Contribution>
class PowerIteration {
 public:
  PowerIteration(Engine& engine, const GraphView& graph, const PageRankOptions& options, const Adjacency<Target>& out,
                 const Adjacency<Target>* in)
      : engine_(engine),
        graph_(graph),
        options_(options),
        out_(out),
        in_(in),
        n_(graph.num_vertices()),
        live_(static_cast<double>(graph.num_live())),
        partial_(engine.threads()) {}

  Result<PageRankResult> run(double personalization_sum, double dangling_sum, double start_sum) {
    personalization_sum_ = personalization_sum;
    dangling_sum_ = dangling_sum;
    ranks_ = engine_.make_map<double>(n_, 0);
    contributions_ = engine_.make_map<Contribution>(n_, 0);
    next_contributions_ = engine_.make_map<Contribution>(n_, 0);
    if constexpr (kWeighted) {
      inverse_out_weights_ = engine_.make_map<double>(n_, 0);
      RIZOMA_TRY(sum_out_weights());
    }
    RIZOMA_TRY(set_start(start_sum));

    PageRankResult result;
    result.converged = graph_.num_live() == 0;
    for (double change = 0; result.iterations < options_.max_iter && !result.converged; ++result.iterations) {
      RIZOMA_TRY(engine_.report("pagerank", result.iterations, options_.max_iter));
      RIZOMA_TRY(in_ != nullptr ? pull() : push());
      std::swap(contributions_, next_contributions_);
      change = collect().change;
      result.error = change * options_.alpha / (1 - options_.alpha);
      result.converged = options_.tol > 0 && change < live_ * options_.tol;
    }
    if (std::is_same_v<Contribution, float>) result.error += rounding_bound(options_.alpha);
    result.ranks = std::move(ranks_);
    return result;
  }

 private:
  static constexpr bool kWeighted = !std::is_void_v<Weight>;
  static constexpr double kLeastSum = 0x1p-900;
  static constexpr double kGreatestSum = 0x1p900;

  /// Probability that a jump lands at v.
  [[nodiscard]] double jump(VertexId v) const {
    return options_.personalization.empty() ? 1 / live_ : options_.personalization[v] / personalization_sum_;
  }

  /// What lands at v from dangling vertices that do not jump as all others do.
  [[nodiscard]] double from_dangling(VertexId v) const {
    return options_.dangling.empty() ? 0 : dangling_ * (options_.dangling[v] / dangling_sum_);
  }

  [[nodiscard]] double inverse_out_weight(VertexId v) const {
    if constexpr (kWeighted) {
      return inverse_out_weights_[v];
    } else {
      const EdgeCount degree = out_.degree(v);
      return degree == 0 ? 0 : 1 / static_cast<double>(degree);
    }
  }

  /// Sets what v passes on along each unit of out-weight, or counts its rank as dangling.
  void pass_on(VertexId v, double rank, Contribution* contributions, Sums& sums) {
    const double share = inverse_out_weight(v);
    contributions[v] = static_cast<Contribution>(rank * share);
    if (share == 0) sums.dangling += rank;
  }

  /// Gives v its new rank, made of what its in-neighbours passed on.
  void update(VertexId v, double received, double jumping, Sums& sums) {
    const double rank = graph_.is_live(v) ? options_.alpha * received + jumping * jump(v) + from_dangling(v) : 0;
    sums.change += std::abs(rank - ranks_[v]);
    ranks_[v] = rank;
    pass_on(v, rank, next_contributions_.data(), sums);
  }

  /// Adds up, and clears, the sums of all threads.
  Sums collect() {
    Sums all;
    for (Sums& sums : partial_) {
      all.change += sums.change;
      all.dangling += sums.dangling;
      sums.change = sums.dangling = 0;
    }
    dangling_ = options_.alpha * all.dangling;
    jumping_ = (1 - options_.alpha) + (options_.dangling.empty() ? dangling_ : 0);
    return all;
  }

  /// What an edge counts: its weight in the unit.
  template <class W>
  [[nodiscard]] double scaled(W weight) const noexcept {
    return static_cast<double>(weight) * unit_;
  }

  /// Weights are taken as they are if every sum and its inverse are far from the ends of the range of numbers, and in
  /// the unit of the greatest else.
  Status sum_out_weights() {
    RIZOMA_ASSIGN(const bool all_in_range, try_out_weights());
    if (all_in_range) return {};
    RIZOMA_TRY(choose_unit());
    RIZOMA_ASSIGN(const bool all_in_unit, try_out_weights());
    if (all_in_unit) return {};
    return invalid(
        "the weights of some vertices' edges are more than 1e270 times greater than those of others; "
        "bring them nearer to each other");
  }

  /// Sums the weights of each vertex; true if all sums are within the range.
  Result<bool> try_out_weights() {
    std::atomic<VertexId> bad = kNoVertex;
    std::atomic<bool> in_range = true;
    RIZOMA_TRY(engine_.for_edges(graph_, Direction::out, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        double sum = 0;
        bool some = false;
        for (const auto weight : out_.template weights<std::conditional_t<kWeighted, Weight, int>>(v)) {
          if (!(weight >= 0) || std::isinf(static_cast<double>(weight))) bad = v;
          some = some || weight > 0;
          sum += scaled(weight);
        }
        if (some && !(sum >= kLeastSum && sum <= kGreatestSum)) in_range = false;
        inverse_out_weights_[v] = sum > 0 ? 1 / sum : 0;
      }
    }));
    if (bad != kNoVertex) {
      return invalid("an edge of vertex " + std::to_string(bad) +
                     " (inner number) has a negative or infinite weight, or NaN");
    }
    return in_range.load();
  }

  /// The unit is a power of two that brings the greatest weight near 1; no sum of weights overflows then.
  Status choose_unit() {
    std::vector<double> greatest(engine_.threads());
    RIZOMA_TRY(engine_.for_edges(graph_, Direction::out, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        for (const auto weight : out_.template weights<std::conditional_t<kWeighted, Weight, int>>(v))
          greatest[thread] = std::max(greatest[thread], static_cast<double>(weight));
      }
    }));
    // Not beyond the range of numbers: then the least of all, times this, is 2^-51, which is near enough to 1.
    unit_ = std::ldexp(1.0, std::min(-std::ilogb(*std::max_element(greatest.begin(), greatest.end())), 1023));
    return {};
  }

  Status set_start(double start_sum) {
    RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned thread) {
      Sums sums;
      for (VertexId v = block.begin; v < block.end; ++v) {
        if (!graph_.is_live(v)) continue;
        ranks_[v] = start_sum > 0 ? options_.start[v] / start_sum : 1 / live_;
        pass_on(v, ranks_[v], contributions_.data(), sums);
      }
      partial_[thread].dangling += sums.dangling;
    }));
    collect();
    return {};
  }

  /// One pass over the in-edges does it all: sum, rank, change, dangling, next contribution.  Great lists
  /// are summed in pieces, whose sums wait until all are there.
  Status pull() {
    RIZOMA_TRY(engine_.for_pieces(
        graph_, Direction::in,
        [&](VertexRange block, unsigned thread) {
          const double jumping = jumping_;
          Sums sums;
          for (VertexId v = block.begin; v < block.end; ++v) update(v, received({v, 0, in_->degree(v)}), jumping, sums);
          partial_[thread].change += sums.change;
          partial_[thread].dangling += sums.dangling;
        },
        [&](ListPiece piece, unsigned thread) { partial_[thread].pieces.emplace_back(piece, received(piece)); }));
    join_pieces();
    return {};
  }

  /// Adds up the pieces of each great list in its order, whichever thread summed them.
  void join_pieces() {
    std::vector<std::pair<ListPiece, double>> all;
    for (Sums& sums : partial_) {
      all.insert(all.end(), sums.pieces.begin(), sums.pieces.end());
      sums.pieces.clear();
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first.vertex, a.first.begin) < std::pair(b.first.vertex, b.first.begin);
    });
    for (auto piece = all.begin(); piece != all.end();) {
      const VertexId v = piece->first.vertex;
      double sum = 0;
      for (; piece != all.end() && piece->first.vertex == v; ++piece) sum += piece->second;
      update(v, sum, jumping_, partial_[0]);
    }
  }

  [[nodiscard]] double received(const ListPiece& piece) const {
    const auto sources = in_->neighbors(piece.vertex).subspan(piece.begin, piece.end - piece.begin);
    if constexpr (kWeighted) {
      const auto weights = in_->template weights<Weight>(piece.vertex).subspan(piece.begin, piece.end - piece.begin);
      double sum = 0;
      if (unit_ == 1) {
        for (std::size_t i = 0; i < sources.size(); ++i) sum += contributions_[sources[i]] * weights[i];
      } else {
        for (std::size_t i = 0; i < sources.size(); ++i) sum += contributions_[sources[i]] * scaled(weights[i]);
      }
      return sum;
    } else {
      return sum_of(contributions_.data(), sources);
    }
  }

  /// Sum of values[i] over the indices.  Four sums at once, because an addition must wait for the one
  /// before it and would be slower than the reads; of float32 two are added before they become a double,
  /// because the conversions would be slower than the reads too.
  static double sum_of(const Contribution* values, std::span<const Target> indices) noexcept {
    constexpr int kTogether = std::is_same_v<Contribution, float> ? 2 : 1;
    const Target* i = indices.data();
    const Target* const end = i + indices.size();
    double sums[4] = {};
    for (; end - i >= 4 * kTogether; i += 4 * kTogether) {
      for (int k = 0; k < 4; ++k) {
        Contribution some = values[i[k * kTogether]];
        if constexpr (kTogether == 2) some += values[i[2 * k + 1]];
        sums[k] += some;
      }
    }
    if constexpr (kTogether == 2) {
      for (; end - i >= 2; i += 2) sums[1] += values[i[0]] + values[i[1]];
    }
    for (; i != end; ++i) sums[0] += values[*i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  /// For graphs without in-edges: contributions are added up at their targets by atomic additions.
  Status push() {
    VertexMap<double> sums_at = engine_.make_map<double>(n_, 0);
    RIZOMA_TRY(engine_.for_edges(graph_, Direction::out, [&](VertexRange block, unsigned) {
      for (VertexId u = block.begin; u < block.end; ++u) send(u, sums_at);
    }));
    return engine_.for_vertices(graph_, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) update(v, sums_at[v], jumping_, partial_[thread]);
    });
  }

  void send(VertexId u, VertexMap<double>& sums_at) const {
    const double contribution = contributions_[u];
    const auto targets = out_.neighbors(u);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      double amount = contribution;
      if constexpr (kWeighted) amount *= scaled(out_.template weights<Weight>(u)[i]);
      sums_at.atomic(targets[i]).fetch_add(amount, std::memory_order_relaxed);
    }
  }

  Engine& engine_;
  const GraphView& graph_;
  const PageRankOptions& options_;
  const Adjacency<Target>& out_;
  const Adjacency<Target>* in_;  ///< null: the graph stores no in-edges
  VertexId n_;
  double live_;
  double personalization_sum_ = 0;  ///< to divide by: the inverse of the least numbers is infinite
  double dangling_sum_ = 0;
  double unit_ = 1;      ///< that weights are multiplied by
  double dangling_ = 0;  ///< rank of the dangling vertices that is passed on in this iteration
  double jumping_ = 0;   ///< share of all rank that jumps as the personalization says
  std::vector<Sums> partial_;
  VertexMap<double> ranks_;
  VertexMap<double> inverse_out_weights_;
  VertexMap<Contribution> contributions_;
  VertexMap<Contribution> next_contributions_;
};

/// Calls f(out, in) with in = nullptr where the graph stores no in-edges.
template <class F>
auto with_edges(const GraphView& graph, F&& f) {
  if (graph.has_in_edges()) {
    return graph.with_both([&](const auto& out, const auto& in) { return f(out, &in); });
  }
  return graph.with_out([&](const auto& out) { return f(out, static_cast<decltype(&out)>(nullptr)); });
}

}  // namespace

Result<PageRankResult> pagerank(Engine& engine, const GraphView& graph, const PageRankOptions& options) {
  if (!(options.alpha >= 0 && options.alpha < 1)) return invalid("alpha must lie in [0, 1)");
  if (options.max_iter < 0) return invalid("max_iter must not be negative");
  if (std::isnan(options.tol)) return invalid("tol must be a number");
  if (options.use_weights && graph.weight_type() == WeightType::none) {
    return invalid("the graph has no weights; leave them out, or import it with weights");
  }
  RIZOMA_ASSIGN(const double personalization_sum, checked_sum(graph, options.personalization, "personalization"));
  RIZOMA_ASSIGN(const double dangling_sum, checked_sum(graph, options.dangling, "dangling"));
  RIZOMA_ASSIGN(const double start_sum, checked_sum(graph, options.start, "start"));

  return with_edges(graph, [&](const auto& out, const auto* in) -> Result<PageRankResult> {
    using Target = typename std::remove_cvref_t<decltype(out)>::target_type;
    const auto run = [&]<class Weight, class Contribution>() {
      return PowerIteration<Target, Weight, Contribution>(engine, graph, options, out, in)
          .run(personalization_sum, dangling_sum, start_sum);
    };
    if (!options.use_weights) {
      return may_be_compact(graph, options) ? run.template operator()<void, float>()
                                            : run.template operator()<void, double>();
    }
    switch (graph.weight_type()) {
      case WeightType::int32: return run.template operator()<std::int32_t, double>();
      case WeightType::float32: return run.template operator()<float, double>();
      case WeightType::float64: return run.template operator()<double, double>();
      case WeightType::none: break;
    }
    throw InternalError("pagerank: unknown weight type");
  });
}

}  // namespace rizoma
