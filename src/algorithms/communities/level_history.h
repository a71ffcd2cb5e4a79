// The levels of Louvain, in a form that an iteration keeps.
//
// What: communities are numbered by their first members, so each is named by its smallest vertex.  A vertex names a
// community of its own up to some level, from which on it belongs to that of a smaller one: these two numbers of each
// vertex tell the communities of all levels.  The graph of a level is not kept: it is put together again.
// Cost: 8 bytes a vertex; a resumed search reads all lists once more than the rest of it does.
#pragma once

#include "algorithms/communities/community_level.h"

#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::communities {

class LevelHistory {
 public:
  /// `keeps`: false if the levels of this search cannot be followed again.
  LevelHistory(Iteration& loop, bool keeps)
      : loop_(loop), keeps_(keeps && loop.survives()), into_(loop), level_(loop) {}

  /// Begins the iteration; a resumed one sets `seed` to that of its beginning.  Collective.
  Status begin(std::uint64_t& seed);
  [[nodiscard]] unsigned resumed_levels() const noexcept { return resumed_levels_; }
  [[nodiscard]] double resumed_gain() const noexcept { return resumed_levels_ > 0 ? gain_ : 0; }

  /// The communities of the next level that was kept, of the vertices of the one before; `vertex`: which of these each
  /// of the user's vertices is in.
  [[nodiscard]] std::vector<Vertex> next_communities(std::span<const Vertex> vertex, Vertex size);

  /// These are the communities of one more level, of the vertices of the one before; numbered by their first members.
  void note(std::span<const Vertex> communities);
  /// Saves all noted levels and their gain, if it is time to.
  Status offer(double gain);

 private:
  [[nodiscard]] bool sound() const;

  Iteration& loop_;
  bool keeps_;
  VertexState<Vertex> into_;          ///< whose community a vertex is in from that level on
  VertexState<std::uint32_t> level_;  ///< from 1 on; 0: it names one on all levels
  std::vector<Vertex> name_;          ///< of each community of the last level: its first vertex
  unsigned levels_ = 0;               ///< noted so far
  unsigned resumed_levels_ = 0;
  std::uint64_t seed_ = 0;
  unsigned saved_levels_ = 0;
  double gain_ = 0;
};

}  // namespace rizoma::communities
