// Communities by the Louvain method, and the modularity of any partition.  Module: algorithms.
//
// What: a partition of the vertices whose modularity no move of one vertex raises.  Modularity is the share of
// edge weight inside communities minus `resolution` times the share expected if edges were drawn by the
// (out- and in-) degrees alone; a directed graph has its directed form.
// How: vertices, in random order, move to the neighbouring community that gains most; those next to a move
// come up again; then communities become the vertices of a smaller graph, until a level gains no more than
// `threshold`.  Serial, so that a seed gives one answer.  Weights are scaled by their greatest, so that no sum of
// finite ones overflows.  A level ends after 1000 visits a vertex, on average, should rounding keep it going.
// Cost: about O(m) a level, few levels; 24 bytes an entry.
// Source: Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. 2008; the queue:
// Traag, Waltman, van Eck, "From Louvain to Leiden", Sci. Rep. 9, 2019; directed: Leicht, Newman, Phys. Rev. Lett.
// 100, 2008.
#pragma once

#include <rizoma/engine.h>

#include <span>

namespace rizoma {

struct LouvainOptions {
  double resolution = 1;    ///< above 1: more, smaller communities
  double threshold = 1e-7;  ///< least gain of modularity of a level that is followed by another
  int max_level = -1;       ///< most levels; -1: no limit
  std::uint64_t seed = 1;
  bool use_weights = true;  ///< weights, if there are any; they must not be negative
};

struct LouvainResult {
  VertexMap<std::uint64_t> labels;  ///< n values: communities 0.. by their first vertex; kNoVertex for removed vertices
  VertexId count = 0;
  double modularity = 0;
  int levels = 0;
};

/// Errors: invalid_argument (a negative, infinite or NaN weight or resolution; a negative threshold), unsupported (2^32 vertices or more;
/// a directed graph without in-edges), cancelled.
Result<LouvainResult> louvain(Engine& engine, const GraphView& graph, const LouvainOptions& options = {});

/// Modularity of a partition given by n labels below n, or kNoVertex for removed vertices; 0 without edges.
/// Errors: invalid_argument (labels), cancelled.
Result<double> modularity(Engine& engine, const GraphView& graph, std::span<const std::uint64_t> labels,
                          double resolution = 1, bool use_weights = true);

}  // namespace rizoma
