// A graph whose lists lie partly over those that its sections had before, as in the view of a store with changes.
#pragma once

#include <rizoma/graph_view.h>

#include <cstdint>

namespace rizoma::testing {

/// The same graph: the lists of about a third of its vertices are changed ones, and what their sections have instead is
/// wrong: empty, cut short or too long; or lacks some entries and has others, which patches tell.
[[nodiscard]] GraphView with_changed_lists(const GraphView& graph, std::uint64_t seed);

}  // namespace rizoma::testing
