// How often each connected graph of five vertices occurs.  Module: algorithms.
//
// What: for each of the 21 connected graphs of five vertices the number of sets of five vertices that induce it, in an
// undirected graph.  Self-loops and parallel edges do not count.
// How: a shape is cut at a vertex, an edge or a pair into smaller ones, whose counts at each vertex, edge, pair and
// triangle are multiplied, less the cases where the parts meet: degrees, triangles, wedges and cycles of four serve all
// shapes but the cycle of five (wedges that meet at an edge, from the vertex of highest degree) and the clique of five,
// which alone is enumerated.  Those are the subgraphs; what occurs within a denser shape too is then subtracted.
// Cost: O(sum of squares of the degrees, and of the triangles of each edge), and for cycles of five the paths of three
// edges from a vertex of higher degree than all others; 24 bytes a triangle, 20 an entry, and 8 bytes a vertex for each
// thread.
// Source: Pinar, Seshadhri, Vishal, "ESCAPE: efficiently counting all 5-vertex subgraphs", WWW'17.
#pragma once

#include <rizoma/engine.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace rizoma {

/// Stars alone may exceed 64 bits.
__extension__ using MotifCount = unsigned __int128;

inline constexpr std::size_t kFiveVertexMotifs = 21;

struct MotifCounts {
  std::array<MotifCount, kFiveVertexMotifs> counts{};  ///< parallel to kFiveVertexMotifNames
};

/// By number of edges.  dart, kite: a diamond and an edge from a vertex of degree three, two; lollipop: a clique of
/// four and an edge; gem: a path and a vertex with edges to all of it; book: three triangles over one edge.
inline constexpr std::array<std::string_view, kFiveVertexMotifs> kFiveVertexMotifNames{"path",
                                                                                       "fork",
                                                                                       "star",
                                                                                       "cycle",
                                                                                       "banner",
                                                                                       "bull",
                                                                                       "cricket",
                                                                                       "tadpole",
                                                                                       "k_2_3",
                                                                                       "house",
                                                                                       "butterfly",
                                                                                       "dart",
                                                                                       "kite",
                                                                                       "lollipop",
                                                                                       "gem",
                                                                                       "book",
                                                                                       "wheel_minus_spoke",
                                                                                       "wheel",
                                                                                       "clique_minus_path",
                                                                                       "clique_minus_edge",
                                                                                       "clique"};

/// Errors: unsupported (a directed graph; 2^32 - 1 vertices or more), cancelled.
Result<MotifCounts> motif_counts(Engine& engine, const GraphView& graph);

}  // namespace rizoma
