// Core numbers.  Module: algorithms.
//
// What: the core number of v is the greatest k such that v lies in a subgraph where every vertex has degree
// k or more.  The degree of a directed graph is in- plus out-degree; self-loops do not count.
// How: vertices are peeled off by rising degree, kept sorted in buckets; serial.
// Cost: O(n + m); 24 bytes a vertex.
// Source: Batagelj, Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct CoreNumbersResult {
  VertexMap<std::uint64_t> cores;  ///< n values; 0 for removed vertices
  std::uint64_t greatest = 0;
};

/// Errors: unsupported (a directed graph without in-edges), cancelled.
Result<CoreNumbersResult> core_numbers(Engine& engine, const GraphView& graph);

}  // namespace rizoma
