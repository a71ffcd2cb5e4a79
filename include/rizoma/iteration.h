// Iteration: runs the supersteps of a kernel and owns the state between them.  Module: engine.
//
//   Iteration loop(engine, graph, "levels");
//   VertexState<std::int32_t> level(loop, -1);               // vertex_state.h
//   std::int32_t depth = 0;
//   loop.keep(depth);                                        // a scalar of the state
//   RIZOMA_ASSIGN(const bool resumed, loop.begin());         // true: the state is that of an earlier process
//   const auto step = [&]() -> Result<bool> {
//     RIZOMA_TRY(loop.report(depth, most));
//     ...                                                    // one superstep
//     return sweep.active() > 0;                             // false: converged
//   };
//   RIZOMA_TRY(loop.run(step));
//   result.level = std::move(level).take();
//   RIZOMA_TRY(loop.gather(result.level));                   // complete, wherever its values were computed
//
// How: if the engine has checkpoints, the iteration saves its state after a superstep when one is due, and `begin`
// restores the last one; scalars are the same on all ranks, and each rank holds the values of its own vertices.  Only
// the outermost iteration of a call takes the checkpoints.  Collective functions return the errors of any rank.
// Cost: none without checkpoints; a checkpoint writes 4 to 16 bytes for each vertex.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/gather_columns.h>
#include <rizoma/detail/gather_reached.h>
#include <rizoma/detail/outbox.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/process_vertices.h>
#include <rizoma/result.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

class Iteration;

namespace engine_detail {

/// A column of an iteration's state.
class StateArray {
 public:
  StateArray(const StateArray&) = delete;
  StateArray& operator=(const StateArray&) = delete;
  /// Its values; allocates them if need be.
  virtual StateColumn column() = 0;
  /// Resets the values of vertices whose state is not here, after all values have been gathered here.
  virtual Status leave_others() { return {}; }

 protected:
  explicit StateArray(Iteration& loop);
  ~StateArray() = default;
};

}  // namespace engine_detail

/// Which vertices an iteration works on between two supersteps.
enum class Work {
  all,     ///< about all of them, over and over
  runs,    ///< the same, in runs of neighbors: ranks divide the graph into such, or refuse
  search,  ///< the vertices that a search reaches, often near one another: ranks divide the graph for that
};

/// Reduces what each process has found by `combine`, in a fixed order: the same for all.  Collective.  Errors: io.
template <class T, class Combine>
Result<T> allreduce(Engine& engine, const T& mine, Combine combine) {
  return over_ranks(engine, mine, combine);
}

class Iteration {
 public:
  /// `name`: the kernel, in reports of progress.
  Iteration(Engine& engine, const GraphView& graph, std::string_view name, Work work = Work::all);
  Iteration(const Iteration&) = delete;
  Iteration& operator=(const Iteration&) = delete;

  [[nodiscard]] Engine& engine() const noexcept { return engine_; }
  [[nodiscard]] const GraphView& graph() const noexcept { return graph_; }
  /// Whether the state is saved: a kernel then skips shortcuts that depend on more than its state.
  [[nodiscard]] bool survives() const noexcept { return checkpoints_ != nullptr; }

  /// Whether this process works on all vertices.
  [[nodiscard]] bool is_alone() const noexcept { return engine_.ranks() == nullptr; }

  /// Whether the state of v is here.
  [[nodiscard]] bool is_here(VertexId v) const noexcept {
    return engine_.ranks() == nullptr || engine_.ranks()->owns(v);
  }

  /// Disables saving: the iteration depends on more than its state.
  void forgo() noexcept { checkpoints_ = nullptr; }

  /// Makes these numbers part of the state: integers must be 0 or more, and all must outlive the iteration.
  template <class... T>
  void keep(T&... scalars) {
    (keep_one(scalars), ...);
  }
  /// Brings the state up to date before it is saved, for kernels that hold it in another form.  Collective.
  void update_by(std::function<Status()> update) { update_ = std::move(update); }
  /// Checks that a restored state can be one of this iteration, which detects damage.  The first process calls it,
  /// while it holds the values of all vertices.
  void valid_if(std::function<bool()> valid) { valid_ = std::move(valid); }

