// Working copies: the sections of a graph in memory of a chosen tier, near their homes.  Module: engine.
//
// What: a store maps its sections from files or DAX.  This copies them, section by section, into memory of the nodes of
// their tier: one allocation a home (on huge pages where these help), with its sections side by side.  Pays for slow
// storage and many sweeps only.
// How: in pieces of at most kLoadBytes; after each it reports progress and offers the source pages back to the system,
// so that a load needs little more memory than the copy (after the incremental load of Ghosh et al., SC'21).
// Cost: one read and one write of every section.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>

#include <cstddef>

namespace rizoma {

/// Bytes copied between two progress reports.
inline constexpr std::size_t kLoadBytes = std::size_t{64} << 20;

/// The same graph with its sections in the tier of `placement.tiers[Structure::sections]`; `graph` itself if
/// that is in_place.  The copy keeps nothing of `graph` alive.  Errors: unsupported (no such tier; the system refuses
/// to bind memory), out_of_memory, cancelled.
[[nodiscard]] Result<GraphView> load_sections(Executor& executor, const GraphView& graph, const Placement& placement);

}  // namespace rizoma
