// Connected components (weak components of a directed graph).  Module: algorithms.
//
// What: a label for each vertex; two vertices have the same label exactly if an undirected path
// joins them.  The label is the smallest internal id in the component.
// How: Afforest, begun by a forest that needs no atomic step: each vertex is hung below its first neighbour.  Then,
// until most vertices are in one tree, each is linked to another neighbour, twice at most.  What is left are the edges
// of the vertices outside that tree; or, if no tree is large, each edge once.  A directed graph without in-edges has
// all its edges linked.
// Cost: about O(n) on graphs with a giant component; O(n + m) at worst.  16 bytes a vertex.
// From a former state: edges that were added join components by their names.  For each edge that was removed two short
// searches prove that its ends are still connected, or find the component that has come apart.  If one of them sees too
// many vertices, if all together are about to look at more than n / 16 entries, or if the lists to be compared have
// more than n / 2, all is done from scratch, which takes less.  The answer is that from scratch.  O(n) for the labels,
// and some lists for each removed edge.
// Source: Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph
// sampling", IPDPS'18.
#pragma once

#include <rizoma/engine.h>

#include <span>
#include <vector>

namespace rizoma {

/// Edges added and removed: both ends of each, one after the other.
struct ChangedEdges {
  std::vector<VertexId> added;
  std::vector<VertexId> removed;  ///< edges of removed vertices among them
};

/// A former state to start from; empty: the search starts from scratch.
struct WarmStartComponents {
  /// A name below n for the component of each vertex, the same for those that were in one; kNoVertex: a new vertex.
  std::span<const std::uint64_t> names;
  /// Both ends of every edge that was added or removed since; removed vertices need not be among them.
  std::span<const VertexId> changed;
  /// That state, with the same numbers for the same vertices, to compare the lists of those that have changed.
  const GraphView* before = nullptr;
  /// The edges themselves, where they are known, instead of `changed` and `before`.
  const ChangedEdges* edges = nullptr;
};

struct ConnectedComponentsResult {
  VertexMap<std::uint64_t> labels;  ///< n values; a removed vertex has its own number
  VertexId count = 0;               ///< components of live vertices
  VertexId largest = 0;             ///< live vertices in the largest
  unsigned resumed_after = 0;       ///< passes over the edges before the checkpoint; 0: it started over
};

/// Errors: cancelled.
Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph);

/// From a former state.  Several processes find all from scratch, and so do all without `before` and `edges`.
/// Errors: invalid_argument (names are not one for each vertex and below n, a changed vertex is not in the graph),
/// cancelled.
Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph,
                                                       const WarmStartComponents& former);

/// The components by the edges of at least each weight of `thresholds`, an edge without a weight having 1: labels as
/// above, by rising threshold.  Each edge is read once and linked among the sets of one threshold, so that a graph may
/// be larger than memory.  Cost: O(m) and O(n) for each threshold; 12 bytes a vertex and threshold.
/// Errors: invalid_argument (a NaN weight or threshold), unsupported (directed, or an engine with ranks), cancelled.
Result<std::vector<VertexMap<std::uint64_t>>> threshold_components(Engine& engine, const GraphView& graph,
                                                                   const std::vector<double>& thresholds);

}  // namespace rizoma
