// VertexState<T>: one value for each vertex, the state of an iteration.  Module: engine.
//
// The engine places the values (tier, home, file), saves and restores them (iteration.h), and completes them in the
// result.  Declare it after its Iteration and before `begin`.  Collective functions return the errors of any rank.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_map.h>
#include <rizoma/vertex_set.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Which values of a new state are set.
enum class Unwritten {
  initial,  ///< none is read before it is written, or all have the initial value: they are set to it
  any,      ///< the values of vertices that a kernel has not written may be anything, and stand for the initial value
};

template <class T>
class VertexState final : public engine_detail::StateArray {
 public:
  /// n values equal to `initial`.
  VertexState(Iteration& loop, T initial, Unwritten unwritten = Unwritten::initial)
      : StateArray(loop), loop_(loop), initial_(initial) {
    const bool sets = unwritten == Unwritten::initial || loop.survives();
    values_ = sets ? loop.engine().make_map<T>(size(), initial) : loop.engine().make_unset_map<T>(size());
  }
  /// n values that are all written before any is read; allocated when they are.
  explicit VertexState(Iteration& loop) : StateArray(loop), loop_(loop) {}

  [[nodiscard]] VertexId size() const noexcept { return loop_.graph().num_vertices(); }
  [[nodiscard]] T* data() { return values().data(); }
  [[nodiscard]] T& operator[](VertexId v) noexcept { return values_[v]; }
  [[nodiscard]] const T& operator[](VertexId v) const noexcept { return values_[v]; }
  [[nodiscard]] std::span<T> span() { return values().span(); }
  [[nodiscard]] VertexMap<T>& values() {  ///< allocates them if need be
    if (values_.size() != size()) {
      auto& engine = loop_.engine();
      values_ = loop_.survives() ? engine.template make_map<T>(size(), T{}) : engine.template make_unset_map<T>(size());
    }
    return values_;
  }
  /// Fetches the current values of the vertices that the lists here lead to.  Collective; without ranks it does
  /// nothing.
  Status refresh() {
    Ranks* const ranks = loop_.engine().ranks();
    if (ranks == nullptr) return {};
    if (mirrors_.empty()) {
      mirrors_.emplace_back(loop_.engine(), *ranks, loop_.graph(), Direction::out, sizeof(T));
      if (loop_.graph().directed())
        mirrors_.emplace_back(loop_.engine(), *ranks, loop_.graph(), Direction::in, sizeof(T));
    }
    for (Mirror& mirror : mirrors_) RIZOMA_TRY(mirror.refresh(data()));
    return {};
  }
  /// Fetches the current values of all vertices.  Collective.
  Status complete() {
    mirrors_.clear();
    return loop_.complete(data());
  }
  /// The values, for a result.
  [[nodiscard]] VertexMap<T> take() && { return std::move(values()); }

  /// Sets the values of vertices whose state is not here to `value`, until the kernel changes them.
  void set_elsewhere(T value) {
    elsewhere_ = value;
    mirrors_.clear();
    loop_.for_others([&, all = data()](VertexId v) { all[v] = *elsewhere_; });
  }
  /// The same of those vertices alone that the lists here lead to.  Collective.
  Status set_mirrors(T value) {
    of_mirrors_ = value;
    return leave_others();
  }

  StateColumn column() override { return column_of(values()); }
  Status leave_others() override {
    mirrors_.clear();
    if (elsewhere_) set_elsewhere(*elsewhere_);
    Ranks* const ranks = loop_.engine().ranks();
    if (!of_mirrors_ || ranks == nullptr) return {};
    const auto set = [&, all = data()](VertexId v) { all[v] = *of_mirrors_; };
    RIZOMA_TRY(ranks->for_mirrors(loop_.engine(), loop_.graph(), Direction::out, set));
    if (!loop_.graph().directed() || !loop_.graph().has_in_edges()) return {};
    return ranks->for_mirrors(loop_.engine(), loop_.graph(), Direction::in, set);
  }

 private:
  Iteration& loop_;
  T initial_{};
  VertexMap<T> values_;
  std::optional<T> elsewhere_;
  std::optional<T> of_mirrors_;
  std::vector<Mirror> mirrors_;  ///< on ranks, of out-lists and in-lists, once they are needed
};

/// The number of different values of live vertices; the values are internal ids.  Collective.
inline Result<VertexId> count_distinct(Iteration& loop, const VertexState<VertexId>& state) {
  VertexSet found(state.size());
  std::vector<VertexId> first;
  loop.for_own([&](VertexId v) {
    if (loop.graph().is_live(v) && found.add(state[v])) first.push_back(state[v]);
  });
  RIZOMA_ASSIGN(const std::vector<VertexId> here, loop.bring_home(std::move(first)));
  VertexSet counted(state.size());
  for (const VertexId value : here) counted.add(value);
  return loop.total(counted.count());
}

}  // namespace rizoma
