// What several states name together.
#pragma once

#include "store/space/extent_allocator.h"

#include <vector>

namespace rizoma {

/// Each extent once, by location, then by offset.  Cost: O(n), and O(n log n) unless they are in order.
[[nodiscard]] std::vector<Extent> distinct_extents(std::vector<Extent> extents);

}  // namespace rizoma
