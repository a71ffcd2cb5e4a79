#include <rizoma/algorithms/influence_maximization.h>
#include <rizoma/detail/same_call.h>

#include "algorithms/influence/cascade_sampling.h"
#include "algorithms/influence/rr_sets.h"
#include "algorithms/shared/scaled_weights.h"
#include "engine/loop/checked_sum.h"
#include "engine/loop/kernel_arguments.h"
#include "engine/loop/whole_graph.h"

#include <rizoma/iteration.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

namespace rizoma {
namespace {

using rr_sets::Chosen;
using rr_sets::Collection;

const double kGreedy = 1 - std::exp(-1.0);  // the share of the optimum that greedy choice guarantees

constexpr double kLead = 1.025;     // opim goes on while seeds lead by more than this on the half they were chosen from
constexpr unsigned kForJudges = 4;  // opim chooses from this many times the RR sets that judge
constexpr int kDoublings = 4;       // opim doubles at most this often after the guarantee is proven
constexpr double kFew = 1024;       // RR sets to begin with, at least

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

class Maximization {
 public:
  Maximization(Iteration& loop, const InfluenceMaximizationOptions& options)
      : loop_(loop),
        graph_(loop.graph()),
        options_(options),
        roots_(graph_, options.weights),
        n_(static_cast<double>(graph_.num_live())),
        whole_(roots_.total()),
        k_(static_cast<double>(options.k)),
        delta_(options.delta > 0 ? options.delta : 1 / std::max(n_, 2.0)),
        log_sets_(log_choose(n_, k_)),
        least_(least_spread()) {}

  /// RR sets double until the seeds of the first collection prove their worth on the second, and have settled.
  Result<SeedsFound> opim() {
    const double root = root_of(6 / delta_);
    const double most = std::max(enough_for(least_, root), 1.0);
    const double first = std::max(2 * root * root, kFew);
    const double rounds = std::max(std::ceil(std::log2(most / first)), 0.0) + 1;
    const double share = std::log(3 * rounds / delta_);
    Collection chooses = collection(mix64(options_.seed));
    Collection judges = collection(mix64(~options_.seed));
    const std::uint64_t for_judges =
        std::max(options_.max_bytes / (kForJudges + 1), std::min<std::uint64_t>(options_.max_bytes, 1));
    const std::uint64_t for_choice = options_.max_bytes - options_.max_bytes / (kForJudges + 1);
    std::vector<VertexId> former;
    double size = first;
    int since_proven = -1;
    for (double round = 1;; ++round, size *= 2) {
      const std::size_t former_segments = chooses.num_segments();
      RIZOMA_TRY(chooses.grow(whole(size), for_choice));
      RIZOMA_TRY(judges.grow(whole(size / kForJudges), for_judges));
      RIZOMA_ASSIGN(const Chosen chosen, choose(chooses));
      SeedsFound found = answer(chosen, chooses);
      RIZOMA_TRY(judge(found, chosen, chooses, judges, share));
      const bool last = round >= rounds;  // suffices, whatever the bounds are
      if (found.guarantee >= kGreedy - options_.epsilon) ++since_proven;
      bool enough = last || since_proven >= kDoublings || whole(size) >= whole(imm_size(found.lower_bound));
      if (!enough && since_proven >= 0 && round > 1) {
        RIZOMA_ASSIGN(enough, settled(chooses, former_segments, former));
      }
      if (enough && (last || since_proven >= 0)) {
        if (last) found.guarantee = std::max(found.guarantee, kGreedy - options_.epsilon);
        count(found, chooses);
        count(found, judges);
        return found;
      }
      former = all_seeds(chosen);
    }
  }

  /// As many RR sets as a lower bound on the best spread asks for.
  Result<SeedsFound> imm() {
    const double log_n = std::log(std::max(n_, 2.0));
    const double ell = -std::log(delta_) / log_n + std::log(2.0) / log_n;
    const double loose = std::sqrt(2.0) * options_.epsilon;
    const double rounds = std::max(std::floor(std::log2(n_)) - 1, 1.0);
    const double need = (2 + 2 * loose / 3) * (log_sets_ + ell * log_n + std::log(std::max(std::log2(n_), 1.0))) *
                        whole_ / (loose * loose);
    Collection drawn = collection(mix64(options_.seed));
    double bound = least_;
    for (double round = 1, guess = whole_ / 2; round <= rounds; ++round, guess /= 2) {
      RIZOMA_TRY(drawn.grow(whole(need / guess), options_.max_bytes));
      RIZOMA_ASSIGN(const Chosen chosen, choose(drawn));
      const double spread = whole_ * static_cast<double>(chosen.hits) / static_cast<double>(drawn.size());
      if (spread < (1 + loose) * guess) continue;
      bound = std::max(bound, spread / (1 + loose));
      break;
    }
    RIZOMA_TRY(drawn.grow(whole(imm_size(bound)), options_.max_bytes));
    RIZOMA_ASSIGN(const Chosen chosen, choose(drawn));
    SeedsFound found = answer(chosen, drawn);
    count(found, drawn);
    found.guarantee = kGreedy - options_.epsilon;
    found.lower_bound = std::max(found.guarantee * bound, own_weight(all_seeds(chosen)));
    found.upper_bound = found.guarantee > 0 ? std::min(found.spread / found.guarantee, whole_) : whole_;
    return found;
  }

