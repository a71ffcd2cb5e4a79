// Biconnected components, articulation points and bridges.  Module: algorithms.
//
// What: components of edges such that two edges are in one exactly if a cycle without repeated vertices contains
// both; the vertices that are in several (articulation points); and the edges that are a component of their own
// (bridges).  Removing one of these leaves more connected components.
// How: a breadth-first forest; every other edge unites, from its ends up to where their ways meet, the edges of the
// forest on its cycle, as sets that all threads link.  In a great set no vertex looks at its edges.  With
// `depth_first_order` one depth-first search with a stack of edges, by one thread.
// Order: components by that of their vertices on the highest level of the forest that has the smallest number, their
// edges by the lower end and in the order of its list; it depends on the graph alone, not on the threads.  With
// `depth_first_order` components stand as a depth-first search (vertices by number, lists in their order) finishes
// them, their edges as it walks them, and articulation points as found.
// Loops: a self-loop is in no component; with `depth_first_order`, off a search's root, in that of the edge that led to
// its vertex.  Parallel edges are in one component; with `depth_first_order` they are listed once.
// Cost: O(n + m) but for the ways within sets, which are halved as they are gone; 28 bytes a vertex to list the edges,
// 12 without.  With `depth_first_order` O(n + m); 16 bytes an edge, 48 a vertex.
// Source: sets united along the cycle that an edge closes: Westbrook, Tarjan, "Maintaining bridge-connected and
// biconnected components on-line", Algorithmica 7, 1992; cycles of a breadth-first forest, by many threads: Slota,
// Madduri, "Simple parallel biconnectivity algorithms for multicore platforms", HiPC 2014; the search: Hopcroft,
// Tarjan, "Efficient algorithms for graph manipulation", CACM 16, 1973.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <vector>

namespace rizoma {

struct BiconnectedComponentsOptions {
  bool depth_first_order = false;  ///< as a depth-first search finds them, by one thread
};

struct BiconnectedComponents {
  std::vector<std::size_t> offsets{0};  ///< component i has edges offsets[i] .. offsets[i+1]
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;
  std::vector<VertexId> articulation_points;  ///< each once, ascending but with `depth_first_order`
};

/// Lists are sorted, as those of a store are, unless `depth_first_order` is asked for.  Errors: unsupported (directed),
/// cancelled.
Result<BiconnectedComponents> biconnected_components(Engine& engine, const GraphView& graph,
                                                     const BiconnectedComponentsOptions& options = {});

struct CutElements {
  VertexId biconnected_components = 0;        ///< how many there are
  VertexId connected_components = 0;          ///< how many, vertices without edges among them
  std::vector<VertexId> articulation_points;  ///< ascending
  std::vector<VertexId> bridge_sources;       ///< one end of each bridge, by the numbers of the others
  std::vector<VertexId> bridge_targets;       ///< ascending: the end that is further from the forest's root
};

/// The same without listing the edges of components.  Errors: as above.
Result<CutElements> cut_elements(Engine& engine, const GraphView& graph);

}  // namespace rizoma
