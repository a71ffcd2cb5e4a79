// The levels of Louvain that a checkpoint keeps.
//
// What: communities are numbered by their first members, so each is named by its smallest vertex.  A vertex names a
// community of its own up to some level, from which on it belongs to that of a smaller one: these two numbers of each
// vertex tell the communities of all levels.  The graph of a level is not kept: it is put together anew.
// Cost: 8 bytes a vertex; a resumed search reads all lists once more than the rest of it does.
#pragma once

#include "algorithms/communities/community_level.h"

#include <rizoma/detail/checkpoints.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::communities {

class LevelCheckpoint {
 public:
  /// Null: nothing is kept.
  LevelCheckpoint(Engine& engine, Checkpoints* checkpoints) : engine_(engine), checkpoints_(checkpoints) {}

  /// Reads what was kept, if the job is to go on from there; then `seed` is the one that it began with.  Collective.
  Status resume(const GraphView& graph, std::uint64_t& seed);
  [[nodiscard]] unsigned resumed_levels() const noexcept { return resumed_levels_; }
  [[nodiscard]] double resumed_gain() const noexcept { return resumed_levels_ > 0 ? figures_[3] : 0; }

  /// The communities of the next level that was kept, of the vertices of the one before; `vertex`: which of these each
  /// of the user's vertices is in.
  [[nodiscard]] std::vector<Vertex> next_communities(std::span<const Vertex> vertex, Vertex size);

  /// These are the communities of one more level, of the vertices of the one before; numbered by their first members.
  void note(std::span<const Vertex> communities);
  /// Keeps all levels that were noted, and what they have gained, if it is time to.
  Status offer(double gain);

 private:
  [[nodiscard]] bool sound() const;
  [[nodiscard]] std::vector<StateColumn> columns() { return {column_of(into_), column_of(level_)}; }

  Engine& engine_;
  Checkpoints* checkpoints_;
  VertexMap<Vertex> into_;          ///< whose community a vertex is in from that level on
  VertexMap<std::uint32_t> level_;  ///< from 1 on; 0: it names one on all levels
  std::vector<Vertex> name_;        ///< of each community of the last level: its first vertex
  unsigned levels_ = 0;             ///< noted so far
  unsigned resumed_levels_ = 0;
  std::uint64_t seed_ = 0;
  std::array<double, 4> figures_{};  ///< the seed in halves, levels, their gain
};

}  // namespace rizoma::communities
