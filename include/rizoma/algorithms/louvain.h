// Communities by the Louvain method.  Module: algorithms.
//
// What: a partition of the vertices with a high modularity: the share of edge weight inside communities minus
// `resolution` times the share expected if edges were drawn by the (out- and in-) degrees alone; a directed graph has
// its directed form.  Or with a high value of another objective: `CommunityObjective`.
// How: vertices move to the neighbouring community that gains most, or to one of their own; those next to a move are
// looked at again; then communities become the vertices of a smaller graph, until a level gains no more than
// `threshold`.  By all threads:
// vertices decide in batches, each batch on one state, and weights are whole numbers of a small unit, so that sums are
// exact; hence a seed gives one answer, whatever the number of threads.
// From a former answer (`start`) and the vertices of changed edges (`changed`) only what these wake is looked at again.
// Cost: about O(m) a level, few levels; 12 bytes an entry of the coarse graphs, and of the user's if it has weights, is
// directed, or has 2^32 vertices or more; 9 bytes a vertex and thread, 60 bytes a vertex.
// Source: Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. 2008; Sahu, "GVE-Louvain",
// arXiv:2312.04876; Sahu, "DF Louvain", arXiv:2404.19634; directed: Leicht, Newman, Phys. Rev. Lett. 100, 2008;
// objectives: Reichardt, Bornholdt, Phys. Rev. E 74, 2006; Traag, Van Dooren, Nesterov, Phys. Rev. E 84, 2011.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

// Options and result of louvain and leiden.

/// What a partition maximizes: the weight inside communities minus `resolution` times what chance would give.  In an
/// undirected graph all of them count an edge from both ends.
enum class CommunityObjective : std::uint8_t {
  modularity,  ///< chance keeps degrees; divided by the weight of all edges
  rb,          ///< Reichardt and Bornholdt: as modularity, but not divided
  rber,        ///< the same with the model of Erdos and Renyi: chance gives each pair of vertices the mean weight
  cpm          ///< the constant Potts model: chance gives each pair of vertices a weight of 1
};

struct CommunityOptions {
  double resolution = 1;    ///< above 1: more, smaller communities; for cpm: the weight that a pair must have
  double threshold = 1e-7;  ///< least gain of a level that is followed by another, as a share of the edges' weight
  int max_levels = -1;      ///< most levels; -1: no limit
  std::uint64_t seed = 1;
  bool use_weights = true;               ///< weights, if there are any; they must not be negative
  std::span<const std::uint64_t> start;  ///< n communities to begin with, below n (others: alone); empty: each alone
  /// With `start`: the vertices that are looked at first.  Not given: all; empty: `start` is kept, and only measured
  /// (by Leiden also cut where it is not connected).
  std::optional<std::span<const VertexId>> changed;
  int iterations = 1;  ///< at most; each begins again with the communities of the one before
  CommunityObjective objective = CommunityObjective::modularity;
  std::span<const double> sizes;    ///< for rber and cpm: how many vertices each stands for; empty: 1 each
  std::span<const VertexId> fixed;  ///< vertices that stay in the community in which they begin
};

/// What a search did to lists of neighbours in one of its phases, on all threads; on ranks, on those of this process.
/// The engine counts what it did to the graph's own lists, too, by place.
struct CommunityPhase {
  enum class Kind : std::uint8_t {
    copy,      ///< weights are brought to whole numbers, once
    move,      ///< vertices go to a neighbouring community
    refine,    ///< Leiden: groups within communities
    aggregate  ///< lists of communities, or of groups, are put together to those of the next level
  };
  Kind kind = Kind::move;
  int iteration = 0;                ///< from 0
  int level = 0;                    ///< 0: the user's graph
  bool copies = false;              ///< what was read were copies, not the graph's own lists
  std::uint64_t read_bytes = 0;     ///< of lists, each time that they were read; without the weights of the graph's own
  std::uint64_t written_bytes = 0;  ///< of lists that were made: copies
};

struct Communities {
  VertexMap<std::uint64_t> labels;  ///< n values: communities 0.. by their first vertex; kNoVertex for removed vertices
  VertexId count = 0;
  double modularity = 0;  ///< NaN with the objectives rber and cpm
  double quality = 0;     ///< value of the objective
  /// Communities after each level of the first iteration, in the same way, and `labels`.
  std::vector<VertexMap<std::uint64_t>> levels;
  unsigned resumed_after = 0;          ///< levels before the checkpoint; 0: it started over
  std::vector<CommunityPhase> phases;  ///< in the order in which they were done
};

/// Errors: invalid_argument (a negative, infinite or NaN weight, size or resolution; a negative threshold; `start` or
/// `sizes` has not n values; `sizes` with modularity or rb; `changed` or `fixed` names no vertex), unsupported (2^32
/// vertices or more; directed without in-edges), cancelled.
Result<Communities> louvain(Engine& engine, const GraphView& graph, const CommunityOptions& options = {});

}  // namespace rizoma
