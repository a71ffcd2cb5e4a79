// StateList<T>: values of an iteration's state that are not one for each vertex: of edges, of samples.  Module: engine.
//
// Of one process, of a length that the graph and the options of the call decide.  The engine places, saves and restores
// the values; declare the list behind its Iteration, before `begin`.
// How: a checkpoint holds n values of equal size, so the list is one of n equal parts, the last ones unused.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/engine.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_map.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma {

template <class T>
class StateList final : public engine_detail::StateArray {
 public:
  /// Values equal to `initial`.
  StateList(Iteration& loop, std::uint64_t length, T initial)
      : StateArray(loop), length_(length), each_(values_of_part(length, loop.graph().num_vertices())) {
    const std::uint64_t room = std::max(length, each_ * loop.graph().num_vertices());
    values_ = loop.engine().make_map<T>(room, initial);
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return length_; }
  [[nodiscard]] T& operator[](std::uint64_t i) noexcept { return values_[i]; }
  [[nodiscard]] const T& operator[](std::uint64_t i) const noexcept { return values_[i]; }
  [[nodiscard]] std::span<T> span() noexcept { return values_.span().first(length_); }
  [[nodiscard]] std::atomic_ref<T> atomic(std::uint64_t i) noexcept { return values_.atomic(i); }

  StateColumn column() override { return {values_.data(), each_ * sizeof(T)}; }

 private:
  static std::uint64_t values_of_part(std::uint64_t length, VertexId parts) noexcept {
    return parts == 0 ? 0 : (length + parts - 1) / parts;
  }

  std::uint64_t length_;
  std::uint64_t each_;  ///< values of a part
  VertexMap<T> values_;
};

}  // namespace rizoma