 private:
  [[nodiscard]] Collection collection(std::uint64_t seed) const {
    return {loop_, options_.cascade, roots_, seed, options_.spill_directory, options_.staging};
  }
  /// Bounds the number of RR sets by its square, if the bound may fail once in this many cases.
  [[nodiscard]] double root_of(double cases) const {
    const double log_cases = std::log(cases);
    return kGreedy * std::sqrt(log_cases) + std::sqrt(kGreedy * (log_sets_ + log_cases));
  }
  /// As many RR sets as prove the guarantee for seeds chosen from them, if the best seeds reach `bound`.
  [[nodiscard]] double enough_for(double bound, double root) const {
    return 2 * whole_ * root * root / (options_.epsilon * options_.epsilon) / bound;
  }
  /// As many as IMM draws then.
  [[nodiscard]] double imm_size(double bound) const { return enough_for(bound, root_of(4 / delta_)); }
  /// The spread by RR sets that the seeds were not chosen from, and what it proves (OPIM-C's bounds, each of which
  /// fails with a chance of e^-share).
  Status judge(SeedsFound& found, const Chosen& chosen, const Collection& chooses, const Collection& judges,
               double share) const {
    RIZOMA_ASSIGN(const std::uint64_t count, judges.hit(all_seeds(chosen)));
    const auto hits = static_cast<double>(count);
    const double per_hit = whole_ / static_cast<double>(judges.size());
    const double low = std::sqrt(hits + 2 * share / 9) - std::sqrt(share / 2);
    const double high = std::sqrt(static_cast<double>(chosen.most_hits) + share / 2) + std::sqrt(share / 2);
    found.spread = hits * per_hit;
    found.lower_bound = std::max(low > 0 ? (low * low - share / 18) * per_hit : 0.0, own_weight(all_seeds(chosen)));
    found.upper_bound = std::min(high * high * whole_ / static_cast<double>(chooses.size()), whole_);
    found.guarantee = std::min(found.lower_bound / found.upper_bound, 1.0);
    return {};
  }
  /// Whether more RR sets would hardly change what the seeds reach.  Greedy choice from half of the RR sets seems to
  /// hit more of these than the other half's seeds do, which are as good.  Where some vertices stand out, about half of
  /// that lead is what its seeds lack to the best, and seeds from all of them lack half as much.  Where many are alike
  /// it says nothing, for chance chose among them: so `opim` has other bounds besides.
  [[nodiscard]] Result<bool> settled(const Collection& collection, std::size_t former_segments,
                                     std::span<const VertexId> former) const {
    RIZOMA_ASSIGN(const Chosen anew, choose(collection, former_segments));
    RIZOMA_ASSIGN(const std::uint64_t hits, collection.hit(former, former_segments));
    return static_cast<double>(anew.hits) <= kLead * static_cast<double>(hits);
  }
  static std::uint64_t whole(double size) { return static_cast<std::uint64_t>(std::ceil(std::min(size, 0x1p62))); }
  [[nodiscard]] double weight(VertexId v) const { return options_.weights.empty() ? 1 : options_.weights[v]; }
  /// What seeds reach at least: themselves.
  [[nodiscard]] double own_weight(std::span<const VertexId> seeds) const {
    double sum = 0;
    for (const VertexId v : seeds) sum += weight(v);
    return sum;
  }
  /// What the best seeds reach at least: the heaviest vertices reach themselves.
  [[nodiscard]] double least_spread() const {
    const double given = own_weight(options_.seeds);
    if (options_.weights.empty()) return given + k_;
    std::vector<double> others(options_.weights.begin(), options_.weights.end());
    for (VertexId v = 0; v < others.size(); ++v) others[v] = graph_.is_live(v) ? others[v] : 0;
    for (const VertexId v : options_.seeds) others[v] = 0;
    const auto end = others.begin() + static_cast<std::ptrdiff_t>(options_.k);
    std::partial_sort(others.begin(), end, others.end(), std::greater<>());
    return std::accumulate(others.begin(), end, given);
  }

