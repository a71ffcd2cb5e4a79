// Triangles by intersecting the lists of a graph as stored: where lists are short, that costs less than to make
// ranked ones.
#pragma once

#include <rizoma/algorithms/triangle_count.h>

namespace rizoma {

/// Counts into `result` if the graph is undirected, lists are short (few wedges an edge) and ascend strictly, as
/// without parallel edges, and this process is alone; false, with `result` as it was, if not.  Errors: cancelled.
Result<bool> count_by_intersection(Engine& engine, const GraphView& graph, const TriangleCountOptions& options,
                                   TriangleCountResult& result);

}  // namespace rizoma
