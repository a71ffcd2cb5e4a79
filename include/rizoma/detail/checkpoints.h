// Checkpoints: where a kernel saves its iteration state, so that a killed job can resume.  Module: engine.
//
//   const IterationState state{figures, {column_of(scores)}};
//   RIZOMA_ASSIGN(const bool resumed, checkpoints->resume(state));
//   while (...) {
//     ...                                        // an iteration
//     RIZOMA_TRY(checkpoints->offer(state));
//   }
//
// A state covers the whole graph: on ranks, the kernel must have sent pending updates of remote vertices to their
// owners. A kernel that does so only for a checkpoint asks whether one is `due`, then saves it by `keep`.
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

/// One value a vertex, by internal id; on ranks, each rank holds those of its own vertices.
struct StateColumn {
  void* values = nullptr;
  std::size_t value_bytes = 0;  ///< of each
};
template <class T>
[[nodiscard]] StateColumn column_of(VertexMap<T>& values) noexcept {
  return {values.data(), sizeof(T)};
}

/// The state of a kernel: scalars, and vertex columns.
struct IterationState {
  std::span<double> figures;
  std::vector<StateColumn> columns;
  /// Validates a restored state on the first rank, which holds it for all vertices.
  std::function<bool()> sound = {};
};

/// Whether a scalar is a whole number below `limit` <= 2^53.
[[nodiscard]] inline bool whole_below(double figure, double limit) noexcept {
  return figure >= 0 && figure < limit && std::floor(figure) == figure;
}

/// A 64-bit number as two exact scalars, and back.
[[nodiscard]] inline std::array<double, 2> halves_of(std::uint64_t number) noexcept {
  return {static_cast<double>(number >> 32), static_cast<double>(number & 0xffff'ffff)};
}
[[nodiscard]] inline bool are_halves(double high, double low) noexcept {
  return whole_below(high, 0x1p32) && whole_below(low, 0x1p32);
}
[[nodiscard]] inline std::uint64_t number_of(double high, double low) noexcept {
  return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
}

/// On ranks, each rank has one, and all calls are collective.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  /// Restores the last state, whatever the number of ranks; the first rank receives the values of all vertices.  False:
  /// the job starts from scratch.  Errors: invalid_argument (the state belongs to another job or graph), corrupt, io.
  virtual Result<bool> resume(const IterationState& state) = 0;
  /// Whether it is time for a checkpoint.  The same on all ranks.
  virtual Result<bool> due() = 0;
  /// Saves the state durably.  May overwrite values of other ranks' vertices.
  virtual Status keep(const IterationState& state) = 0;
  /// Ends the job: removes its checkpoint.
  virtual Status finish() = 0;

  /// Saves the state if one is due.
  Status offer(const IterationState& state) {
    RIZOMA_ASSIGN(const bool is_due, due());
    return is_due ? keep(state) : Status();
  }
};

}  // namespace rizoma
