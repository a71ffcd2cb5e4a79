#include <rizoma/algorithms/bellman_ford.h>

#include "algorithms/paths/serial_searches.h"
#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <atomic>
#include <deque>
#include <limits>

namespace rizoma {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();

/// The options, and the vertex where a search reports a negative cycle.
struct SharedOptions : BellmanFordOptions {
  std::atomic<VertexId>* negative_cycle = nullptr;
};

template <class Lists>
class BellmanFord {
  using Target = typename Lists::target_type;

 public:
  BellmanFord(Engine& engine, const GraphView& graph, Lists& lists, const SharedOptions& options, unsigned thread)
      : engine_(engine),
        graph_(graph),
        lists_(lists),
        options_(options),
        thread_(thread),
        states_(graph.num_vertices()) {}

  Status run(std::span<const VertexId> sources, SearchTrees<double>& trees) {
    for (const VertexId source : sources) {
      reach(source, 0);
      enqueue(source);
      states_[source].is_source = true;
    }
    RIZOMA_TRY(search());
    for (const VertexId v : order_) {
      State& state = states_[v];
      append(trees, v, state.distance, state.is_source ? kNoVertex : VertexId{state.predecessors.front()});
      state = State();
    }
    order_.clear();
    queue_.clear();
    return {};
  }

 private:
  struct State {
    double distance = kUnreached;
    std::vector<Target> predecessors;  ///< all that offered this distance, by time
    VertexId update_from = kNoVertex;  ///< the edge whose update led here
    VertexId update_to = kNoVertex;
    VertexId updated_by = kNoVertex;
    VertexId times_queued = 0;
    bool queued = false;
    bool is_source = false;  ///< has no parent, though a cycle of length 0 may lead back to it
  };

  Status search() {
    SerialWatch watch(engine_, "bellman_ford", lists_.num_vertices());
    while (!queue_.empty() && options_.negative_cycle->load(std::memory_order_relaxed) == kNoVertex) {
      RIZOMA_TRY(watch.step());
      const VertexId u = queue_.front();
      queue_.pop_front();
      State& state = states_[u];
      state.queued = false;
      const bool waits = std::any_of(state.predecessors.begin(), state.predecessors.end(),
                                     [&](Target p) { return states_[p].queued; });
      if (!waits) relax(u, state.distance);
    }
    return {};
  }

  void relax(VertexId u, double distance) {
    const auto list = lists_.read(u, thread_);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Target v = list.source(i);
      const double through = distance + static_cast<double>(list.weight(i));
      State& state = states_[v];
      if (through < state.distance) {
        if (!lower(u, v, through)) {
          options_.negative_cycle->store(v, std::memory_order_relaxed);
          return;
        }
      } else if (through == state.distance && state.distance != kUnreached) {
        state.predecessors.push_back(static_cast<Target>(u));
      }
    }
  }

  /// False if that proves a negative cycle.
  bool lower(VertexId u, VertexId v, double distance) {
    State& state = states_[v];
    if (options_.heuristic) {
      const State& before = states_[u];
      if (before.update_from == v || before.update_to == v) return false;
      const bool same = state.updated_by == u;
      state.update_from = same ? before.update_from : u;
      state.update_to = same ? before.update_to : v;
    }
    if (!state.queued) {
      enqueue(v);
      if (++state.times_queued == graph_.num_live()) return false;
    }
    reach(v, distance);
    state.predecessors.assign(1, static_cast<Target>(u));
    state.updated_by = u;
    return true;
  }

  void reach(VertexId v, double distance) {
    if (states_[v].distance == kUnreached) order_.push_back(v);
    states_[v].distance = distance;
  }

  void enqueue(VertexId v) {
    if (states_[v].queued) return;
    states_[v].queued = true;
    queue_.push_back(v);
  }

  Engine& engine_;
  const GraphView& graph_;
  Lists& lists_;
  const SharedOptions& options_;
  unsigned thread_;
  std::vector<State> states_;
  std::vector<VertexId> order_;
  std::deque<VertexId> queue_;
};

}  // namespace

Result<BellmanFordResult> bellman_ford(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                       const BellmanFordOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "bellman_ford"));
  std::atomic<VertexId> negative_cycle = kNoVertex;
  const SharedOptions shared{options, &negative_cycle};
  RIZOMA_ASSIGN(auto trees, (grow_trees<BellmanFord, double, true>(engine, graph, sources, shared, "bellman_ford")));
  return BellmanFordResult{std::move(trees), negative_cycle};
}

}  // namespace rizoma
