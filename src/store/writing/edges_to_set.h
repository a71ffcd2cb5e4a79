// The edges that a step sets values of, and those that are written again with them.
#pragma once

#include "store/writing/row_groups.h"
#include "store/writing/staged_graph.h"

#include <cstddef>
#include <vector>

namespace rizoma {

/// An edge that is rewritten, with the values of a group or unchanged (kNoRow).
struct EdgeToSet {
  EdgePair pair;
  double row;
  std::size_t group;
};

/// The edges that rows without a key set: all of each pair.
[[nodiscard]] std::vector<EdgeToSet> edges_by_pair(const FoundEdges& found, const RowGroups& groups);

/// The edges that rows with a key set, and after each the later ones of its pair, which stay as they are: all of them
/// are written again, so that the order of arrival remains.
[[nodiscard]] std::vector<EdgeToSet> edges_by_key(const FoundEdges& found, const FoundEdges& keyed,
                                                  const RowGroups& groups);

}  // namespace rizoma
