// Core numbers.  Module: algorithms.
//
// What: the core number of v is the largest k such that v is in a subgraph where every vertex has degree
// k or more.  The degree of a directed graph is in- plus out-degree; self-loops do not count.
// How: level by level (ordered_sweep.h): threads take off the vertices that have the smallest degree left, and those
// that this leaves with no more.
// Cost: O(n + m), and O(the vertices left) a level, which is O(m) in all; 16 bytes a vertex.
// Source: Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW'17; the definition: Seidman,
// "Network structure and minimum degree", Social Networks 5, 1983.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct CoreNumbersResult {
  VertexMap<std::uint64_t> cores;  ///< n values; 0 for removed vertices
  std::uint64_t greatest = 0;
  std::uint64_t resumed_after = 0;  ///< the level of the checkpoint that it went on from; 0: it started over
};

/// Errors: unsupported (a directed graph without in-edges), cancelled.
Result<CoreNumbersResult> core_numbers(Engine& engine, const GraphView& graph);

}  // namespace rizoma
