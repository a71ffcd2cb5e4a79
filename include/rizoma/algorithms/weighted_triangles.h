// Triangles of each vertex, each counted by the product of its edges' values.  Module: algorithms.
//
// What: the sum over the triangles that contain v of x(ab) x(bc) x(ca), where x of an edge is the cube root of
// its weight, so that a triangle counts by the geometric mean of its weights.  What is between two
// vertices (both directions, parallel edges) is one edge whose x are added up.  Unweighted, x is 1 for each
// direction, parallel edges once (in sorted lists): an undirected triangle counts 1, a directed one by the
// number of ways to choose its three edges.
// How: as triangle_count, with a value for each ranked edge.
// Cost: O(m^1.5) at worst; 12 bytes an edge, 8 bytes a vertex for each thread.
// Source: Onnela et al., "Intensity and coherence of motifs in weighted complex networks", Phys. Rev. E 71,
// 2005; Fagiolo, "Clustering in complex directed networks", Phys. Rev. E 76, 2007.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

/// n sums.  Errors: unsupported (2^32 vertices or more), cancelled.
Result<VertexMap<double>> weighted_triangles(Engine& engine, const GraphView& graph, bool use_weights);

}  // namespace rizoma
