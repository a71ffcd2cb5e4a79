// Core numbers.  Module: algorithms.
//
// What: the core number of v is the greatest k such that v lies in a subgraph where every vertex has degree
// k or more.  The degree of a directed graph is in- plus out-degree; self-loops do not count.
// How: level by level: threads take off the vertices that have the least degree left.  Whoever has no more than that
// as a consequence is taken off by the thread that saw it fall, which needs no further round of all threads.
// With ranks, each takes off its own vertices, and tells the owners of others, once for each, by how much their degrees
// have fallen, until no vertex is left at the level: some collectives a level.
// Cost: O(n + m), and O(the vertices left) a level, which is O(m) in all; 16 bytes a vertex.
// Source: Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW'17; the definition: Seidman,
// "Network structure and minimum degree", Social Networks 5, 1983.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/engine.h>

namespace rizoma {

struct CoreNumbersResult {
  VertexMap<std::uint64_t> cores;  ///< n values; 0 for removed vertices
  std::uint64_t greatest = 0;
  std::uint64_t resumed_after = 0;  ///< the level of the checkpoint that it went on from; 0: it began anew
};

/// With ranks, each has the numbers of its own vertices.  `checkpoints` keep the degrees left after a level.
/// Errors: unsupported (a directed graph without in-edges), cancelled.
Result<CoreNumbersResult> core_numbers(Engine& engine, const GraphView& graph, Checkpoints* checkpoints = nullptr);

}  // namespace rizoma
