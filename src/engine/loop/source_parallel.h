// Sums over searches from many sources: how many searches run at once, and on which ranks.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include "engine/loop/whole_graph.h"
#include "graph/section_proof.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Distributed to the ranks in turn.
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

  SourceParallel(Iteration& loop, const Make& make)
      : loop_(loop), engine_(loop.engine()), graph_(loop.graph()), make_(make), workers_(engine_.threads()) {}

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

  /// Adds the results to `scores`, on ranks to where each vertex lives.
  Status collect(VertexMap<double>& scores) {
    for (Worker& worker : workers_) {
      for (VertexId v = 0; v < worker.scores.size(); ++v) scores[v] += std::exchange(worker.scores[v], 0);
    }
    return loop_.reduce(scores);
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

  Iteration& loop_;
  Engine& engine_;
  const GraphView& graph_;
  const Make& make_;
  std::vector<Worker> workers_;
};

/// Adds what the searches from all sources find to `scores`: of big graphs one source at a time with all threads of all
/// ranks, of small ones a source to a thread, which goes through the whole graph (of which a rank that has a part lacks
/// the rest).  `done`: sources before, which is part of the iteration's state.
template <class Search>
Status add_over_sources(Iteration& loop, std::span<const VertexId> sources, VertexId& done, VertexState<double>& scores,
                        const typename SourceParallel<Search>::Make& make) {
  constexpr EdgeCount kSmallGraph = EdgeCount{1} << 22;  // entries
  constexpr std::size_t kSourcesOfTurn = 8;              // of each thread, if sums may be kept in between
  Engine& engine = loop.engine();
  RIZOMA_ASSIGN(const unsigned threads, loop.total(engine.threads()));
  const bool together =
      has_part_only(engine) || loop.graph().num_entries() >= kSmallGraph || sources.size() < std::size_t{2} * threads;
  if (!together) RIZOMA_TRY(prove_all_lists(loop.graph()));
  const std::unique_ptr<Search> search = together ? make(engine) : nullptr;
  SourceParallel<Search> searches(loop, make);
  if (!together) loop.update_by([&] { return searches.collect(scores.values()); });
  const std::size_t turn = together ? 1 : loop.survives() ? kSourcesOfTurn * threads : sources.size();
  scores.set_elsewhere(0);
  const auto step = [&]() -> Result<bool> {
    if (done >= sources.size()) return false;
    RIZOMA_TRY(loop.report(static_cast<double>(done), static_cast<double>(sources.size())));
    const auto some = sources.subspan(done, std::min<std::size_t>(turn, sources.size() - done));
    RIZOMA_TRY(together ? search->add(some[0], scores.values()) : searches.add(some));
    done += some.size();
    return done < sources.size();
  };
  RIZOMA_TRY(loop.run(step));
  loop.update_by({});
  return together ? Status() : searches.collect(scores.values());
}

}  // namespace rizoma
