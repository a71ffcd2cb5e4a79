#include "store/space/distinct_extents.h"

#include "store/disk_format.h"

#include <algorithm>
#include <tuple>
#include <utility>

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

std::vector<Extent> with_all_between(const std::vector<Extent>& extents, const std::vector<FoundSpace>& found) {
  std::vector<Extent> all = extents;
  for (unsigned location = 0; location < found.size(); ++location) {
    std::uint64_t begin = 0;
    const auto add_until = [&](std::uint64_t end) {
      if (begin < end) all.push_back({begin, end - begin, location});
    };
    for (const Extent& extent : extents) {
      if (extent.location != location) continue;
      add_until(extent.offset);
      begin = (extent.offset + extent.bytes + format::kPage - 1) / format::kPage * format::kPage;
    }
    add_until(found[location].size);
  }
  return distinct_extents(std::move(all));
}

}  // namespace rizoma
