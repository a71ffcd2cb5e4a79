// Boundary: what a graph that is divided among ranks makes them tell each other.  Module: placement.
#pragma once

#include <rizoma/graph_view.h>
#include <rizoma/ids.h>

#include <span>
#include <vector>

namespace rizoma {

/// The number of different vertices of rank `to` that the lists of rank `from` lead to: [from * ranks + to].  A pull
/// brings the message of each of them to `from` once a sweep.  `direction`: of the lists; `in` needs has_in_edges().
/// An empty `rank_of_section` means rank 0.  Cost: O(entries + ranks * vertices / 64).
[[nodiscard]] std::vector<VertexId> boundary_vertices(const GraphView& graph, Direction direction,
                                                      std::span<const unsigned> rank_of_section, unsigned ranks);

}  // namespace rizoma
