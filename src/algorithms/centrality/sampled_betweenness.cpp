#include <rizoma/algorithms/sampled_betweenness.h>

#include "algorithms/centrality/path_sampler.h"
#include "base/random.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kSamplesAtOnce = 16;
constexpr std::uint64_t kFewest = 256;  // samples of the first estimate
constexpr double kFirstPart = 0.15;  // and of 1 / epsilon^2: a tenth of all where a vertex is within a third of paths
constexpr double kDeviations = 3;    // that the first estimate may be off, so that the first test is mostly the last
constexpr double kShareOfEach = 0.001;  // of delta, which all vertices have in equal parts
constexpr double kFirstTest = 0.9;      // of delta, which the first test has; each later one half of the rest

/// The divergence of Bernoulli distributions (Kullback and Leibler).
double divergence(double a, double b) {
  const double yes = a <= 0 ? 0 : a * std::log(a / b);
  return a >= 1 ? yes : yes + (1 - a) * std::log((1 - a) / (1 - b));
}

/// How much each sample says against a share that is `far` from the one found, on the side where that is less: a share
/// is as far off with a probability of at most exp(-samples * evidence), either way (Chernoff's bound).
double evidence(double found, double far) {
  const double above = found + far < 1 ? divergence(found, found + far) : std::numeric_limits<double>::infinity();
  const double below = found > far ? divergence(found, found - far) : std::numeric_limits<double>::infinity();
  return std::min(above, below);
}

/// Samples of paths, and what they say of each vertex.
template <class Lists>
class Estimate {
 public:
  Estimate(Engine& engine, const GraphView& graph, Lists& out, Lists& in, double epsilon, double delta,
           std::uint64_t seed)
      : engine_(engine),
        graph_(graph),
        out_(out),
        in_(in),
        epsilon_(epsilon),
        delta_(delta),
        seed_(seed),
        samplers_(engine.threads()),
        counts_(engine.make_map<std::uint64_t>(graph.num_vertices(), 0)),
        certainty_(engine.make_map<double>(graph.num_vertices(), 0)) {
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (graph.is_live(v)) live_.push_back(v);
    }
  }

  /// Until the bounds of all vertices hold: tests at numbers of samples that were fixed before these were drawn, each
  /// with its part of delta.
  Status run() {
    const std::uint64_t first = kFewest + static_cast<std::uint64_t>(kFirstPart / (epsilon_ * epsilon_));
    foreseen_ = static_cast<double>(first);
    RIZOMA_TRY(draw(0, first));
    std::uint64_t goal = share_out(static_cast<double>(first));
    for (VertexId v = 0; v < counts_.size(); ++v) counts_[v] = 0;
    double part = kFirstTest;
    for (double left = 1 - part;; part = left / 2, left -= part) {
      foreseen_ = static_cast<double>(goal);
      RIZOMA_TRY(draw(first + samples_, goal - samples_));
      samples_ = goal;
      RIZOMA_ASSIGN(error_, largest_error(-std::log(part)));
      if (error_ <= epsilon_) return {};
      goal *= 2;
    }
  }

  [[nodiscard]] double of(VertexId v) const { return static_cast<double>(counts_[v]) / static_cast<double>(samples_); }
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  [[nodiscard]] double error() const { return error_; }

 private:
  /// Samples [begin, begin + count).
  Status draw(std::uint64_t begin, std::uint64_t count) {
    RIZOMA_TRY(engine_.report("sampled_betweenness", static_cast<double>(samples_), foreseen_));
    return engine_.for_blocks(count, kSamplesAtOnce, [&](VertexRange block, unsigned thread) {
      auto& sampler = samplers_[thread];
      if (sampler == nullptr) sampler = std::make_unique<PathSampler<Lists>>(out_, in_, thread);
      for (std::uint64_t i = begin + block.begin; i < begin + block.end; ++i) {
        Random random(mix64(seed_) ^ mix64(i + 0x9E3779B97F4A7C15U));
        const std::uint64_t source = random.below(live_.size());
        std::uint64_t target = random.below(live_.size() - 1);
        target += target >= source ? 1 : 0;
        sampler->sample(live_[source], live_[target], random,
                        [&](VertexId v) { counts_.atomic(v).fetch_add(1, std::memory_order_relaxed); });
      }
    });
  }

  /// Gives each vertex its share of delta, so that all bounds hold after as many samples; the number of these.
  std::uint64_t share_out(double samples) {
    const auto n = static_cast<double>(live_.size());
    const double least = delta_ * kShareOfEach / (2 * n);
    const double most = delta_ * (1 - kShareOfEach);
    std::vector<double> rates;  // of the vertices found; the others have `least`
    for (const VertexId v : live_) {
      if (counts_[v] == 0) continue;
      const double share = static_cast<double>(counts_[v]) / samples;
      const double deviation = kDeviations * std::sqrt(share * (1 - share) / samples);
      const double careful = share < 0.5 ? std::min(share + deviation, 0.5) : std::max(share - deviation, 0.5);
      rates.push_back(certainty_[v] = evidence(careful, epsilon_));
    }
    double low = 0;
    double goal = std::log(2 * (n + 1) / most) / (2 * epsilon_ * epsilon_);  // enough: no rate is below 2 epsilon^2
    for (int round = 0; round < 40; ++round) {
      const double middle = (low + goal) / 2;
      double chance = 0;
      for (const double rate : rates) chance += 2 * std::exp(-middle * rate);
      (chance > most ? low : goal) = middle;
    }
    double enough = std::log(1 / (least * kFirstTest)) / -std::log1p(-epsilon_);  // where nothing is found
    for (const VertexId v : live_) {
      const double rate = certainty_[v];
      certainty_[v] = -std::log((rate == 0 ? 0 : std::exp(-goal * rate)) + least);
      if (rate > 0) enough = std::max(enough, (certainty_[v] - std::log(kFirstTest)) / rate);
    }
    return static_cast<std::uint64_t>(enough) + 1;
  }

  /// No share is farther off, but for the chance of this test; `beyond`: the logarithm of 1 / its part of delta.
  Result<double> largest_error(double beyond) {
    const auto samples = static_cast<double>(samples_);
    std::vector<PerThread<double>> of_threads(engine_.threads());
    RIZOMA_TRY(engine_.for_vertices(graph_, [&](VertexRange block, unsigned thread) {
      double& error = of_threads[thread].value;
      for (VertexId v = block.begin; v < block.end; ++v) {
        const double wanted = (certainty_[v] + beyond) / samples;
        if (!graph_.is_live(v) || evidence(of(v), error) >= wanted) continue;
        double low = 0;
        error = 1;
        for (int round = 0; round < 40; ++round) {
          const double middle = (low + error) / 2;
          (evidence(of(v), middle) < wanted ? low : error) = middle;
        }
      }
    }));
    double error = 0;
    for (const auto& [of_thread] : of_threads) error = std::max(error, of_thread);
    return error;
  }

  Engine& engine_;
  const GraphView& graph_;
  Lists& out_;
  Lists& in_;
  double epsilon_;
  double delta_;
  std::uint64_t seed_;
  std::vector<std::unique_ptr<PathSampler<Lists>>> samplers_;
  std::vector<VertexId> live_;
  VertexMap<std::uint64_t> counts_;
  VertexMap<double> certainty_;  ///< the logarithm of 1 / a vertex's share of delta, either way
  std::uint64_t samples_ = 0;
  double foreseen_ = 0;
  double error_ = 0;
};

