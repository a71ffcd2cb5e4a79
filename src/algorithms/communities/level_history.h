// The levels of Louvain or Leiden, in a form that an iteration keeps.
//
// What: how each level leads to the next, as long as there is room; later levels are small, most often.  The vertices
// of the next are groups: of Louvain the communities, of Leiden groups within them, each with the number of its
// community.  The graph of a level is not kept: it is put together again.
// Cost: 16 bytes a vertex, of Leiden 32; a resumed search reads all lists once more than the rest of it does.
#pragma once

#include "algorithms/communities/community_level.h"

#include <rizoma/detail/state_list.h>
#include <rizoma/iteration.h>
#include <rizoma/vertex_state.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rizoma::communities {

/// How a level leads to the next; numbered by first members.
struct Coarsening {
  std::vector<Vertex> groups;       ///< of the vertices of the level
  std::vector<Vertex> communities;  ///< of each group
};

class LevelHistory {
 public:
  /// `into_groups`: groups need not be communities.
  LevelHistory(Iteration& loop, bool into_groups) : loop_(loop), groups_(loop) {
    if (into_groups && loop.survives()) communities_.emplace(loop, kRoom * groups_.size(), Vertex{0});
  }

  /// Begins the iteration; a resumed one sets `seed` to that of its beginning.  Collective.
  Status begin(std::uint64_t& seed);
  [[nodiscard]] unsigned resumed_levels() const noexcept { return resumed_levels_; }
  [[nodiscard]] double resumed_gain() const noexcept { return resumed_levels_ > 0 ? gain_ : 0; }

  /// From a level of `size` vertices, the last one that was followed, to the next that was kept.
  [[nodiscard]] Coarsening next(Vertex size);
  /// The search goes on so from the last level that was noted.
  void note(const Coarsening& next);
  /// Saves all noted levels and their gain, if it is time to.
  Status offer(double gain);

 private:
  static constexpr std::uint64_t kRoom = 4;  // values for each vertex

  [[nodiscard]] bool sound();
  [[nodiscard]] std::span<Vertex> all_groups() { return {groups_.data()->data(), kRoom * groups_.size()}; }

  Iteration& loop_;
  VertexState<std::array<Vertex, kRoom>> groups_;  ///< of the vertices of each level
  std::optional<StateList<Vertex>> communities_;   ///< of the groups of each level; null: their own numbers
  std::uint64_t groups_end_ = 0;                   ///< behind those of the last level; beyond the list: no room
  std::uint64_t communities_end_ = 0;
  unsigned levels_ = 0;  ///< noted so far
  unsigned resumed_levels_ = 0;
  std::uint64_t seed_ = 0;
  unsigned saved_levels_ = 0;
  double gain_ = 0;
};

}  // namespace rizoma::communities
