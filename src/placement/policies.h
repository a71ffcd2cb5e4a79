// Policies: which home each section, and each thread, is given.  Pure functions of the graph's shape
// and the machine's; they move nothing.
#pragma once

#include "placement/chunk.h"

#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/topology.h>

#include <span>
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

/// Vertices and entries of each section, in the out-direction.
[[nodiscard]] std::vector<Load> section_loads(const GraphView& graph);

/// The home of each section.  in_place and interleave, and a single home, give an empty vector.
///   halves: runs of equally many sections (equally many vertices, up to a section's).
///   round_robin: section s -> s mod homes.
///   chunk, and adaptive to begin with: see chunk.h, the edges even within 1% where sections allow.
/// Cost: O(sections).
[[nodiscard]] std::vector<unsigned> place_sections(PlacementPolicy policy, std::span<const Load> sections, unsigned homes);

/// Homes, threads and their processors on this machine, without sections.  `threads` 0: one for each
/// processor.  With in_place, or on a machine with one node, there is one home and free threads.
[[nodiscard]] Placement place_team(PlacementPolicy policy, const Topology& topology, unsigned threads);

}  // namespace rizoma
