// What several states name together, and what else there is.
#pragma once

#include "store/space/extent_allocator.h"

#include <vector>

namespace rizoma {

/// Each extent once, by location, then by offset.  Cost: O(n), and O(n log n) unless they are in order.
[[nodiscard]] std::vector<Extent> distinct_extents(std::vector<Extent> extents);

/// The whole data files, cut where the extents begin and end: these, which distinct_extents gave, and all between and
/// after them.
[[nodiscard]] std::vector<Extent> with_all_between(const std::vector<Extent>& extents,
                                                   const std::vector<FoundSpace>& found);

}  // namespace rizoma
