// Label propagation: communities by majority among neighbours.  Module: algorithms.
//
// What: every vertex begins with a label of its own and takes, again and again, a label that is most frequent among
// its neighbours.  Vertices with the same label at the end are a community.  In a directed graph in- and out-neighbours
// count alike; a pair of opposite edges counts twice, and so do parallel edges.  A self-loop is a vote for one's own
// label. Synchronous: all vertices look at the labels of the round before, and of the most frequent labels the least
// wins. This is CDLP of the LDBC Graphalytics benchmark; it may swing between two states for ever.
// Asynchronous: vertices look at labels that are partly new.  A vertex keeps its label while that is among the most
// frequent; otherwise one of them is chosen by chance.  It comes to rest, and then all agree with most neighbours.
// From a former answer (`start`) and the vertices of changed edges (`changed`) only what these wake is looked at.
// How: one pass over the lists a round; once few vertices change in one, over the lists next to those only.  An
// asynchronous round deals the vertices by chance to 16 groups, which follow each other; those of a group look at the
// same labels, so that the answer depends on the seed and not on the threads.
// On ranks, each counts the votes of its own vertices and sends changed labels to the others before
// each group; the answer is the same, for the seed of the first rank.
// Cost: O(n + m) a round, n doubles for each thread.
// Source: Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures in large-scale
// networks", Phys. Rev. E 76, 2007; Iosup et al., "LDBC Graphalytics", VLDB 2016.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>
#include <optional>
#include <span>

namespace rizoma {

struct LabelPropagationOptions {
  bool synchronous = false;
  unsigned max_iter = 100;  ///< most rounds; 0: the first labels stay
  std::uint64_t seed = 1;   ///< asynchronous: of groups and of choices among equals
  bool use_weights = false;
  std::span<const VertexId> start;  ///< first labels, below n; empty: each vertex's own number
  /// With `start`: the vertices that are looked at first.  Not given: all.
  std::optional<std::span<const VertexId>> changed = std::nullopt;
};

struct LabelPropagationResult {
  VertexMap<VertexId> labels;  ///< n labels out of the first ones
  VertexId count = 0;          ///< different labels of live vertices
  unsigned iterations = 0;     ///< rounds, those before a checkpoint that it went on from included
  unsigned resumed_after = 0;  ///< rounds before that checkpoint; 0: it started over
  bool converged = false;      ///< the last round changed nothing
};

/// Errors: invalid_argument (start has not n labels below n; `changed` names no vertex; a weight is negative or not a
/// number), unsupported (a directed graph without in-edges), cancelled, and those of checkpoints.
Result<LabelPropagationResult> label_propagation(Engine& engine, const GraphView& graph,
                                                 const LabelPropagationOptions& options = {});

}  // namespace rizoma
