// Predicates over the edge columns of a stored graph.  Module: api.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace rizoma {

/// A bit for each row of edges for which a predicate over the edge columns is true, as Snapshot::with_rows takes them.
/// Errors: those of Predicate::parse and Predicate::test, also for the row of an edge that is gone; of reading values.
[[nodiscard]] Result<std::vector<std::uint8_t>> rows_where(const Snapshot& snapshot, std::string_view predicate,
                                                           Executor& executor);

}  // namespace rizoma
