// The place of each vertex by falling degree.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rizoma {

/// f(v, place) for each of n vertices by number: place 0 is that of the largest degree, and of equal ones the first
/// comes first.  Degrees above `most` count as that.
/// Cost: O(n + greatest degree), 4 bytes for each degree there may be.
template <class DegreeOf, class F>
void for_each_by_degree(VertexId n, EdgeCount most, DegreeOf degree_of, F f) {
  EdgeCount greatest = 0;
  for (VertexId v = 0; v < n && greatest < most; ++v) greatest = std::max<EdgeCount>(greatest, degree_of(v));
  greatest = std::min(greatest, most);
  const auto class_of = [&](VertexId v) { return greatest - std::min<EdgeCount>(greatest, degree_of(v)); };
  std::vector<std::uint32_t> next(greatest + 2, 0);
  for (VertexId v = 0; v < n; ++v) ++next[class_of(v) + 1];
  for (EdgeCount c = 0; c <= greatest; ++c) next[c + 1] += next[c];
  for (VertexId v = 0; v < n; ++v) f(v, next[class_of(v)]++);
}

}  // namespace rizoma
