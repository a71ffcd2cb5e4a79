#include <rizoma/algorithms/label_propagation.h>
#include <rizoma/detail/same_call.h>

#include "algorithms/communities/label_schedule.h"
#include "algorithms/communities/label_votes.h"
#include "base/random.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 256;

/// Rounds in which each vertex takes the label that most of its neighbours have.
class Propagation {
 public:
  Propagation(Iteration& loop, const LabelPropagationOptions& options, VertexState<VertexId>& labels)
      : loop_(loop),
        engine_(loop.engine()),
        graph_(loop.graph()),
        options_(options),
        labels_(labels),
        turns_(loop, options.synchronous, options.seed),
        votes_(engine_.threads(), {LabelVotes(graph_.num_vertices())}),
        new_labels_(engine_.threads()) {}

  /// One round, group by group; how many vertices changed their labels.
  Result<VertexId> step(unsigned number) {
    VertexId changed = 0;
    turns_.assign(number);
    for (unsigned group = 0; group < turns_.groups(); ++group) {
      RIZOMA_TRY(labels_.refresh());
      const std::vector<VertexId> vertices = turns_.take(group);
      RIZOMA_TRY(options_.use_weights ? vote<true>(vertices, number) : vote<false>(vertices, number));
      const std::vector<VertexId> relabelled = new_labels_.give(labels_.values());
      RIZOMA_TRY(turns_.wake_neighbors(relabelled));
      changed += relabelled.size();
    }
    RIZOMA_ASSIGN(changed, loop_.total(changed));
    turns_.end_round(changed);
    return changed;
  }

  [[nodiscard]] LabelSchedule& turns() noexcept { return turns_; }
  [[nodiscard]] bool fair() const {
    return std::ranges::all_of(votes_, [](const auto& of_thread) { return of_thread.value.fair(); });
  }

 private:
  /// Has the neighbours of some vertices vote.
  template <bool kWeighted>
  Status vote(std::span<const VertexId> vertices, unsigned round) {
    const VertexMap<VertexId>& labels = labels_.values();
    return read_both_lists<kWeighted>(engine_, graph_, [&](auto& out, auto* in) {
      return engine_.for_list(graph_, vertices, kGrain, [&](std::span<const VertexId> some, unsigned thread) {
        for (const VertexId v : some) {
          votes_[thread].value.add(out.again(v), labels);  // for_list has counted it
          if (in != nullptr) votes_[thread].value.add(in->read(v, thread), labels);
          choose(v, round, thread);
        }
      });
    });
  }

  /// Of labels with as many votes the least, or the own one, or any.
  void choose(VertexId v, unsigned round, unsigned thread) {
    const VertexId own = labels_[v];
    const std::uint64_t chance = mix64(options_.seed ^ mix64(v + round * graph_.num_vertices()));
    const auto first = votes_[thread].value.take([&](VertexId a, VertexId b) {
      if (options_.synchronous) return a < b;
      if (a == own || b == own) return a == own;
      return mix64(chance ^ a) < mix64(chance ^ b);
    });
    if (first && *first != own) new_labels_.note(v, *first, thread);
  }

  Iteration& loop_;
  Engine& engine_;
  const GraphView& graph_;
  const LabelPropagationOptions& options_;
  VertexState<VertexId>& labels_;
  LabelSchedule turns_;
  std::vector<PerThread<LabelVotes>> votes_;
  NewLabels new_labels_;
};

Error refused(std::string what) { return {ErrorCode::invalid_argument, "label_propagation: " + std::move(what)}; }

/// A vertex's own number, or its given first label.
Status set_first_labels(const LabelPropagationOptions& options, VertexState<VertexId>& labels) {
  const VertexId n = labels.size();
  const std::span<const VertexId> start = options.start;
  if (start.empty()) std::iota(labels.data(), labels.data() + n, VertexId{0});
  const auto great = std::ranges::find_if(start, [n](VertexId label) { return label >= n; });
  if (great != start.end()) {
    return refused("vertex " + std::to_string(great - start.begin()) + " (internal id) starts from the label " +
                   std::to_string(*great) + "; labels must be below the number of vertices, " + std::to_string(n));
  }
  std::copy(start.begin(), start.end(), labels.data());
  return {};
}

Status check_start(const GraphView& graph, const LabelPropagationOptions& options) {
  if (!options.start.empty())
    RIZOMA_TRY(check_one_each(graph, options.start.size(), "the list of labels to start from", "label_propagation"));
  if (!options.changed) return {};
  RIZOMA_TRY(check_changed(graph, *options.changed, "label_propagation"));
  if (!options.start.empty() || graph.num_vertices() == 0) return {};
  return refused("changed vertices need labels to start from");
}

/// Begins with the first labels and the vertices to visit, or with the restored ones.
Status begin(Iteration& loop, const LabelPropagationOptions& options, VertexState<VertexId>& labels,
             VertexState<std::uint8_t>& looked_at, LabelSchedule& turns) {
  loop.update_by([&] {
    loop.for_own([&](VertexId v) { looked_at[v] = turns.looks_at(v) ? 1 : 0; });
    return Status();
  });
  loop.valid_if(
      [&] { return std::ranges::all_of(labels.span(), [&](VertexId label) { return label < labels.size(); }); });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  if (resumed) {
    VertexId others = 0;
    loop.for_own([&](VertexId v) { others += looked_at[v] == 0 ? 1 : 0; });
    RIZOMA_ASSIGN(others, loop.total(others));
    if (others > 0) turns.look_only_at([&](VertexId v) { return looked_at[v] != 0; });
  } else if (options.changed) {
    VertexSet changed(labels.size());
    for (const VertexId v : *options.changed) changed.add(v);
    turns.look_only_at([&](VertexId v) { return changed.contains(v); });
  }
  return {};
}

}  // namespace

Result<LabelPropagationResult> label_propagation(Engine& engine, const GraphView& graph,
                                                 const LabelPropagationOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "label_propagation",
                              {{"synchronous", options.synchronous},
                               {"max_iter", options.max_iter},
                               {"use_weights", options.use_weights},
                               {"start", options.start.size()}}));
  RIZOMA_TRY(check_direction(graph, Direction::in, "label_propagation"));
  RIZOMA_TRY(check_start(graph, options));
  LabelPropagationResult result;
  LabelPropagationOptions of_all = options;
  Iteration loop(engine, graph, "label_propagation");
  VertexState<VertexId> labels(loop, 0);
  VertexState<std::uint8_t> looked_at(loop);
  loop.keep(result.iterations, of_all.seed);
  RIZOMA_TRY(set_first_labels(options, labels));
  RIZOMA_TRY(loop.agree_on(of_all.seed));
  Propagation propagation(loop, of_all, labels);
  RIZOMA_TRY(begin(loop, options, labels, looked_at, propagation.turns()));
  result.resumed_after = result.iterations;
  const auto round = [&]() -> Result<bool> {
    if (result.iterations >= options.max_iter) return false;
    RIZOMA_TRY(loop.report(result.iterations, options.max_iter));
    RIZOMA_ASSIGN(const VertexId changed, propagation.step(result.iterations));
    if (!propagation.fair()) {
      return refused("an edge has a weight that is negative or NaN; correct it, or give weight=None");
    }
    result.converged = changed == 0;
    ++result.iterations;
    return !result.converged;
  };
  RIZOMA_TRY(loop.run(round));
  RIZOMA_ASSIGN(result.count, count_distinct(loop, labels));
  result.labels = std::move(labels).take();
  RIZOMA_TRY(loop.gather(result.labels));
  return result;
}

}  // namespace rizoma
