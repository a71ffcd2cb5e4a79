// Chunks: runs of sections (or vertices), one a home, balanced by the objective of RGraph.
//
//   F = sum over homes of  alpha |V_i - V/P| + |E_i - E/P|,   alpha = floor(E / V) unless told otherwise
//
// The search moves one border at a time: that between the home whose share of F is the largest and its
// worse neighbour first, to the best of all places between their outer borders; it ends when no border
// can be moved to advantage.  F falls with each move, so it ends.
// Source: Cui et al., "RGraph: effective distributed graph data processing system based on RDMA",
// 2022, section 3.  There the first borders come from Gemini; here too: each home is filled up to its
// part of alpha V + E (Zhu et al., OSDI'16, section 4).
//
// F alone does not balance edges: where degrees are skewed it gives up edges for vertices, which cost a
// sweep much less.  `edge_slack` therefore keeps each border within that share of E/P of where the edges
// are even, if there is such a place, and F chooses within.
// Cost: O(items) to sum up, O(items between two borders) a move.
#pragma once

#include <rizoma/placement.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

struct ChunkOptions {
  std::optional<double> alpha;  ///< of the objective; none: floor(E / V), 1 without edges
  double edge_slack = std::numeric_limits<double>::infinity();
};

/// Borders 0 = b[0] <= b[1] <= .. <= b[homes] = items: home i has the items [b[i], b[i+1]).
using Borders = std::vector<std::size_t>;

/// F of these borders.
[[nodiscard]] double chunk_objective(std::span<const Load> items, const Borders& borders, double alpha);

/// The borders that Gemini would choose: where the search begins.
[[nodiscard]] Borders first_borders(std::span<const Load> items, unsigned homes, double alpha);

/// Moves borders until none can be moved to advantage.
[[nodiscard]] Borders improve_borders(std::span<const Load> items, Borders borders, const ChunkOptions& options = {});

/// Edges of the home that has most of them.
[[nodiscard]] double most_edges(std::span<const Load> items, const Borders& borders);

/// Borders for which the home with the most edges has as few as can be, whatever the vertices.  Binary search
/// for the smallest number that filling up from the left gets by with.  Cost: O(items log(items / precision)).
[[nodiscard]] Borders borders_of_even_edges(std::span<const Load> items, unsigned homes);

/// The first two of the above.
[[nodiscard]] Borders chunk_borders(std::span<const Load> items, unsigned homes, const ChunkOptions& options = {});

}  // namespace rizoma
