// How far edges alone may make a graph with dense ids grow.
//
// Dense ids are the numbers 0..n-1, so that one edge to an id far away would make a graph of holes, and memory
// for each of them, by a mistake.  A vertex that is added by name may have any id.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <cstdint>

namespace rizoma {

/// Ids that `edges` edges of a load name lie below this; `present` vertices are given as such.
[[nodiscard]] constexpr std::uint64_t growth_limit(VertexId present, std::uint64_t edges) noexcept {
  constexpr std::uint64_t kFree = std::uint64_t{1} << 20;
  constexpr std::uint64_t kMost = 64;  // times as many as there are, and as they name
  return std::max(kFree, kMost * (present + 2 * edges));
}

/// Ids that `edges` edges of a change name lie below this, in a graph of `present` vertices.  The vertices that are
/// there tell how far one may be, so a few edges take a graph to four times its size and no further.
[[nodiscard]] constexpr std::uint64_t change_growth_limit(VertexId present, std::uint64_t edges) noexcept {
  constexpr std::uint64_t kFree = std::uint64_t{1} << 16;
  constexpr std::uint64_t kOfPresent = 4;
  constexpr std::uint64_t kOfNamed = 64;
  if (present == 0) return growth_limit(0, edges);
  return std::max({kFree, kOfPresent * present, kOfNamed * 2 * edges});
}

}  // namespace rizoma
