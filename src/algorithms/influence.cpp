#include <rizoma/algorithms/influence.h>

#include "algorithms/cascade_draws.h"
#include "algorithms/checked_sum.h"
#include "algorithms/lists.h"
#include "engine/one_rank.h"

#include <rizoma/list_reader.h>

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 8;

/// Cascades of one thread.
template <class Lists>
class Simulation {
 public:
  Simulation(Lists& out, Lists& in, const CascadeOptions& options, std::span<const double> weights, unsigned thread)
      : out_(out), in_(in), options_(options), weights_(weights), thread_(thread), reached_(out.num_vertices()) {
    if (options.model == CascadeModel::linear_threshold) heard_.resize(out.num_vertices());
  }

  /// How many vertices run `number` reaches, or what they weigh.
  double run(std::span<const VertexId> seeds, std::uint64_t seed, std::uint64_t number) {
    ++run_;
    Random random(mix64(seed ^ mix64(number)));
    found_.clear();
    for (const VertexId v : seeds) reach(v);
    for (std::size_t i = 0; i < found_.size(); ++i) {
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

  Lists& out_;
  Lists& in_;
  const CascadeOptions& options_;
  std::span<const double> weights_;
  unsigned thread_;
  std::uint64_t run_ = 0;
  std::vector<std::uint64_t> reached_;  ///< the last run that has reached a vertex
  std::vector<Heard> heard_;
  std::vector<VertexId> found_;
};

/// The mean of what the runs reached, and how sure it is.
InfluenceEstimate estimate(std::span<const double> reached) {
  const auto runs = static_cast<double>(reached.size());
  const double mean = std::accumulate(reached.begin(), reached.end(), 0.0) / runs;
  double squares = 0;
  for (const double each : reached) squares += (each - mean) * (each - mean);
  const double half = reached.size() > 1 ? 1.959964 * std::sqrt(squares / runs / (runs - 1)) : mean;
  return {mean, mean - half, mean + half};
}

}  // namespace

Result<InfluenceEstimate> influence(Engine& engine, const GraphView& graph, std::span<const VertexId> seeds,
                                    const CascadeOptions& options, std::uint64_t runs, std::uint64_t seed,
                                    std::span<const double> weights) {
  RIZOMA_TRY(one_rank_only(engine, "influence"));
  RIZOMA_TRY(check_sources(graph, seeds, "influence"));
  RIZOMA_TRY(checked_sum(graph, weights, "the weight", "influence"));
  RIZOMA_TRY(cascades::check(engine, graph, options, "influence"));
  if (runs == 0) return Error{ErrorCode::invalid_argument, "influence: at least one run is needed"};
  std::vector<double> reached(runs);  // in the order of runs, so that threads make no difference
  const Status done = read_lists<true>(engine, graph, Direction::out, [&]<class Lists>(Lists& out) {
    return read_lists<true>(engine, graph, Direction::in, [&](auto& other) -> Status {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(other)>, Lists>) {
        std::vector<Simulation<Lists>> of_threads;
        for (unsigned t = 0; t < engine.threads(); ++t) of_threads.emplace_back(out, other, options, weights, t);
        return engine.for_blocks(runs, kGrain, [&](VertexRange block, unsigned thread) {
          for (std::uint64_t run = block.begin; run < block.end; ++run) {
            reached[run] = of_threads[thread].run(seeds, seed, run);
          }
        });
      } else {
        return {};  // both directions of a graph are of one type
      }
    });
  });
  RIZOMA_TRY(done);
  return estimate(reached);
}

}  // namespace rizoma
