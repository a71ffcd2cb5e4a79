// Told lengths: ranks that have filtered the lists of their own parts of a graph tell each other how long these are.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/result.h>

#include "store/state/filtered.h"

#include <vector>

namespace rizoma {

/// Fills in the sections of other ranks; collective, one round.  Cost: 4 bytes a vertex to each rank.
/// Errors: those of other ranks, and corrupt (not what a rank should have sent).
Status exchange_degrees(Ranks& ranks, std::vector<ListLengths>& sections);

}  // namespace rizoma
