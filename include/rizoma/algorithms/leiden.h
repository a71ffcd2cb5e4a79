// Communities by the Leiden method: as good as Louvain's or better, and connected.  Module: algorithms.
//
// What: a partition with a high modularity, or another objective (louvain.h says what these are), whose communities are
// all connected, by edges in either direction and of weight above 0; `fixed` vertices stay together all the same.
// How: as Louvain; but what becomes a vertex of the smaller graph are groups within communities, which are built
// again from single vertices that are well connected to their community, and that no vertex leaves.  So a community may
// still come apart on the next level.  What the last level leaves in pieces is cut.  One answer for a seed, whatever
// the number of threads; `start` and `changed` as in Louvain: then the first iteration makes no groups, and cuts on
// each level what is not connected before communities are put together.
// Cost: as Louvain, and about half as much again for the groups.
// Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Sci. Rep. 9,
// 2019, whose refinement is greedy here, as in Sahu, "GVE-Leiden", arXiv:2312.13936.
#pragma once

#include <rizoma/algorithms/louvain.h>

namespace rizoma {

/// Errors: as louvain.
Result<Communities> leiden(Engine& engine, const GraphView& graph, const CommunityOptions& options = {});

}  // namespace rizoma
