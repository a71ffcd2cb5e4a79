#include <rizoma/algorithms/influence.h>

#include "algorithms/influence/cascade_sampling.h"
#include "algorithms/shared/scaled_weights.h"
#include "engine/loop/checked_sum.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/detail/state_list.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace rizoma {
namespace {

// Runs are added up by blocks, whose size depends on the number of runs alone, and blocks in their order.
constexpr std::uint64_t kLeastRuns = 8;
constexpr std::uint64_t kMostRuns = 1024;
constexpr std::uint64_t kAsks = std::uint64_t{1} << 14;  // vertices reached between two checks whether to stop
constexpr std::uint64_t kBlocks = 4096;                  // of the smallest size, or more until they are of the largest

/// Cascades of one thread.
template <class Lists>
class Simulation {
 public:
  Simulation(Engine& engine, Lists& out, Lists& in, const CascadeOptions& options, std::span<const double> weights,
             unsigned thread)
      : engine_(engine),
        out_(out),
        in_(in),
        options_(options),
        weights_(weights),
        thread_(thread),
        reached_(out.num_vertices()) {
    if (options.model == CascadeModel::linear_threshold) heard_.resize(out.num_vertices());
  }

  /// The number of vertices that run `number` reaches, or their weight; less once the call must stop.
  double run(std::span<const VertexId> seeds, std::uint64_t seed, std::uint64_t number) {
    ++run_;
    Random random(mix64(seed ^ mix64(number)));
    found_.clear();
    for (const VertexId v : seeds) reach(v);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (++read_ % kAsks == 0) stops_ = stops_ || !engine_.report("influence", 0, 0);
      if (stops_) break;
      const auto list = out_.read(found_[i], thread_);
      if (options_.model == CascadeModel::linear_threshold) {
        for (std::size_t e = 0; e < list.size(); ++e) {
          if (listens(list.source(e), found_[i], seed, number)) reach(list.source(e));
        }
      } else {
        spread(list, random);
      }
    }
    if (weights_.empty()) return static_cast<double>(found_.size());
    double sum = 0;
    for (const VertexId v : found_) sum += weights_[v];
    return sum;
  }

 private:
  void reach(VertexId v) {
    if (reached_[v] == run_) return;
    reached_[v] = run_;
    found_.push_back(v);
  }

  template <class List>
  void spread(const List& list, Random& random) {
    if (options_.chance == EdgeChance::constant) {
      cascades::for_successes(list.size(), options_.probability, random,
                              [&](std::uint64_t e) { reach(list.source(e)); });
      return;
    }
    for (std::size_t e = 0; e < list.size(); ++e) {
      const VertexId v = list.source(e);
      const double chance = options_.chance == EdgeChance::weights ? static_cast<double>(list.weight(e))
                                                                   : 1 / static_cast<double>(in_.degree(v));
      if (random.unit() < chance) reach(v);
    }
  }

  /// Whether v has chosen u in this run: a draw of the run and the vertex.
  bool listens(VertexId v, VertexId u, std::uint64_t seed, std::uint64_t number) {
    if (reached_[v] == run_) return false;
    auto& [run, source] = heard_[v];
    if (run != run_) {
      Random random(mix64(seed ^ mix64(number) ^ mix64(~v)));
      const auto list = in_.read(v, thread_);
      const std::uint64_t choice = cascades::chosen(options_, list, random);
      run = run_;
      source = choice < list.size() ? list.source(choice) : kNoVertex;
    }
    return source == u;
  }

  struct Heard {
    std::uint64_t run = 0;
    VertexId source = kNoVertex;
  };

  Engine& engine_;
  Lists& out_;
  Lists& in_;
  const CascadeOptions& options_;
  std::span<const double> weights_;
  unsigned thread_;
  std::uint64_t run_ = 0;
  std::uint64_t read_ = 0;
  bool stops_ = false;
  std::vector<std::uint64_t> reached_;  ///< the last run that has reached a vertex
  std::vector<Heard> heard_;
  std::vector<VertexId> found_;
};

/// What some runs have reached: how many they are, the sum, and the squares of the distances from the mean.
struct Reached {
  double runs = 0;
  double sum = 0;
  double squares = 0;

  void add(const Reached& other) {
    const double apart = runs > 0 ? other.sum / other.runs - sum / runs : 0;
    squares += other.squares + apart * apart * runs * other.runs / (runs + other.runs);
    sum += other.sum;
    runs += other.runs;
  }
};

/// The mean of the runs and its confidence; no run reaches more than `whole`.
InfluenceEstimate estimate(std::span<const Reached> blocks, double whole, const ScaledWeights& weights) {
  Reached all;
  for (const Reached& block : blocks) all.add(block);
  const double mean = std::min(all.sum / all.runs, whole);
  const double half = all.runs > 1 ? 1.959964 * std::sqrt(all.squares / all.runs / (all.runs - 1)) : mean;
  return {weights.restore(mean), weights.restore(mean - half), weights.restore(std::min(mean + half, whole))};
}

}  // namespace

Result<InfluenceEstimate> influence(Engine& engine, const GraphView& graph, std::span<const VertexId> seeds,
                                    const CascadeOptions& options, std::uint64_t runs, std::uint64_t seed,
                                    std::span<const double> weights) {
  RIZOMA_TRY(single_process_only(engine, "influence"));
  RIZOMA_TRY(check_sources(graph, seeds, "influence"));
  RIZOMA_TRY(checked_sum(graph, weights, "the weight", "influence"));
  RIZOMA_TRY(cascades::check(engine, graph, options, "influence"));
  if (runs == 0) return bad_option("influence", "runs", 0, "1 or more");
  const ScaledWeights scaled(graph, weights);
  const std::span<const double> values = scaled.values();
  const double whole =
      weights.empty() ? static_cast<double>(graph.num_live()) : std::accumulate(values.begin(), values.end(), 0.0);
  const std::uint64_t size = std::clamp(runs / kBlocks, kLeastRuns, kMostRuns);
  Iteration loop(engine, graph, "influence");
  StateList<Reached> blocks(loop, runs / size + (runs % size == 0 ? 0 : 1), {});
  const std::uint64_t some = loop.survives() ? std::uint64_t{16} * engine.threads() : blocks.size();  // of a step
  std::uint64_t done = 0;
  loop.keep(seed, done);
  loop.valid_if([&] { return done <= blocks.size(); });
  RIZOMA_TRY(loop.begin());
  const Status status = read_both_lists<true>(engine, graph, [&]<class Lists>(Lists& out, Lists* in) {
    std::vector<Simulation<Lists>> of_threads;
    for (unsigned t = 0; t < engine.threads(); ++t)
      of_threads.emplace_back(engine, out, in == nullptr ? out : *in, options, values, t);
    const auto simulate = [&](VertexRange offsets, unsigned thread) {
      for (std::uint64_t i = done + offsets.begin; i < done + offsets.end; ++i) {
        for (std::uint64_t run = i * size; run < std::min(runs, i * size + size); ++run)
          blocks[i].add({1, of_threads[thread].run(seeds, seed, run)});
      }
    };
    return loop.run([&]() -> Result<bool> {
      const std::uint64_t now = std::min(some, blocks.size() - done);
      RIZOMA_TRY(engine.for_blocks(now, 1, simulate));
      return (done += now) < blocks.size();
    });
  });
  RIZOMA_TRY(status);
  return estimate(blocks.span(), whole, scaled);
}

}  // namespace rizoma
