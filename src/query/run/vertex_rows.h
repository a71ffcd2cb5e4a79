// The rows of a pattern of one vertex of which nothing is left to test: the members of a set, or all vertices.
// Module: query.
//
// Cost: a nanosecond or two for each row.
#pragma once

#include "query/run/cursor.h"
#include "query/run/query_rows.h"

#include <memory>

namespace rizoma::query {

/// Whether the rows of a query are all vertices, or the members of a set.
[[nodiscard]] bool reads_vertices(const Engine& engine, const Query& query);

/// The rows of a query of `plan`, which both outlive them and for which reads_vertices holds.
[[nodiscard]] std::unique_ptr<QueryRows> vertex_rows(const CursorPlan& plan, const Query& query);

}  // namespace rizoma::query