  /// Call after the declarations of the state, before its first use.  True: it was restored; each rank holds the values
  /// of its own vertices.  Errors: invalid_argument (the state of another job or graph), corrupt, io.
  Result<bool> begin();
  /// Reports the progress.  Errors: cancelled.
  Status report(double done, double total) { return engine_.report(name_, done, total); }
  /// Replaces a number, such as a random seed, by that of the first process.  Collective.
  template <class T>
  Status agree_on(T& number) {
    if (Ranks* const ranks = engine_.ranks()) {
      RIZOMA_ASSIGN(const std::vector<T> numbers, ranks->all(number));
      number = numbers[0];
    }
    return {};
  }
  template <class T>
  Status agree_on(std::vector<T>& values) {
    Ranks* const ranks = engine_.ranks();
    if (ranks == nullptr) return {};
    const auto bytes = std::as_bytes(std::span(values));
    std::vector<std::vector<std::byte>> to(ranks->size());
    if (ranks->rank() == 0) std::fill(to.begin(), to.end(), std::vector<std::byte>(bytes.begin(), bytes.end()));
    RIZOMA_ASSIGN(const auto received, ranks->collective(CollectiveKind::sum, std::move(to)));
    values.resize(received[0].size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), received[0].data(), values.size() * sizeof(T));
    return {};
  }
  /// The values of all processes, in the same order on each.  Collective.
  Result<std::vector<std::vector<std::byte>>> share(std::vector<std::byte> mine);
  /// Completes n values on all processes; each has those of its own vertices.  Collective.
  template <class T>
  Status complete(T* values) {
    Ranks* const ranks = engine_.ranks();
    return ranks == nullptr ? Status() : ranks->gather(values, sizeof(T));
  }
  /// The same as allreduce.
  template <class T, class Combine = std::plus<>>
  Result<T> total(const T& mine, Combine combine = {}) {
    return over_ranks(engine_, mine, combine);
  }
  /// Adds up the counts of all processes for each vertex where its state is, and sets them to 0 elsewhere.
  /// Collective.
  template <class T>
  Status reduce(VertexMap<T>& counts) {
    if (is_alone()) return {};
    Outbox<T> outbox(engine_);
    RIZOMA_TRY(for_vertices_of(engine_, Whose::others, [&](VertexRange range, unsigned thread) {
      for (VertexId v = range.begin; v < range.end; ++v) {
        if (counts[v] > 0) outbox.add(v, std::exchange(counts[v], T{}), thread);
      }
    }));
    return outbox.exchange_by_all([&](unsigned) { return [&](VertexId v, const T& count) { counts[v] += count; }; });
  }
  /// Sends each vertex to the process that has its state; returns the vertices received.
  /// Collective.
  Result<std::vector<VertexId>> bring_home(std::vector<VertexId> vertices);

  /// Runs supersteps until `step` returns false, or an error, of any rank.
  Status run(FunctionRef<Result<bool>()> step);
  /// Saves the state if a checkpoint is due: what `run` does after a superstep.  Collective.
  Status save_if_due();

  /// Calls f(v) for the vertices whose state is here.
  template <class F>
  void for_own(F&& f) const {
    const Ranks* const ranks = engine_.ranks();
    if (ranks == nullptr) {
      for (VertexId v = 0; v < graph_.num_vertices(); ++v) f(v);
      return;
    }
    for (const VertexRange range : ranks->ranges_of(ranks->rank())) {
      for (VertexId v = range.begin; v < range.end; ++v) f(v);
    }
  }
  /// Calls f(v) for all other vertices; a state holds their initial values.
  template <class F>
  void for_others(F&& f) const {
    const Ranks* const ranks = engine_.ranks();
    for (unsigned rank = 0; ranks != nullptr && rank < ranks->size(); ++rank) {
      if (rank == ranks->rank()) continue;
      for (const VertexRange range : ranks->ranges_of(rank)) {
        for (VertexId v = range.begin; v < range.end; ++v) f(v);
      }
    }
  }

  /// Completes columns of a result: the caller finds the values of all vertices in each.  Collective.
  template <class... T>
  Status gather(VertexMap<T>&... columns) {
    Ranks* const ranks = engine_.ranks();
    Status status;
    const auto one = [&](auto& column) {
      if (status && column.size() > 0) status = answer(engine_, column);
    };
    if (ranks != nullptr) (one(columns), ...);
    return status;
  }
  /// The same for the two columns of a search (gather_reached.h), whose values are at most `greatest`.
  template <class A, class B>
  Status gather(ReachedMap<A>& a, ReachedMap<B>& b, VertexId reached, std::uint64_t greatest) {
    Ranks* const ranks = engine_.ranks();
    if (ranks == nullptr) return {};
    return gather_search(engine_, a, b, {reached, greatest, ranks->answers_to()});
  }
  /// The same for one column of a search; where it says who was reached, every process has all values already.
  template <class T>
  Status gather(ReachedMap<T>& column) {
    Ranks* const ranks = engine_.ranks();
    if (ranks == nullptr || column.reached() != nullptr) return {};
    return gather_columns(engine_, column.all().span(), ranks->answers_to());
  }

 private:
  friend class engine_detail::StateArray;
  /// A scalar of the state: how it is written to one or two numbers of a checkpoint, and read from them.
  struct Scalar {
    void* value;
    unsigned numbers;
    void (*write)(const void* value, double* numbers);
    bool (*read)(void* value, const double* numbers);
  };

  template <std::floating_point T>
  void keep_one(T& scalar) {
    scalars_.push_back({&scalar, 1, [](const void* value, double* to) { *to = *static_cast<const T*>(value); },
                        [](void* value, const double* from) {
                          *static_cast<T*>(value) = static_cast<T>(*from);
                          return *from == *from;
                        }});
  }
  template <std::integral T>
    requires(sizeof(T) < sizeof(std::uint64_t))
  void keep_one(T& scalar) {
    scalars_.push_back({&scalar, 1,
                        [](const void* value, double* to) { *to = static_cast<double>(*static_cast<const T*>(value)); },
                        [](void* value, const double* from) {
                          if (!whole_below(*from, static_cast<double>(std::numeric_limits<T>::max()) + 1)) return false;
                          *static_cast<T*>(value) = static_cast<T>(*from);
                          return true;
                        }});
  }
  template <std::same_as<std::uint64_t> T>
  void keep_one(T& scalar) {
    scalars_.push_back({&scalar, 2,
                        [](const void* value, double* to) {
                          const auto halves = halves_of(*static_cast<const T*>(value));
                          to[0] = halves[0], to[1] = halves[1];
                        },
                        [](void* value, const double* from) {
                          if (!are_halves(from[0], from[1])) return false;
                          *static_cast<T*>(value) = number_of(from[0], from[1]);
                          return true;
                        }});
  }

  template <class T>
  static Status answer(Engine& engine, VertexMap<T>& column) {
    Ranks& ranks = *engine.ranks();
    if constexpr (std::integral<T>) return gather_columns(engine, column.span(), ranks.answers_to());
    else return ranks.gather(column.data(), sizeof(T), ranks.answers_to());
  }
  [[nodiscard]] IterationState state();
  bool read_scalars();

  Engine& engine_;
  const GraphView& graph_;
  std::string name_;
  Work work_;
  Checkpoints* checkpoints_;  ///< null: nothing is saved
  std::vector<engine_detail::StateArray*> arrays_;
  std::vector<Scalar> scalars_;
  std::vector<double> figures_;  ///< the scalars, as a checkpoint has them
  std::function<Status()> update_;
  std::function<bool()> valid_;
};

}  // namespace rizoma
