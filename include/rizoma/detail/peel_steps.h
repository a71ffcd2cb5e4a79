// PeelSteps: the steps of a peeling: levels, threads and what ranks exchange.  Module: engine.
//
// Why: none of this looks at a list.  It knows the lists as blocks of vertices to take off (PeelBlocks), and is
// compiled once (src/engine/sweep/peel_steps.cpp).
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

/// What one thread takes off.
template <class Degree, class Vertex>
struct alignas(64) PeelThread {
  std::vector<Vertex> off;     ///< to be taken off: the first `waiting`
  std::vector<Vertex> abroad;  ///< vertices of other ranks that were lowered
  std::size_t waiting = 0;
  std::uint64_t taken_off = 0;  ///< since the last round of all threads
  Degree least = 0;             ///< above the level

  void make_room(std::size_t more) {
    if (off.size() - waiting < more) off.resize(std::max(waiting + more, 2 * off.size()));
  }
};

/// What a step asks of the lists.
template <class Degree, class Vertex>
class PeelBlocks {
 public:
  PeelBlocks() = default;
  PeelBlocks(const PeelBlocks&) = delete;
  PeelBlocks& operator=(const PeelBlocks&) = delete;
  /// Takes off `most` vertices that wait with a thread, with those that follow them.  `shared`: other threads do, too.
  virtual void take_off(std::uint64_t most, Degree level, PeelThread<Degree, Vertex>& mine, unsigned thread,
                        bool shared) = 0;

 protected:
  ~PeelBlocks() = default;
};

/// `Degree`: std::int32_t or std::int64_t; `Vertex`: std::uint32_t or std::uint64_t.
template <class Degree, class Vertex>
class PeelSteps {
 public:
  /// The degree of a vertex of another rank: above every level.
  static constexpr Degree kAbroad = std::numeric_limits<Degree>::max();

  PeelSteps(Iteration& loop, PeelBlocks<Degree, Vertex>& blocks, VertexState<Degree>& degrees);

  /// Call it once all vertices of a degree up to `level` have been removed.  Collective, as `step` is.
  Status start(Degree level);
  /// Vertices left.
  [[nodiscard]] std::uint64_t left() const noexcept { return left_of_all_; }
  /// Removes all vertices of the smallest degree left, and those that this leaves with no more.
  Status step();
  /// The degree of the vertices removed last.
  [[nodiscard]] Degree level() const noexcept { return level_; }

 protected:
  ~PeelSteps() = default;

 private:
  Status find_next();
  Status look_through();
  Status take_off();
  Status notify_owners();
  void collect();

  Engine& engine_;
  Iteration& loop_;
  PeelBlocks<Degree, Vertex>& blocks_;
  VertexState<Degree>& state_;
  VertexMap<Degree>& degrees_;
  std::vector<PeelThread<Degree, Vertex>> threads_;
  std::vector<Vertex> there_;      ///< all vertices left, and some that are not
  std::vector<Vertex> off_;        ///< to be taken off at this level
  std::uint64_t left_ = 0;         ///< of this rank
  std::uint64_t left_of_all_ = 0;  ///< of all ranks
  Degree level_ = 0;
  Degree least_ = 0;
};

extern template class PeelSteps<std::int32_t, std::uint32_t>;
extern template class PeelSteps<std::int32_t, std::uint64_t>;
extern template class PeelSteps<std::int64_t, std::uint32_t>;
extern template class PeelSteps<std::int64_t, std::uint64_t>;

}  // namespace rizoma::engine_detail
