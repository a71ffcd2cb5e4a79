// The number of cycles of four vertices.  Module: algorithms.
//
// What: sets of four edges a-b, b-c, c-d, d-a of different vertices, each once, whether or not they have chords.
// Self-loops and parallel edges do not count.
// How: nothing is enumerated.  Of each cycle the vertex of highest degree counts it: of the wedges from there over a
// vertex of lower degree, k to one end of lower degree make k (k - 1) / 2 cycles.
// Cost: O(sum over the edges of the lower degree of their ends), at most O(m^1.5); 8 bytes a vertex for each thread.
// Source: Chiba, Nishizeki, "Arboricity and subgraph listing algorithms", SIAM J. Comput. 14, 1985.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>

namespace rizoma {

/// Errors: unsupported (a directed graph; 2^32 vertices or more; 2^64 cycles or more), cancelled.
Result<std::uint64_t> four_cycles(Engine& engine, const GraphView& graph);

}  // namespace rizoma
