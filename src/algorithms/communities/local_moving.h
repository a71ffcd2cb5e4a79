// Moves of vertices between communities on one level, by all threads, with an answer that does not depend on them.
#pragma once

#include "algorithms/communities/community_level.h"

#include <atomic>
#include <span>

namespace rizoma::communities {

/// Vertices in an order of batches.  The vertices of a batch decide on the same state, and then all move; so the answer
/// is that of the batches, whatever thread works on them.  A run of vertices goes to four batches, or 16, at random,
/// for neighbours that decide at once might change places.
class Batches {
 public:
  Batches(Engine& engine, Vertex n, std::uint64_t seed);
  void want(Vertex v) noexcept { wanted_[v] = 1; }
  void want_all() noexcept;
  /// Merges the requests of all processes.
  Status join(Iteration& shared);
  /// Distributes the wanted vertices to batches; none is wanted afterwards.
  Status assign();
  [[nodiscard]] std::size_t count() const noexcept { return batches_.size(); }
  [[nodiscard]] std::span<const Vertex> operator[](std::size_t batch) const noexcept { return batches_[batch]; }
  /// Requests a vertex for the next assignment, unless it is still pending in a later batch.  For any thread.
  void wake(Vertex v, std::size_t batch) noexcept {
    if (turn_[v] <= batch + 1) std::atomic_ref(wanted_[v]).store(1, std::memory_order_relaxed);
  }

 private:
  struct Part;
  void collect(VertexId part, Part& found);
  void cut(std::vector<Part>& parts);
  [[nodiscard]] unsigned group_of(Vertex v) const noexcept;

  Engine& engine_;
  Vertex n_;
  std::uint64_t seed_;
  unsigned groups_;
  VertexMap<std::uint8_t> wanted_;
  VertexMap<std::uint16_t> turn_;  ///< the number of a vertex's batch, from 1; 0: it is in none
  VertexMap<Vertex> found_;        ///< those wanted in each part, from its beginning
  VertexMap<Vertex> order_;
  std::vector<std::span<const Vertex>> batches_;
};

struct MoveOptions {
  double tolerance = 0;  ///< a round that gains less, as a share of the weight of all edges, is the last
  std::uint64_t seed = 1;
  ListReads reads;
};

/// Moves vertices, each to the neighbouring community that gains most, or to one of its own, until a round gains too
/// little.  Fixed vertices stay.  `communities`: where they are, numbers below the size of the level.  `active`: those
/// that are looked at first; empty: all.  Returns the gain, as a share of the weight of all edges.  Errors: cancelled.
Result<double> move_vertices(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
                             std::vector<Vertex>& communities, std::span<const Vertex> active = {});

/// Puts together what belongs together within each community: a vertex that is still alone joins the neighbour or group
/// that gains most, if its links to the rest of the community are no fewer than chance would give.  Nobody leaves a
/// group, so that all of them are connected.  Returns groups, numbered below the size of the level.  Errors: cancelled.
Result<std::vector<Vertex>> refine(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
                                   const std::vector<Vertex>& communities);

}  // namespace rizoma::communities
