// Agreement: what only all edges together tell of a graph: that both directions have the same ones, that no edge
// leaves or reaches a removed vertex, and that weights are finite, without which kernels mean nothing and need not end.
//
// How.  The sum over all entries of a hash of (from, to, weight) does not depend on their order, and is equal from
// both sides for graphs that agree; for others by a chance below 2^-50, which nobody can arrange, as the hash is keyed
// anew in every process.  In an undirected graph each entry adds x y (x - y) of the hashes x and y of its ends, which
// the entry at the other end takes away, so that all of them add up to 0.  An entry costs three multiplications, and
// three more with a weight, in one loop over all entries of a section (entry_owners.h).
// Cost: a pass over the edges, in parallel; sections without edges cost nothing.  Sums of sections add up, so that each
// can be made while the section's bytes are in the cache, where they have just been verified (snapshot.cpp).
// The lists have been validated: they are sorted, and their targets are vertices of the view.
// A view is looked at once after a store has been opened: what is changed later keeps to it.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include <cstdint>

namespace rizoma {

/// The sums of both directions; `in` stays 0 where the graph is undirected.
struct EdgeSums {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
};

/// What the lists of one section, those of `vertices`, add to the sum of their direction.
template <class Target>
std::uint64_t edge_sum(const SectionEdges<Target>& lists, VertexRange vertices, WeightType type, bool directed,
                       Direction direction);

/// True if the edges are the same from both of their ends, by the sums of all sections.
[[nodiscard]] bool directions_agree(const EdgeSums& sums, bool directed) noexcept;

/// True if the edges are the same from both of their ends; so if the graph has no in-edges.
Result<bool> directions_agree(const GraphView& view, Executor& executor);

/// Entries that leave or reach a removed vertex.
Result<EdgeCount> entries_of_removed(const GraphView& view, Executor& executor);

/// Entries whose weights are not finite: none a store takes now (weight_rules.h).
Result<EdgeCount> weights_not_finite(const GraphView& view, Executor& executor);

}  // namespace rizoma
