// Communities by the Louvain method.  Module: algorithms.
//
// What: a partition of the vertices with a high modularity: the share of edge weight inside communities minus
// `resolution` times the share expected if edges were drawn by the (out- and in-) degrees alone; a directed graph has
// its directed form.
// How: vertices move to the neighbouring community that gains most; those next to a move are looked at again; then
// communities become the vertices of a smaller graph, until a level gains no more than `threshold`.  By all threads:
// vertices decide in batches, each batch on one state, and weights are whole numbers of a small unit, so that sums are
// exact; hence a seed gives one answer, whatever the number of threads.
// From a former answer (`start`) and the vertices of changed edges (`changed`) only what these wake is looked at again.
// Cost: about O(m) a level, few levels; 12 bytes an entry of the coarse graphs, and of the user's if it has weights, is
// directed, or has 2^32 vertices or more; 9 bytes a vertex and thread, 60 bytes a vertex.
// Source: Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. 2008; Sahu, "GVE-Louvain",
// arXiv:2312.04876; Sahu, "DF Louvain", arXiv:2404.19634; directed: Leicht, Newman, Phys. Rev. Lett. 100, 2008.
#pragma once

#include <rizoma/communities.h>

namespace rizoma {

/// Errors: invalid_argument (a negative, infinite or NaN weight or resolution; a negative threshold; `start` has not n
/// values; `changed` names no vertex), unsupported (2^32 vertices or more; directed without in-edges), cancelled.
Result<Communities> louvain(Engine& engine, const GraphView& graph, const CommunityOptions& options = {});

}  // namespace rizoma
