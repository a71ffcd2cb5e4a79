// What searches from many sources find of each vertex, added up: how many searches run at once, and on which ranks.
#pragma once

#include "algorithms/checkpoint/sum_state.h"
#include "algorithms/shared/reduce.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

/// Dealt to the ranks in turn.
inline std::vector<VertexId> sources_of_this_rank(Engine& engine, std::span<const VertexId> sources) {
  const Ranks* const ranks = engine.ranks();
  const std::size_t ranks_in_all = ranks == nullptr ? 1 : ranks->size();
  std::vector<VertexId> mine;
  for (std::size_t i = ranks == nullptr ? 0 : ranks->rank(); i < sources.size(); i += ranks_in_all) {
    mine.push_back(sources[i]);
  }
  return mine;
}

/// Searches from sources of a small graph, each made by one thread.  A Search has add(source, scores), which adds what
/// it finds, and is made by make(engine), one for each thread.
template <class Search>
class SourceParallel {
 public:
  using Make = std::function<std::unique_ptr<Search>(Engine&)>;

  SourceParallel(Engine& engine, const GraphView& graph, const Make& make)
      : engine_(engine), graph_(graph), make_(make), workers_(engine.threads()) {}

  Status add(std::span<const VertexId> sources) {
    const std::vector<VertexId> mine = sources_of_this_rank(engine_, sources);
    RIZOMA_TRY(engine_.for_blocks(mine.size(), 1, [&](VertexRange block, unsigned thread) {
      Worker& worker = workers_[thread];
      if (worker.search == nullptr) begin(worker);
      if (worker.status) worker.status = worker.search->add(mine[block.begin], worker.scores);
    }));
    for (const Worker& worker : workers_) RIZOMA_TRY(worker.status);
    return {};
  }

  /// Moves what has been found to `scores`, of all ranks to where each vertex lives.
  Status gather_result(VertexMap<double>& scores) {
    for (Worker& worker : workers_) {
      for (VertexId v = 0; v < worker.scores.size(); ++v) scores[v] += std::exchange(worker.scores[v], 0);
    }
    return reduce(engine_, scores);
  }

 private:
  struct Worker {
    std::unique_ptr<Engine> alone;  ///< with ranks: for a search that is not theirs
    std::unique_ptr<Search> search;
    VertexMap<double> scores;
    Status status;
  };

  void begin(Worker& worker) {
    if (engine_.ranks() != nullptr) worker.alone = std::make_unique<Engine>(EngineOptions{.threads = 1});
    worker.search = make_(worker.alone != nullptr ? *worker.alone : engine_);
    worker.scores = engine_.make_map<double>(graph_.num_vertices(), 0);
  }

  Engine& engine_;
  const GraphView& graph_;
  const Make& make_;
  std::vector<Worker> workers_;
};

/// Adds what the searches from all sources find to `scores`: of big graphs one source at a time with all threads of all
/// ranks, of small ones a source to a thread, which goes through the whole graph (of which a rank that has a part lacks
/// the rest).  `who`: the kernel, in what is reported.
template <class Search>
Status add_over_sources(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                        VertexMap<double>& scores, SumCheckpoint& kept, std::string_view who,
                        const typename SourceParallel<Search>::Make& make) {
  constexpr EdgeCount kSmallGraph = EdgeCount{1} << 22;  // entries
  constexpr std::size_t kSourcesOfTurn = 8;              // of each thread, if sums may be kept in between
  const auto report = [&](std::size_t done) {
    return engine.report(who, static_cast<double>(done), static_cast<double>(sources.size()));
  };
  RIZOMA_ASSIGN(const unsigned threads, over_ranks(engine, engine.threads(), std::plus<>()));
  const bool in_parts = engine.ranks() != nullptr && !engine.ranks()->settings().owners.empty();
  if (in_parts || graph.num_entries() >= kSmallGraph || sources.size() < std::size_t{2} * threads) {
    const std::unique_ptr<Search> search = make(engine);
    for (std::size_t i = kept.resumed_after(); i < sources.size(); ++i) {
      RIZOMA_TRY(report(i));
      RIZOMA_TRY(search->add(sources[i], scores));
      if (i + 1 < sources.size()) RIZOMA_TRY(kept.offer(i + 1, [] { return Status(); }));
    }
    return {};
  }
  SourceParallel<Search> searches(engine, graph, make);
  const auto together = [&] { return searches.gather_result(scores); };
  const std::size_t turn = kept.any() ? kSourcesOfTurn * threads : sources.size();
  for (std::size_t i = kept.resumed_after(); i < sources.size(); i += turn) {
    RIZOMA_TRY(report(i));
    const std::size_t end = std::min(i + turn, sources.size());
    RIZOMA_TRY(searches.add(sources.subspan(i, end - i)));
    if (end < sources.size()) RIZOMA_TRY(kept.offer(end, together));
  }
  return together();
}

}  // namespace rizoma