Status check(const SampledBetweennessOptions& options) {
  const auto refuse = [](const char* name, double value, const char* must) {
    return bad_option("sampled_betweenness", name, value, must);
  };
  if (!(options.epsilon >= 1e-8 && options.epsilon < 1)) return refuse("epsilon", options.epsilon, "1e-8 to below 1");
  if (!(options.delta > 0 && options.delta < 1)) return refuse("delta", options.delta, "above 0 and below 1");
  return {};
}

}  // namespace

Result<SampledBetweennessResult> sampled_betweenness(Engine& engine, const GraphView& graph,
                                                     const SampledBetweennessOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "sampled_betweenness"));
  RIZOMA_TRY(check(options));
  RIZOMA_TRY(check_direction(graph, Direction::in, "sampled_betweenness"));
  RIZOMA_TRY(engine.report("sampled_betweenness", 0, 0));
  SampledBetweennessResult result;
  result.scores = engine.make_map<double>(graph.num_vertices(), 0);
  const auto n = static_cast<double>(graph.num_live());
  if (n < 3) return result;
  // A sample is any of n (n-1) pairs; a normalized score leaves out those of which the vertex is an end.
  const double pairs = n / (n - 2);
  const double scale = pairs * (options.normalized ? 1 : (n - 1) * (n - 2) / (graph.directed() ? 1 : 2));
  const Status done = read_both_lists(engine, graph, [&]<class Lists>(Lists& out, Lists* in) -> Status {
    Estimate<Lists> estimate(engine, graph, out, in == nullptr ? out : *in, options.epsilon / pairs, options.delta,
                             options.seed);
    RIZOMA_TRY(estimate.run());
    for (VertexId v = 0; v < graph.num_vertices(); ++v) result.scores[v] = scale * estimate.of(v);
    result.samples = estimate.samples();
    result.error = scale * estimate.error();
    return {};
  });
  RIZOMA_TRY(done);
  return result;
}

}  // namespace rizoma
