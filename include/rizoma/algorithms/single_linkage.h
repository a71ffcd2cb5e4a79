// Single-linkage clusters: the tree of all components that a threshold on the weights of edges makes.
// Module: algorithms.
//
// What: clusters merge in the order of their strongest (or nearest) edge.  Cutting the tree at a threshold gives the
// connected components by the edges that reach it.
// How: the edges of a spanning forest of largest (least) weight, in the order of choice, are the merges.
// Cost: that of spanning_forest, and O(n) on one thread; 40 bytes a vertex.
// Source: Gower, Ross, "Minimum spanning trees and single linkage cluster analysis", J. Royal Stat. Soc. C 18, 1969.
#pragma once

#include <rizoma/engine.h>

#include <vector>

namespace rizoma {

/// Parallel columns, one row a merge.  Clusters 0..n-1 are the vertices; merge i makes the cluster n + i.
struct SingleLinkage {
  std::vector<VertexId> first;   ///< the cluster of lower number
  std::vector<VertexId> second;  ///< the other
  std::vector<double> weights;   ///< of the edge that merges them
  std::vector<VertexId> sizes;   ///< vertices of the new cluster
};

/// `nearest`: weights are distances, so the least merge first; otherwise they are similarities, and the largest do.
/// Errors: invalid_argument (a NaN weight), unsupported (directed, or an engine with ranks), cancelled.
Result<SingleLinkage> single_linkage(Engine& engine, const GraphView& graph, bool nearest = false);

/// Components of `n` vertices after the first `merges` merges: each named by its first vertex.
/// Errors: invalid_argument (more merges than there are; a merge of clusters that do not exist).
Result<std::vector<VertexId>> linkage_components(const SingleLinkage& linkage, VertexId n, VertexId merges);

}  // namespace rizoma
