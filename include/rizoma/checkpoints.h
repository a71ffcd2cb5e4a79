// Checkpoints: where a kernel keeps the state of its iteration, so that a job that dies can go on.  Module: engine.
//
//   IterationState state{figures, ranks.data(), sizeof(double)};
//   RIZOMA_ASSIGN(const bool resumed, checkpoints->resume(state));
//   while (...) {
//     ...                                        // an iteration
//     RIZOMA_TRY(checkpoints->offer(state));
//   }
#pragma once

#include <rizoma/result.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>

namespace rizoma {

/// What a kernel needs to go on: some figures, and a value of each vertex.
struct IterationState {
  std::span<double> figures;
  void* values = nullptr;       ///< by inner number; with ranks, each has those of its own vertices
  std::size_t value_bytes = 0;  ///< of each
  /// Whether what was kept, now filled in for all vertices, can be gone on from; asked on the first rank.
  std::function<bool()> sound = {};
};

/// A figure that stands for a whole number below `limit`, which is 2^53 at most.
[[nodiscard]] inline bool whole_below(double figure, double limit) noexcept {
  return figure >= 0 && figure < limit && std::floor(figure) == figure;
}

/// With ranks, each has one, and all calls are collective.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  /// Fills in what was kept last if the job is to go on from there, with as many ranks as there are now; false: the job
  /// begins anew.  Errors: invalid_argument (it is of another job or another graph), corrupt, io.
  virtual Result<bool> resume(const IterationState& state) = 0;
  /// Keeps the state, durably, if none was kept for a while.  Values of other ranks' vertices may change by it.
  virtual Status offer(const IterationState& state) = 0;
  /// The job has its answer: nothing is kept any longer.
  virtual Status finish() = 0;
};

}  // namespace rizoma