  Result<Chosen> choose(const Collection& collection, std::size_t first_segment = 0) const {
    return rr_sets::choose(collection, first_segment, graph_.num_vertices(), options_.k, options_.seeds, graph_);
  }
  [[nodiscard]] std::vector<VertexId> all_seeds(const Chosen& chosen) const {
    std::vector<VertexId> all(options_.seeds.begin(), options_.seeds.end());
    all.insert(all.end(), chosen.seeds.begin(), chosen.seeds.end());
    return all;
  }
  [[nodiscard]] SeedsFound answer(const Chosen& chosen, const Collection& collection) const {
    SeedsFound found;
    const double per_hit = whole_ / static_cast<double>(collection.size());
    found.seeds = chosen.seeds;
    for (const std::uint64_t gain : chosen.gains) found.gains.push_back(static_cast<double>(gain) * per_hit);
    found.spread = static_cast<double>(chosen.hits) * per_hit;
    return found;
  }
  static void count(SeedsFound& found, const Collection& collection) {
    found.rr_sets += collection.size();
    found.entries += collection.entries();
    found.bytes += collection.bytes();
    found.read_bytes += collection.read_bytes();
    found.spilled_bytes += collection.spilled_bytes();
  }

  Iteration& loop_;
  const GraphView& graph_;
  const InfluenceMaximizationOptions& options_;
  rr_sets::Roots roots_;
  double n_;
  double whole_;  ///< the weight of all vertices: n unless some count for more than others
  double k_;
  double delta_;
  double log_sets_;  ///< of the number of sets of k vertices
  double least_;     ///< lower bound of the spread of the best seeds
};

Status check(Engine& engine, const GraphView& graph, const InfluenceMaximizationOptions& options) {
  const auto refuse = [](std::string what) {
    return Error{ErrorCode::invalid_argument, "influence_maximization: " + std::move(what)};
  };
  RIZOMA_TRY(check_sources(graph, options.seeds, "influence_maximization"));
  RIZOMA_TRY(check_32_bit_vertices(graph, "influence_maximization"));
  std::vector<VertexId> given(options.seeds.begin(), options.seeds.end());
  std::sort(given.begin(), given.end());
  const auto twice = std::adjacent_find(given.begin(), given.end());
  if (twice != given.end()) return refuse("seed " + std::to_string(*twice) + " (internal id) is given twice");
  const VertexId left = graph.num_live() - given.size();
  if (options.k == 0 || options.k > left)
    return refuse("k is " + std::to_string(options.k) + ", but there are " + std::to_string(left) +
                  " vertices to choose from; it must be from 1 to that number");
  if (!(options.epsilon > 0 && options.epsilon < 1))
    return bad_option("influence_maximization", "epsilon", options.epsilon, "above 0 and below 1");
  if (!(options.delta >= 0 && options.delta < 1))
    return bad_option("influence_maximization", "delta", options.delta, "0 or above, and below 1");
  RIZOMA_TRY(checked_sum(graph, options.weights, "the weight", "influence_maximization"));
  return cascades::check(engine, graph, options.cascade, "influence_maximization");
}

}  // namespace

Result<SeedsFound> influence_maximization(Engine& engine, const GraphView& graph,
                                          const InfluenceMaximizationOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "influence_maximization",
                              {{"model", static_cast<int>(options.cascade.model)},
                               {"chance", static_cast<int>(options.cascade.chance)},
                               {"probability", options.cascade.probability},
                               {"k", options.k},
                               {"epsilon", options.epsilon},
                               {"delta", options.delta},
                               {"method", static_cast<int>(options.method)},
                               {"seeds", options.seeds},
                               {"weights", options.weights}}));
  RIZOMA_TRY(expect_whole_graph(engine, graph, "influence_maximization"));
  Iteration loop(engine, graph, "influence_maximization");
  loop.forgo();
  RIZOMA_TRY(loop.begin());
  RIZOMA_TRY(check(engine, graph, options));
  const ScaledWeights weights(graph, options.weights);
  InfluenceMaximizationOptions scaled = options;
  scaled.weights = weights.values();
  RIZOMA_TRY(loop.agree_on(scaled.seed));
  // How many RR sets all processes draw at a time goes by the memory for them: 0 is no bound.
  const auto less = [](std::uint64_t a, std::uint64_t b) { return std::min(a - 1, b - 1) + 1; };
  RIZOMA_ASSIGN(scaled.max_bytes, loop.total(scaled.max_bytes, less));
  Maximization maximization(loop, scaled);
  RIZOMA_ASSIGN(SeedsFound found, options.method == InfluenceMethod::opim ? maximization.opim() : maximization.imm());
  for (std::uint64_t* const bytes : {&found.bytes, &found.spilled_bytes, &found.read_bytes}) {
    RIZOMA_ASSIGN(*bytes, loop.total(*bytes));
  }
  for (double& gain : found.gains) gain = weights.restore(gain);
  for (double* const each : {&found.spread, &found.lower_bound, &found.upper_bound}) *each = weights.restore(*each);
  return found;
}

}  // namespace rizoma
