// A view as one compressed-sparse-row matrix, as SciPy, igraph and others have it.  Module: api.
//
// A graph of one section is handed out as it lies, without a copy; the sections of a larger one are
// copied behind each other, in parallel.  Cost: O(1), or O(vertices + entries) and 4 or 8 bytes for each.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

namespace rizoma {

/// List v is targets[offsets[v], offsets[v+1]), its weights parallel to it.  All spans stay valid while a
/// copy of `owner` lives.
template <class Index>
struct FlatCsrOf {
  std::span<const Index> offsets;  ///< vertices + 1
  std::span<const Index> targets;
  const void* weights = nullptr;  ///< of the view's weight type; null if it has none
  std::shared_ptr<const void> owner;
};

/// Signed indices, as SciPy wants them: 32 bits if both the vertices and the entries can be counted so.
using FlatCsr = std::variant<FlatCsrOf<std::int32_t>, FlatCsrOf<std::int64_t>>;

/// `in` needs has_in_edges().  Throws std::bad_alloc.  Errors: cancelled.
Result<FlatCsr> flat_csr(const GraphView& view, Direction direction, Executor& executor);

}  // namespace rizoma
