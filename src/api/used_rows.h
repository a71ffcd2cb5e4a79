// Which rows of edges are those of an edge: found in the lists.  Module: api.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/match.h>
#include <rizoma/result.h>

#include <cstdint>

namespace rizoma {

/// `lists` has the number of each edge's row, below `size`, as weight.  Errors: cancelled.
[[nodiscard]] Result<UsedRows> find_used_rows(const GraphView& lists, std::uint64_t size, Executor& executor);

}  // namespace rizoma
