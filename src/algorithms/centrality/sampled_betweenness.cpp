#include <rizoma/algorithms/sampled_betweenness.h>

#include "algorithms/centrality/path_sampler.h"
#include "base/random.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kSamplesAtOnce = 16;
constexpr std::uint64_t kFewestBetweenChecks = 1024;
constexpr double kShareOfEach = 0.001;  // of delta, which all vertices have in equal parts

/// The vertices of a longest shortest path, or more: twice the levels of a search in each component.  Of a directed
/// graph all vertices.  Errors: cancelled.
template <class Lists>
Result<double> longest_path(Engine& engine, const GraphView& graph, Lists& out) {
  if (graph.directed()) return static_cast<double>(graph.num_live());
  VertexSet seen(graph.num_vertices());
  std::vector<VertexId> level;
  std::vector<VertexId> next;
  std::uint64_t deepest = 0;
  for (VertexId root = 0; root < graph.num_vertices(); ++root) {
    if (root % kFewestBetweenChecks == 0) RIZOMA_TRY(engine.report("sampled_betweenness", 0, 0));
    if (!graph.is_live(root) || !seen.add(root)) continue;
    level.assign(1, root);
    for (std::uint64_t depth = 0; !level.empty(); ++depth, std::swap(level, next)) {
      deepest = std::max(deepest, depth);
      next.clear();
      for (const VertexId u : level) {
        for (const auto v : out.read(u).sources()) {
          if (seen.add(v)) next.push_back(v);
        }
      }
    }
  }
  return 2 * static_cast<double>(deepest) + 1;
}

/// How far an estimate may be off, each way with probability 1 / exp(certainty): the bounds of theorem 9.
struct Bounds {
  double most_samples;  ///< omega: where sampling stops in any case

  [[nodiscard]] double error(double estimate, double samples, double certainty) const {
    const double below = one_way(estimate, samples, certainty, 1.0 / 3 - most_samples / samples);
    const double above = one_way(estimate, samples, certainty, 1.0 / 3 + most_samples / samples);
    return std::max(below, above);
  }

 private:
  [[nodiscard]] double one_way(double estimate, double samples, double certainty, double middle) const {
    return certainty / samples * (middle + std::sqrt(middle * middle + 2 * estimate * most_samples / certainty));
  }
};

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

  Status run(double longest) {
    const double levels = std::floor(std::log2(std::max(longest - 2, 1.0))) + 1;
    bounds_.most_samples = std::ceil(0.5 / (epsilon_ * epsilon_) * (levels + std::log(2 / delta_)));
    const auto first = static_cast<std::uint64_t>(bounds_.most_samples / 100) + 1;
    RIZOMA_TRY(draw(0, first));
    share_out(first);
    for (VertexId v = 0; v < counts_.size(); ++v) counts_[v] = 0;
    for (;;) {
      const std::uint64_t some = std::max(kFewestBetweenChecks, samples_ / 8);
      const auto left = static_cast<std::uint64_t>(bounds_.most_samples) - samples_;
      RIZOMA_TRY(draw(first + samples_, std::min(some, left)));
      samples_ += std::min(some, left);
      RIZOMA_ASSIGN(error_, largest_error());
      if (error_ <= epsilon_) return {};
      if (samples_ >= static_cast<std::uint64_t>(bounds_.most_samples)) break;
    }
    error_ = epsilon_;
    return {};
  }

  [[nodiscard]] double of(VertexId v) const { return static_cast<double>(counts_[v]) / static_cast<double>(samples_); }
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  [[nodiscard]] double error() const { return error_; }

 private:
  /// Samples [begin, begin + count).
  Status draw(std::uint64_t begin, std::uint64_t count) {
    RIZOMA_TRY(engine_.report("sampled_betweenness", static_cast<double>(samples_), bounds_.most_samples));
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

  /// Gives each vertex its share of delta: the more the greater its estimate, so that all bounds hold after as many
  /// samples.  The shares both ways sum to half of delta; the other half is for `most_samples`.
  void share_out(std::uint64_t samples) {
    const auto n = static_cast<double>(live_.size());
    const double least = delta_ * kShareOfEach / (4 * n);
    const auto exponent = [&](VertexId v) {
      return epsilon_ * epsilon_ * static_cast<double>(samples) / static_cast<double>(counts_[v]);
    };
    double low = 0;
    double high = std::log(4 * n * (1 - kShareOfEach) / delta_) / (epsilon_ * epsilon_);
    for (int round = 0; round < 60; ++round) {
      const double middle = (low + high) / 2;
      double sum = 0;
      for (const VertexId v : live_) sum += counts_[v] == 0 ? 0 : 2 * std::exp(-middle * exponent(v));
      (sum > delta_ / 2 * (1 - kShareOfEach) ? low : high) = middle;
    }
    for (const VertexId v : live_) {
      const double share = counts_[v] == 0 ? 0 : std::exp(-high * exponent(v));
      certainty_[v] = -std::log(share + least);
    }
  }

  Result<double> largest_error() {
    const auto samples = static_cast<double>(samples_);
    return process_vertices(
        engine_, graph_, 0.0, [&](VertexId v) { return bounds_.error(of(v), samples, certainty_[v]); },
        [](double a, double b) { return std::max(a, b); });
  }

  Engine& engine_;
  const GraphView& graph_;
  Lists& out_;
  Lists& in_;
  double epsilon_;
  double delta_;
  std::uint64_t seed_;
  Bounds bounds_{};
  std::vector<std::unique_ptr<PathSampler<Lists>>> samplers_;
  std::vector<VertexId> live_;
  VertexMap<std::uint64_t> counts_;
  VertexMap<double> certainty_;  ///< the logarithm of 1 / a vertex's share of delta
  std::uint64_t samples_ = 0;
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
    RIZOMA_ASSIGN(const double longest, longest_path(engine, graph, out));
    Estimate<Lists> estimate(engine, graph, out, in == nullptr ? out : *in, options.epsilon / pairs, options.delta,
                             options.seed);
    RIZOMA_TRY(estimate.run(longest));
    for (VertexId v = 0; v < graph.num_vertices(); ++v) result.scores[v] = scale * estimate.of(v);
    result.samples = estimate.samples();
    result.error = scale * estimate.error();
    return {};
  });
  RIZOMA_TRY(done);
  return result;
}

}  // namespace rizoma
