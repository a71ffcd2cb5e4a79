#include <rizoma/algorithms/label_propagation.h>

#include "algorithms/checkpoint/label_state.h"
#include "algorithms/communities/label_schedule.h"
#include "algorithms/communities/label_votes.h"
#include "algorithms/shared/search_arguments.h"
#include "base/random.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 256;

/// Rounds in which each vertex takes the label that most of its neighbours have.
class Propagation {
 public:
  Propagation(Engine& engine, const GraphView& graph, const LabelPropagationOptions& options,
              VertexMap<VertexId>& labels)
      : engine_(engine),
        graph_(graph),
        options_(options),
        labels_(labels),
        turns_(engine, graph, options.synchronous, options.seed),
        shown_(engine, graph),
        votes_(engine.threads(), {LabelVotes(graph.num_vertices())}),
        new_labels_(engine.threads()) {}

  /// One round, group by group; how many vertices changed their labels.
  Result<VertexId> round(unsigned number) {
    VertexId changed = 0;
    turns_.deal(number);
    for (unsigned group = 0; group < turns_.groups(); ++group) {
      RIZOMA_TRY(shown_.refresh(labels_));
      const std::vector<VertexId> vertices = turns_.take(group);
      RIZOMA_TRY(options_.use_weights ? vote<true>(vertices, number) : vote<false>(vertices, number));
      const std::vector<VertexId> relabelled = new_labels_.give(labels_);
      RIZOMA_TRY(turns_.wake_neighbors(relabelled));
      changed += relabelled.size();
    }
    turns_.end_round(changed);
    return over_ranks(engine_, changed, std::plus<>());
  }

  [[nodiscard]] LabelSchedule& turns() noexcept { return turns_; }
  [[nodiscard]] bool fair() const {
    return std::ranges::all_of(votes_, [](const auto& of_thread) { return of_thread.value.fair(); });
  }

 private:
  /// Has the neighbours of some vertices vote.
  template <bool kWeighted>
  Status vote(std::span<const VertexId> vertices, unsigned round) {
    return read_both_lists<kWeighted>(engine_, graph_, [&](auto& out, auto* in) {
      return engine_.for_list(graph_, vertices, kGrain, [&](std::span<const VertexId> some, unsigned thread) {
        for (const VertexId v : some) {
          votes_[thread].value.add(out.again(v), labels_);  // for_list has counted it
          if (in != nullptr) votes_[thread].value.add(in->read(v, thread), labels_);
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

  Engine& engine_;
  const GraphView& graph_;
  const LabelPropagationOptions& options_;
  VertexMap<VertexId>& labels_;
  LabelSchedule turns_;
  VisibleLabels shown_;
  std::vector<PerThread<LabelVotes>> votes_;
  NewLabels new_labels_;
};

Result<VertexMap<VertexId>> first_labels(Engine& engine, const GraphView& graph, std::span<const VertexId> start) {
  const VertexId n = graph.num_vertices();
  auto labels = engine.make_map<VertexId>(n, 0);
  for (VertexId v = 0; v < n; ++v) labels[v] = v;
  if (start.empty()) return labels;
  if (start.size() != n || std::any_of(start.begin(), start.end(), [n](VertexId label) { return label >= n; })) {
    return Error{ErrorCode::invalid_argument,
                 "label_propagation: the first labels are not one number below the number of vertices for each vertex"};
  }
  std::copy(start.begin(), start.end(), labels.data());
  return labels;
}

Status check_changed(const GraphView& graph, const LabelPropagationOptions& options) {
  if (!options.changed) return {};
  const VertexId n = graph.num_vertices();
  const bool known = std::ranges::all_of(*options.changed, [n](VertexId v) { return v < n; });
  if (known && (!options.start.empty() || n == 0)) return {};
  return Error{ErrorCode::invalid_argument,
               known ? "label_propagation: changed vertices are of use only with labels to start from"
                     : "label_propagation: a vertex that has changed is not in the graph"};
}

}  // namespace

Result<LabelPropagationResult> label_propagation(Engine& engine, const GraphView& graph,
                                                 const LabelPropagationOptions& options) {
  RIZOMA_TRY(check_direction(graph, Direction::in, "label_propagation"));
  RIZOMA_TRY(check_changed(graph, options));
  LabelPropagationResult result;
  RIZOMA_ASSIGN(result.labels, first_labels(engine, graph, options.start));
  LabelPropagationOptions of_all = options;
  if (engine.ranks() != nullptr) {
    RIZOMA_TRY(engine.ranks()->divide(graph));
    RIZOMA_ASSIGN(of_all.seed, over_ranks(engine, options.seed, [](auto first, auto) { return first; }));
  }
  // Whom changes have woken is not kept, and without it a job that goes on would look at all.
  Checkpoints* const checkpoints = options.changed && engine.ranks() == nullptr ? nullptr : options.checkpoints;
  RIZOMA_ASSIGN(result.resumed_after, resume_labels(checkpoints, result.labels, of_all.seed));
  result.iterations = result.resumed_after;
  Propagation propagation(engine, graph, of_all, result.labels);
  if (options.changed) propagation.turns().look_only_at(*options.changed);
  while (result.iterations < options.max_iter && !result.converged) {
    RIZOMA_TRY(engine.report("label_propagation", result.iterations, options.max_iter));
    RIZOMA_ASSIGN(const VertexId changed, propagation.round(result.iterations));
    if (!propagation.fair()) {
      return Error{ErrorCode::invalid_argument,
                   "label_propagation: an edge has a weight that is negative or not a number; leave weights out"};
    }
    result.converged = changed == 0;
    ++result.iterations;
    if (!result.converged) RIZOMA_TRY(offer_labels(checkpoints, result.labels, result.iterations, of_all.seed));
  }
  RIZOMA_ASSIGN(result.count, count_labels(engine, graph, result.labels));
  return result;
}

}  // namespace rizoma
