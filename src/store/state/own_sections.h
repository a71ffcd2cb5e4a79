// A view of which each rank verifies its own sections and reads no others: see SectionProof.
//
// Of a section without changes its head is checked for form alone: the rank that owns the section verifies the same
// bytes, and the sums of all ranks prove that the edges agree.  Sections with changes are loaded whole on all ranks,
// since nothing else tells the lengths of their lists.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>

#include "store/state/snapshot.h"

#include <memory>

namespace rizoma {

/// Whether a state has such a view: its entries are no rows of edge columns, and its bytes stay as they are.
[[nodiscard]] bool may_be_read_by_sections(const StoreSnapshot& state);

/// The view, with its proof.  It proves on as many threads as the executor has now.  Cost: the heads of all sections.
/// Errors: those of StoreSnapshot::view.
Result<GraphView> own_sections_view(std::shared_ptr<const StoreSnapshot> state, Executor& executor);

}  // namespace rizoma
