// Triangles of each edge, and trusses.  Module: algorithms.
//
// What: for each entry u -> v of the out-lists the number of triangles that contain the edge (its support);
// and the k-truss: the largest subgraph where each edge is in k - 2 of its triangles or more.  Direction,
// parallel edges and self-loops are ignored: those of one pair share its value; a self-loop has support 0
// and is in no truss.
// How: supports as triangle_count, with a counter for each ranked edge.  Trusses by peeling: edges below k - 2 go, and
// the other two edges of each of their triangles lose one; those that fall by that go in the next round.
// Cost: O(m^1.5) at worst for supports; peeling an edge O(the smaller degree * log of the greater).
// Source: Cohen, "Trusses: cohesive subgraphs for social network analysis", 2008; rounds: Kabir, Madduri,
// "Shared-memory graph truss decomposition", HiPC'17.
#pragma once

#include <rizoma/engine.h>

#include <vector>

namespace rizoma {

/// By entry of the out-lists.  Errors: unsupported (2^32 vertices or more), cancelled.
Result<std::vector<std::uint64_t>> edge_triangles(Engine& engine, const GraphView& graph);

/// By entry of the out-lists: 1 if it is in the k-truss.  Errors: as edge_triangles; unsupported (directed).
Result<std::vector<std::uint8_t>> k_truss(Engine& engine, const GraphView& graph, std::uint64_t k);

}  // namespace rizoma
