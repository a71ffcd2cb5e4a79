// What louvain and leiden are told, and what they find.  Module: algorithms.
#pragma once

#include <rizoma/checkpoints.h>
#include <rizoma/engine.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

struct CommunityOptions {
  double resolution = 1;    ///< above 1: more, smaller communities
  double threshold = 1e-7;  ///< least gain of modularity of a level that is followed by another
  int max_levels = -1;      ///< most levels; -1: no limit
  std::uint64_t seed = 1;
  bool use_weights = true;               ///< weights, if there are any; they must not be negative
  std::span<const std::uint64_t> start;  ///< n communities to begin with, below n (others: alone); empty: each alone
  /// With `start`: the vertices that are looked at first.  Not given: all; empty: `start` is kept, and only measured
  /// (by Leiden also cut where it is not connected).
  std::optional<std::span<const VertexId>> changed;
  int iterations = 1;  ///< at most; each begins again with the communities of the one before
  /// Keeps the communities after each level of the first iteration; of Leiden nothing is kept.
  Checkpoints* checkpoints = nullptr;
};

/// What a search did to lists of neighbours in one of its phases, on all threads; on ranks, on those of this process.
/// What it did to the graph's own lists is counted by the engine too, with where they lie.
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
  double modularity = 0;
  /// Communities after each level of the first iteration, in the same way, and `labels`.
  std::vector<VertexMap<std::uint64_t>> levels;
  unsigned resumed_after = 0;          ///< levels before the checkpoint; 0: it began anew
  std::vector<CommunityPhase> phases;  ///< in the order in which they were done
};

}  // namespace rizoma
