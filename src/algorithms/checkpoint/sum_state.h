// What sums over the searches from many sources keep between processes.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace rizoma {

/// Sums of the sources done, and of a sample who its sources are: another call draws others.
class SumCheckpoint {
 public:
  SumCheckpoint(Engine& engine, Checkpoints* checkpoints, VertexMap<double>& scores)
      : engine_(engine), checkpoints_(checkpoints), scores_(scores) {}

  /// Fills in the sums and the sources if the job is to go on.
  Status resume(const GraphView& graph, bool sampled, std::vector<VertexId>& sources) {
    if (checkpoints_ == nullptr) return {};
    const VertexId n = graph.num_vertices();
    if (sampled) turns_ = engine_.make_map<VertexId>(n, 0);
    for (VertexId i = 0; sampled && i < sources.size(); ++i) turns_[sources[i]] = i + 1;
    const std::size_t count = sources.size();
    const auto sound = [&] { return is_sound(graph, sampled, count); };
    RIZOMA_ASSIGN(const bool resumed, checkpoints_->resume({done_, columns(), sound}));
    if (!resumed) return {};
    leave_others();
    resumed_after_ = static_cast<VertexId>(done_[0]);
    if (!sampled) return {};
    if (engine_.ranks() != nullptr) RIZOMA_TRY(engine_.ranks()->gather(turns_.data(), sizeof(VertexId)));
    for (VertexId v = 0; v < n; ++v) {
      if (turns_[v] != 0) sources[turns_[v] - 1] = v;
    }
    return {};
  }
  [[nodiscard]] VertexId resumed_after() const noexcept { return resumed_after_; }
  [[nodiscard]] bool any() const noexcept { return checkpoints_ != nullptr; }

  /// Saves the sums after `done` sources, if it is time to; `gather_result` has each rank have those of its vertices.
  template <class F>
  Status offer(VertexId done, F&& gather_result) {
    if (checkpoints_ == nullptr) return {};
    RIZOMA_ASSIGN(const bool due, checkpoints_->due());
    if (!due) return {};
    RIZOMA_TRY(gather_result());
    done_ = {static_cast<double>(done)};
    RIZOMA_TRY(checkpoints_->keep({done_, columns()}));
    leave_others();
    return {};
  }

 private:
  [[nodiscard]] std::vector<StateColumn> columns() {
    std::vector<StateColumn> columns{column_of(scores_)};
    if (turns_.size() > 0) columns.push_back(column_of(turns_));
    return columns;
  }
  [[nodiscard]] bool is_sound(const GraphView& graph, bool sampled, std::size_t count) const {
    if (!whole_below(done_[0], static_cast<double>(count) + 1)) return false;
    if (!std::ranges::all_of(scores_.span(), [](double score) { return score >= 0; })) return false;
    if (!sampled) return true;
    std::vector<bool> seen(count);
    std::size_t left = count;
    for (VertexId v = 0; v < turns_.size(); ++v) {
      if (turns_[v] == 0) continue;
      if (turns_[v] > count || seen[turns_[v] - 1] || !graph.is_live(v)) return false;
      seen[turns_[v] - 1] = true;
      --left;
    }
    return left == 0;
  }
  /// The first rank has got the sums of all.
  void leave_others() {
    const Ranks* const ranks = engine_.ranks();
    for (VertexId v = 0; ranks != nullptr && v < scores_.size(); ++v) {
      if (!ranks->owns(v)) scores_[v] = 0;
    }
  }

  Engine& engine_;
  Checkpoints* checkpoints_;  ///< null: nothing is kept
  VertexMap<double>& scores_;
  VertexMap<VertexId> turns_;  ///< of a sample: which source a vertex is, from 1 on
  std::array<double, 1> done_{};
  VertexId resumed_after_ = 0;
};

}  // namespace rizoma
