// What changes of edges make of components that are known.
//
// How: edges that were added join names.  For each edge that was removed two searches, one from either end, prove that
// the ends are still connected, mostly within a few steps: they meet, or both come upon a core, the neighbours of
// vertices of great degree; or one of them finishes, and what it has found is a component of its own.  What has
// become connected through that one only, or through a removed vertex, is proven to be connected in the same way.
// Cost: the lists that searches see.  If one sees too many, or all together more than pays, they give up, and then all
// is to be found from scratch.
#pragma once

#include <rizoma/algorithms/connected_components.h>

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace rizoma {

struct ComponentChanges {
  std::vector<std::vector<VertexId>> apart;       ///< components that have split off from others, each whole
  std::unordered_map<VertexId, VertexId> joined;  ///< names that have become another, the smallest of those joined

  [[nodiscard]] VertexId name_of(VertexId name) const {
    const auto found = joined.find(name);
    return found == joined.end() ? name : found->second;
  }
};

/// `names`: of each vertex, kNoVertex for new ones.  Nothing if a search gave up.  Requires has_in_edges().
Result<std::optional<ComponentChanges>> follow_components(Engine& engine, const GraphView& graph,
                                                          std::span<const std::uint64_t> names,
                                                          const ChangedEdges& edges);

/// What became of the edges of changed vertices, and of removed ones, between two states of the same numbers.
Result<ChangedEdges> compare_lists(Engine& engine, const GraphView& before, const GraphView& graph,
                                   std::span<const VertexId> changed);

}  // namespace rizoma
