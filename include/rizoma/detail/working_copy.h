// Working copies: the sections of a graph in memory of a chosen tier, near their homes.  Module: engine.
//
// What. A view as the store gives it has its sections where they lie: mapped files, DAX.  This copies
//   them, section by section, into memory of the nodes that the placement's tiers name: for each home one
//   piece of memory on its nodes (on huge pages where they help), which holds the sections of that home
//   side by side.  For slow storage and many sweeps; where sections lie in fast memory already it only
//   costs.
// How. In rounds of at most kLoadBytes, after each of which progress is reported and the pages that were
//   read are offered back to the system, so that the load needs little more memory than the copy
//   (after the incremental load of Ghosh et al., SC'21).
// Cost. One read and one write of every section.  Errors: unsupported (no such tier; binding refused),
//   out_of_memory, cancelled.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>

#include <cstddef>

namespace rizoma {

/// Bytes that are copied between two reports.
inline constexpr std::size_t kLoadBytes = std::size_t{64} << 20;

/// The same graph with its sections in the tier of `placement.tiers[Structure::sections]`; `graph` itself if
/// that is in_place.  The copy keeps nothing of `graph` alive.
[[nodiscard]] Result<GraphView> load_sections(Executor& executor, const GraphView& graph, const Placement& placement);

}  // namespace rizoma
