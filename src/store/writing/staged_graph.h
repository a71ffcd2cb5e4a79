// StagedGraph: what a step of a change finds of the graph as the steps before it have left it.
//
// Cost.  find: a search in the image and one among the pending changes for each pair, and a pass over the delta of each
//   section touched.  divided: all edges of the pairs.  edges_from, edges_to: O(degree), and a pass over delta and
//   pending changes; edges_to without in-edges O(all edges).
// Threads.  One at a time, under the writer's lock.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "store/sections/pair_weights.h"
#include "store/state/contents.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

using EdgePair = std::pair<VertexId, VertexId>;

/// Edges by internal id and the weights they have, in order; `rows[i]` is an index of `pairs`.
struct FoundEdges {
  std::vector<EdgePair> pairs;  ///< ascending, each once; of an undirected edge the smaller end first
  PairWeights weights;
  std::vector<std::size_t> rows;
  std::vector<std::size_t> undivided;  ///< by key: which of all pairs it is a part of
};

class StagedGraph {
 public:
  /// `contents` outlives this.
  explicit StagedGraph(Contents& contents) noexcept : contents_(contents) {}

  /// The pairs that the rows name and the edges they have now.  Rows without vertices have the last index.
  Result<FoundEdges> find(const EdgeBatch& edges) const;
  /// The same for rows by internal id; kNoVertex: none.
  Result<FoundEdges> find(std::span<const VertexId> sources, std::span<const VertexId> targets) const;
  /// Divides the edges of pairs that `find` has found by their values of the step's key: each pair and value is one of
  /// its own, which has the edges of the pair that have the value.
  Result<FoundEdges> divided(const Batch::Step& step, const FoundEdges& found) const;
  /// `find`, and `divided` if the step has a key.
  Result<FoundEdges> find_by_key(const Batch::Step& step) const;
  /// The edges from vertices that go, which ascend; of an undirected edge between two of them one entry.
  Status edges_from(std::span<const VertexId> gone, std::vector<EdgePair>& edges) const;
  /// The edges from remaining vertices to removed ones.
  Status edges_to(std::span<const VertexId> gone, std::vector<EdgePair>& edges) const;

 private:
  Status find_weights(FoundEdges& found) const;
  Status lists_of(const SectionTable& table, std::span<const VertexId> vertices,
                  FunctionRef<void(VertexId, std::span<const VertexId>)> visit) const;
  Status search_sources(std::span<const VertexId> gone, std::vector<EdgePair>& edges) const;
  [[nodiscard]] std::shared_ptr<const SectionVersion> section(const SectionTable& table, SectionId section) const;

  Contents& contents_;
};

/// Errors: invalid_argument, unless sources and targets are columns of the same kind and length.
Status check_ends(const EdgeBatch& edges);

}  // namespace rizoma
