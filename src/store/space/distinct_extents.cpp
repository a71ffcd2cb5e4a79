#include "store/space/distinct_extents.h"

#include <algorithm>
#include <tuple>

namespace rizoma {

std::vector<Extent> distinct_extents(std::vector<Extent> extents) {
  const auto key = [](const Extent& extent) { return std::tuple(extent.location, extent.offset, extent.bytes); };
  const auto before = [&](const Extent& a, const Extent& b) { return key(a) < key(b); };
  const auto same = [&](const Extent& a, const Extent& b) { return key(a) == key(b); };
  // As a load writes them they are in order: an opening need not sort thousands of them.
  if (!std::is_sorted(extents.begin(), extents.end(), before)) std::sort(extents.begin(), extents.end(), before);
  extents.erase(std::unique(extents.begin(), extents.end(), same), extents.end());
  return extents;
}

}  // namespace rizoma
