// Degree exchange: ranks that filtered the lists of their own partitions exchange the new lengths.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/result.h>

#include "store/state/filtered.h"

#include <vector>

namespace rizoma {

/// Fills in the sections of other ranks by one collective.  Cost: 4 bytes a vertex to each rank.
/// Errors: those of other ranks, and corrupt (not what a rank should have sent).
Status exchange_degrees(Ranks& ranks, std::vector<ListLengths>& sections);

}  // namespace rizoma
