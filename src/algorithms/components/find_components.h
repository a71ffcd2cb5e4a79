// Connected components from scratch, in an iteration that has begun otherwise (connected_components.cpp).
#pragma once

#include <rizoma/algorithms/connected_components.h>
#include <rizoma/iteration.h>

namespace rizoma {

/// Errors: cancelled.
Result<ConnectedComponentsResult> find_components(Iteration& loop);

}  // namespace rizoma
