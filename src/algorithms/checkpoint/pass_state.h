// What connected components keep between processes: the trees, and how many passes over the edges made them.
#pragma once

#include "algorithms/components/concurrent_union_find.h"
#include "algorithms/components/union_broadcast.h"

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/ranks.h>

#include <array>

namespace rizoma {

/// Passes over the edges, after which the trees are kept.
class PassCheckpoint {
 public:
  explicit PassCheckpoint(Checkpoints* checkpoints) : checkpoints_(checkpoints) {}

  template <class Label>
  Status resume(Engine& engine, const GraphView& graph, ConcurrentUnionFind<Label>& sets) {
    if (checkpoints_ == nullptr) return {};
    if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
    const auto sound = [&] { return whole_below(done_[0], kPasses) && sets.is_forest(); };
    RIZOMA_ASSIGN(const bool resumed, checkpoints_->resume({done_, {sets.column()}, sound}));
    resumed_after_ = resumed ? static_cast<unsigned>(done_[0]) : 0;
    return {};
  }

  /// Nothing is kept: each rank need have no trees of its own.
  [[nodiscard]] bool has_none() const noexcept { return checkpoints_ == nullptr; }
  [[nodiscard]] unsigned resumed_after() const noexcept { return resumed_after_; }
  [[nodiscard]] bool is_done(unsigned pass) const noexcept { return pass <= resumed_after_; }

  /// With ranks, each tells the others first what it has linked: then the trees of any of them are those of all.
  template <class Label>
  Status offer(Engine& engine, ConcurrentUnionFind<Label>& sets, unsigned pass) {
    if (checkpoints_ == nullptr || is_done(pass)) return {};
    RIZOMA_ASSIGN(const bool due, checkpoints_->due());
    if (!due) return {};
    RIZOMA_TRY(UnionBroadcast<Label>(engine, sets).broadcast_last());
    done_ = {static_cast<double>(pass)};
    return checkpoints_->keep({done_, {sets.column()}});
  }

 private:
  static constexpr double kPasses = 3;
  Checkpoints* checkpoints_;  ///< null: nothing is kept
  std::array<double, 1> done_{};
  unsigned resumed_after_ = 0;
};

}  // namespace rizoma
