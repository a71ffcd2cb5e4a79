// The connected graphs of five vertices, and how often each occurs within the others.
#pragma once

#include <rizoma/algorithms/motif_counts.h>

namespace rizoma {

/// From how often each shape is a subgraph to how often sets of vertices induce it.
MotifCounts induced_counts(const MotifCounts& subgraphs);

}  // namespace rizoma
