// What a step that names edges or vertices that are missing counts and says.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include <cstddef>

namespace rizoma {

/// Counts an edge that is missing.  Errors: not_found, if the step asks for one (Missing::error).
Status missing_edge(ChangeCounts& counts, const Batch::Step& step, std::size_t row);

/// What Missing::error says of vertex i of a step.
[[nodiscard]] Error no_vertex(const Batch::Step& step, std::size_t i);

}  // namespace rizoma
