// The labels of all vertices, from names that were theirs and what has changed.
#pragma once

#include "algorithms/components/incremental_components.h"

#include <span>

namespace rizoma {

/// All labels as they are after the changes; `names` are the smallest members of their components.
Result<ConnectedComponentsResult> relabel(Engine& engine, const GraphView& graph, std::span<const std::uint64_t> names,
                                          const ComponentChanges& changes);

}  // namespace rizoma
