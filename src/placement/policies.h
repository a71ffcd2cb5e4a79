// Policies: which home each thread is given (sections: rizoma/placement.h).  Pure functions of
// the machine's shape; they move nothing.
#pragma once

#include <rizoma/placement.h>
#include <rizoma/topology.h>

#include <vector>

namespace rizoma {

/// The nodes that have processors, in the order of their numbers: home i is node homes[i].
[[nodiscard]] std::vector<TopologyNode> home_nodes(const Topology& topology);

/// The home of each of `threads` threads: homes take turns, in proportion to their processors.
[[nodiscard]] std::vector<unsigned> place_threads(const Topology& topology, unsigned threads);

/// The processor of each thread, within its home, each home's processors in turn.
[[nodiscard]] std::vector<unsigned> processors_of_threads(const Topology& topology,
                                                          const std::vector<unsigned>& home_of_thread);

/// For each home all homes, nearest first: itself, then by the machine's distances, ties by number.
[[nodiscard]] std::vector<std::vector<unsigned>> homes_by_distance(const Topology& topology);

/// Homes, threads and their processors on this machine, without sections.  `threads` 0: one for each
/// processor.  With in_place, or on a machine with one node, there is one home and free threads.
[[nodiscard]] Placement place_workers(PlacementPolicy policy, const Topology& topology, unsigned threads);

/// Whether the lists of a placement fit each other and name homes that exist.  Errors: invalid_argument.
[[nodiscard]] Status check_placement(const Placement& placement);

}  // namespace rizoma
