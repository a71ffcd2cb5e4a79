// Edges among the neighbours of each vertex.  Module: algorithms.
//
// What: N(v) is the set of vertices other than v with an edge from or to v; edges(v) is the number of pairs (a, b) of
// N(v) with an edge a -> b, so that an undirected edge counts twice, and so do opposite edges.  Parallel edges count
// once, self-loops not at all.  edges / (|N| (|N| - 1)) is the local clustering coefficient (LCC) of the LDBC
// Graphalytics benchmark: the share of the edges that could be there which exists.
// How: triangles of the graph without directions, each edge of one counted for the vertex opposite, once for each
// direction that it has.
// Cost: O(m^1.5) at worst, one byte an edge beyond triangle_count.
// Source: Iosup et al., "LDBC Graphalytics", VLDB 2016.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct NeighborhoodEdges {
  VertexMap<std::uint64_t> neighbors;  ///< |N(v)|
  VertexMap<std::uint64_t> edges;      ///< among them
};

/// Errors: unsupported (2^32 vertices or more; a directed graph without in-edges), cancelled.
Result<NeighborhoodEdges> neighborhood_edges(Engine& engine, const GraphView& graph);

}  // namespace rizoma
