// Checkpoints: where a kernel keeps the state of its iteration, so that a job that dies can go on.  Module: engine.
//
//   const IterationState state{figures, {column_of(ranks)}};
//   RIZOMA_ASSIGN(const bool resumed, checkpoints->resume(state));
//   while (...) {
//     ...                                        // an iteration
//     RIZOMA_TRY(checkpoints->offer(state));
//   }
//
// A state is to be that of the whole graph: with ranks, whatever one knows of vertices of another has been told.  A
// kernel that does so only when a state is kept asks whether one is `due`, and then has it kept.
#pragma once

#include <rizoma/result.h>
#include <rizoma/vertex_map.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace rizoma {

/// A value of each vertex, by inner number; with ranks, each has those of its own vertices.
struct StateColumn {
  void* values = nullptr;
  std::size_t value_bytes = 0;  ///< of each
};
template <class T>
[[nodiscard]] StateColumn column_of(VertexMap<T>& values) noexcept {
  return {values.data(), sizeof(T)};
}

/// What a kernel needs to go on: some figures, and some values of each vertex.
struct IterationState {
  std::span<double> figures;
  std::vector<StateColumn> columns;
  /// Whether what was kept, now filled in for all vertices, can be gone on from; asked on the first rank.
  std::function<bool()> sound = {};
};

/// A figure that stands for a whole number below `limit`, which is 2^53 at most.
[[nodiscard]] inline bool whole_below(double figure, double limit) noexcept {
  return figure >= 0 && figure < limit && std::floor(figure) == figure;
}

/// A number of 64 bits as two figures, which are exact, and back.
[[nodiscard]] inline std::array<double, 2> halves_of(std::uint64_t number) noexcept {
  return {static_cast<double>(number >> 32), static_cast<double>(number & 0xffff'ffff)};
}
[[nodiscard]] inline bool are_halves(double high, double low) noexcept {
  return whole_below(high, 0x1p32) && whole_below(low, 0x1p32);
}
[[nodiscard]] inline std::uint64_t number_of(double high, double low) noexcept {
  return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
}

/// With ranks, each has one, and all calls are collective.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  /// Fills in what was kept last if the job is to go on from there, with as many ranks as there are now; false: the job
  /// begins anew.  The first rank then has the values of all vertices.  Errors: invalid_argument (it is of another job
  /// or another graph), corrupt, io.
  virtual Result<bool> resume(const IterationState& state) = 0;
  /// Whether no state was kept for a while.  The same on all ranks.
  virtual Result<bool> due() = 0;
  /// Keeps the state, durably.  Values of other ranks' vertices may change by it.
  virtual Status keep(const IterationState& state) = 0;
  /// The job has its answer: nothing is kept any longer.
  virtual Status finish() = 0;

  /// Keeps the state if it is due.
  Status offer(const IterationState& state) {
    RIZOMA_ASSIGN(const bool is_due, due());
    return is_due ? keep(state) : Status();
  }
};

}  // namespace rizoma
