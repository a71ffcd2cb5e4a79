// Which home each section of a graph is given, and what follows from it.  Module: placement.
#pragma once

#include <rizoma/graph_view.h>
#include <rizoma/placement.h>

#include <span>
#include <vector>

namespace rizoma {

/// What one section, or one vertex, brings to its home.
struct Load {
  double vertices = 0;
  double edges = 0;
};

/// Vertices and entries of each section, in the out-direction.
[[nodiscard]] std::vector<Load> section_loads(const GraphView& graph);

/// The home of each section.  in_place and interleave, and a single home, give an empty vector.
///   halves: runs of equally many sections (equally many vertices, up to a section's).
///   round_robin: dealt out in turn, the turn being that of the home with the least work (vertices and
///     entries) so far: section s -> s mod homes where sections are alike, and even where they are not.
///   chunk, and adaptive to begin with: runs by the objective of RGraph, edges even within 1%, or as even as
///     sections allow.
/// Cost: O(sections).
[[nodiscard]] std::vector<unsigned> place_sections(PlacementPolicy policy, std::span<const Load> sections,
                                                   unsigned homes);

/// Entries whose work a vertex of a rank is counted as: its own state is read and written, whatever its degree.
/// As measured on R-MAT graphs in order of degree: 3 to 6 suit PageRank, searches and components alike.
inline constexpr double kEntriesAVertex = 4;

/// Whether the vertices of sections are in order of degree, the greatest first, as far as their entries tell.  Then
/// neighbours are near one another in no other sense, and a run of equally much work has few vertices or nearly all.
[[nodiscard]] bool in_degree_order(std::span<const Load> sections);

/// How ranks divide sections, in order of degree or not, unless they are told otherwise.
[[nodiscard]] constexpr PlacementPolicy policy_of_ranks(bool in_degree_order) noexcept {
  return in_degree_order ? PlacementPolicy::round_robin : PlacementPolicy::chunk;
}

/// The rank of each section, as place_sections, with vertices counted among the entries.  Threads of one process need
/// no such care: whoever is done first takes work of the others.
[[nodiscard]] std::vector<unsigned> place_on_ranks(PlacementPolicy policy, std::span<const Load> sections,
                                                   unsigned ranks);

/// The same where each rank owns whole words of a VertexSet: sections of fewer than 64 vertices go together.
/// One entry a section, at least one.
[[nodiscard]] std::vector<unsigned> owners_of_sections(PlacementPolicy policy, std::span<const Load> sections,
                                                       unsigned section_bits, unsigned ranks);

/// Entries from sections of home `from` to vertices of home `to`: [from * homes + to].  An empty
/// `home_of_section` means home 0.  Cost: O(entries).
[[nodiscard]] std::vector<EdgeCount> entries_between(const GraphView& graph, std::span<const unsigned> home_of_section,
                                                     unsigned homes);

}  // namespace rizoma
