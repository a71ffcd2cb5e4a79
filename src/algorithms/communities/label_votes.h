// Labels of vertices: the votes of neighbours for them, and new ones.
#pragma once

#include <rizoma/process_vertices.h>
#include <rizoma/vertex_map.h>

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
    if (sum == 0) touched_.push_back(label);  // a label of weight 0 is added twice, which is harmless
    sum += weight;
    fair_ &= weight >= 0;
  }

  std::vector<double> sums_;
  std::vector<VertexId> touched_;
  bool fair_ = true;  ///< no weight was negative or not a number
};

/// The labels that the vertices of a group have chosen, assigned all at once.
class NewLabels {
 public:
  explicit NewLabels(unsigned threads) : of_threads_(threads) {}
  void note(VertexId v, VertexId label, unsigned thread) { of_threads_[thread].value.push_back({v, label}); }
  /// Assigns them; returns the vertices that changed.
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

}  // namespace rizoma
