// Policies: which home each section, and each thread, is given.  Pure functions of the graph's shape
// and the machine's; they move nothing.
#pragma once

#include "platform/topology.h"

#include <rizoma/graph_view.h>
#include <rizoma/placement.h>

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

/// The home of each section.  Sections smaller than a word of a VertexSet go with the first of their
/// word.  in_place gives an empty vector: home 0.
///   round_robin: section s -> s mod homes.
///   chunk: home i has the run of sections that minimises F = alpha |V_i - V/P| + |E_i - E/P| with
///     alpha = floor(E / V) for P homes, chosen from the first home to the last (the objective of RGraph).
/// Cost: O(sections).
[[nodiscard]] std::vector<unsigned> place_sections(PlacementPolicy policy, const GraphView& graph, unsigned homes);

}  // namespace rizoma
