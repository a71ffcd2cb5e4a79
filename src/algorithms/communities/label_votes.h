// Labels of vertices: the votes of neighbours for them, new ones, those of other ranks, and how many there are.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <functional>
#include <optional>
#include <vector>

namespace rizoma {

/// The votes of the neighbours of one vertex; one for each thread.
class LabelVotes {
 public:
  explicit LabelVotes(VertexId n) : sums_(n) {}

  /// The votes of a list.
  void add(const auto& entries, const VertexMap<VertexId>& labels) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      add_one(labels[entries.source(i)], static_cast<double>(entries.weight(i)));
  }

  /// The label with the most votes, among equals the one that before(a, b) puts first; none without votes.
  template <class Before>
  std::optional<VertexId> take(Before before) {
    std::optional<VertexId> best;
    for (const VertexId label : touched_) {
      const bool more = !best || sums_[label] > sums_[*best] || (sums_[label] == sums_[*best] && before(label, *best));
      if (more) best = label;
    }
    for (const VertexId label : touched_) sums_[label] = 0;
    touched_.clear();
    return best;
  }

  [[nodiscard]] bool fair() const noexcept { return fair_; }

 private:
  void add_one(VertexId label, double weight) {
    double& sum = sums_[label];
    if (sum == 0) touched_.push_back(label);  // a label of weight 0 comes in twice, which does no harm
    sum += weight;
    fair_ &= weight >= 0;
  }

  std::vector<double> sums_;
  std::vector<VertexId> touched_;
  bool fair_ = true;  ///< no weight was negative or not a number
};

/// What the vertices of a group have chosen, which they get all at once.
class NewLabels {
 public:
  explicit NewLabels(unsigned threads) : of_threads_(threads) {}
  void note(VertexId v, VertexId label, unsigned thread) { of_threads_[thread].value.push_back({v, label}); }
  /// Gives them out; returns who has one.
  std::vector<VertexId> give(VertexMap<VertexId>& labels) {
    std::vector<VertexId> relabelled;
    for (auto& of_thread : of_threads_) {
      for (const Choice& choice : of_thread.value) {
        labels[choice.vertex] = choice.label;
        relabelled.push_back(choice.vertex);
      }
      of_thread.value.clear();
    }
    return relabelled;
  }

 private:
  struct Choice {
    VertexId vertex;
    VertexId label;
  };
  std::vector<PerThread<std::vector<Choice>>> of_threads_;
};

/// With ranks: the labels that this rank's lists lead to elsewhere.
class VisibleLabels {
 public:
  VisibleLabels(Engine& engine, const GraphView& graph) {
    if (engine.ranks() == nullptr) return;
    mirrors_.emplace_back(engine, *engine.ranks(), graph, Direction::out, sizeof(VertexId));
    if (graph.directed()) mirrors_.emplace_back(engine, *engine.ranks(), graph, Direction::in, sizeof(VertexId));
  }
  Status refresh(VertexMap<VertexId>& labels) {
    for (Mirror& mirror : mirrors_) RIZOMA_TRY(mirror.refresh(labels.data()));
    return {};
  }

 private:
  std::vector<Mirror> mirrors_;  ///< one for each direction
};

/// How many labels there are.  With ranks, each counts those that are numbers of its own vertices.
inline Result<VertexId> count_labels(Engine& engine, const GraphView& graph, const VertexMap<VertexId>& labels) {
  Ranks* const ranks = engine.ranks();
  const auto is_mine = [&](VertexId v) { return ranks == nullptr || ranks->owns(v); };
  VertexSet found(graph.num_vertices());
  VertexId count = 0;
  const auto note = [&](VertexId label) { return found.add(label) && is_mine(label); };
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (graph.is_live(v) && is_mine(v)) count += note(labels[v]) ? 1 : 0;
  }
  if (ranks == nullptr) return count;
  Outbox<bool> outbox(*ranks);
  found.for_each({0, graph.num_vertices()}, [&](VertexId label) {
    if (!is_mine(label)) outbox.add(label, true);
  });
  RIZOMA_TRY(outbox.exchange([&](VertexId label, bool) { count += note(label) ? 1 : 0; }));
  return over_ranks(engine, count, std::plus<>());
}

}  // namespace rizoma
