// The square clustering coefficient of each vertex.  Module: algorithms.
//
// What: of the squares v-u-x-w that the neighbours u, w of v might close beside v, the share that exist.
// A square of v is a pair of neighbours with another common neighbour x; for a pair the squares possible are
// (d(u) - e) + (d(w) - e) + q, where q are the squares there and e = 1 + q, or 2 + q if u and w are adjacent.
// 0 where none is possible.  Parallel edges count once, self-loops not at all.
// How: walks of two edges from v are counted by where they end; c walks to x make c (c-1) / 2 squares.
// Cost: O(sum of the squares of the degrees); 8 bytes a vertex for each thread.
// Source: Zhang et al., "Clustering coefficient and community structure of bipartite networks", Physica A
// 387, 2008.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

/// n coefficients.  Errors: unsupported (a directed graph), cancelled.
Result<VertexMap<double>> square_clustering(Engine& engine, const GraphView& graph);

}  // namespace rizoma
