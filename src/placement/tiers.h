// Tiers: which nodes of a machine a structure's memory lies on.  A pure function; nothing is moved.
#pragma once

#include <rizoma/placement.h>
#include <rizoma/result.h>

#include <rizoma/topology.h>

namespace rizoma {

/// The nodes for a structure of the home at `node`, nearest first (by the machine's distances, ties by
/// number).  preferred and bind take the nearest of the tier; all and interleave take every one.
/// Errors: unsupported (the machine has no node of that tier).
[[nodiscard]] Result<MemoryNodes> nodes_of_tier(const Topology& topology, TierChoice choice, unsigned node);

}  // namespace rizoma
