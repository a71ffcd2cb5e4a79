// The efficiency of each vertex's neighbourhood.  Module: algorithms.
//
// What: the mean of 1 / distance over the ordered pairs of neighbours of v, distances taken in the graph of these
// neighbours alone (0 where there is no path); 0 with fewer than two neighbours.  Parallel edges count once; with a
// self-loop v is a neighbour of its own.
// How: the edges between the neighbours are gathered, then searched from each; threads take vertices.
// Cost: O(sum over v of degree times edges between neighbours) at worst; 4 bytes a vertex for each thread.
// Source: Latora, Marchiori, "Efficient behavior of small-world networks", Phys. Rev. Lett. 87, 2001.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

/// n efficiencies.  Errors: unsupported (a directed graph, 2^32 vertices or more), cancelled.
Result<VertexMap<double>> local_efficiency(Engine& engine, const GraphView& graph);

}  // namespace rizoma
