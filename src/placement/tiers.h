// Tiers: which nodes of a machine a structure's memory is on.  Pure functions; nothing is moved.
#pragma once

#include <rizoma/ids.h>

#include <rizoma/placement.h>
#include <rizoma/result.h>

#include <rizoma/topology.h>

#include <cstddef>
#include <vector>

namespace rizoma {

/// The nodes for a structure of the home at `node`, nearest first (by the machine's distances, ties by
/// number).  preferred and bind take the nearest of the tier; all and interleave take every one.
/// Errors: unsupported (the machine has no node of that tier).
[[nodiscard]] Result<MemoryNodes> nodes_of_tier(const Topology& topology, TierChoice choice, unsigned node);

/// The node of a home: as the placement names it, else the machine's first.
[[nodiscard]] unsigned node_of_home(const Topology& topology, const Placement& placement, unsigned home);

/// Bytes [begin, end) of a map or set of vertices, and the nodes that they shall are on.
struct StateChunk {
  std::size_t begin = 0;
  std::size_t end = 0;
  MemoryNodes nodes;
  friend bool operator==(const StateChunk&, const StateChunk&) = default;
};

/// Cuts smaller than this would take the kernel's huge pages away.
inline constexpr std::size_t kStretchUnit = std::size_t{2} << 20;

/// Where `bytes` bytes of state of n vertices lie: nowhere in particular (no stretch) if the structure is in
/// place.  preferred and bind put the state of each section near the section's home, in stretches of whole
/// huge pages; if the sections of one home are together in runs shorter than that (round_robin), or
/// `placement` does not know the sections of a graph of n vertices (`section_bits` is then of no account),
/// pages take turns over the nodes of all homes.  all and interleave are one stretch.
/// Errors: those of nodes_of_tier.
[[nodiscard]] Result<std::vector<StateChunk>> nodes_of_state(const Topology& topology, const Placement& placement,
                                                             Structure structure, unsigned section_bits, VertexId n,
                                                             std::size_t bytes);

}  // namespace rizoma
