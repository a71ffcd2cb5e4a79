// The number of cycles of four vertices.  Module: algorithms.
//
// What: sets of four edges a-b, b-c, c-d, d-a of different vertices, each once, whether or not they have chords.
// Self-loops and parallel edges do not count.
// How: nothing is enumerated.  Vertices are ranked by falling degree (in classes of its powers of two).  Of each cycle
// the vertex across from the lowest rank counts it: k wedges from there to one end of lower rank, over vertices of
// higher rank than that end, make k (k - 1) / 2 cycles.
// Cost: O(sum over the edges of the lower degree of their ends), at most O(m^1.5); 4 bytes an edge, 17 a vertex and 8
// more for each thread.
// Source: Chiba, Nishizeki, "Arboricity and subgraph listing algorithms", SIAM J. Comput. 14, 1985; Wang, Lin, Qin,
// Zhang, Zhang, "Vertex priority based butterfly counting for large-scale bipartite networks", PVLDB 12(10), 2019.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>

namespace rizoma {

/// Errors: unsupported (a directed graph; 2^32 vertices or more; 2^64 cycles or more), cancelled.
Result<std::uint64_t> four_cycles(Engine& engine, const GraphView& graph);

}  // namespace rizoma
