// How far a dense id may be from the others before its graph's ids become integers without a look at what is between.
//
// Dense ids are the numbers 0..n-1, so that one id far away would take memory for each of those in between.
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace rizoma {

/// At least the greatest id as an unsigned number, and less than twice that; a negative one is greater than all others.
/// Cost: half that of `greatest_of`, or less.
[[nodiscard]] inline VertexId about_greatest_of(std::span<const std::int64_t> ids) noexcept {
  VertexId bits = 0;
  for (const std::int64_t id : ids) bits |= static_cast<VertexId>(id);
  return bits;
}

/// The greatest id as an unsigned number.  0 of none.
[[nodiscard]] inline VertexId greatest_of(std::span<const std::int64_t> ids) noexcept {
  VertexId greatest = 0;
  for (const std::int64_t id : ids) greatest = std::max(greatest, static_cast<VertexId>(id));
  return greatest;
}

/// An upper bound of the ids that `edges` edges of a load name if they are dense; `present` vertices are given as such.
[[nodiscard]] constexpr std::uint64_t growth_limit(VertexId present, std::uint64_t edges) noexcept {
  constexpr std::uint64_t kFree = std::uint64_t{1} << 20;
  constexpr std::uint64_t kMost = 64;  // times as many as there are, and as they name
  return std::max(kFree, kMost * (present + 2 * edges));
}

/// Ids that `edges` edges of a change name, and that are near, are below this, in a graph of `present` vertices.
[[nodiscard]] constexpr std::uint64_t change_growth_limit(VertexId present, std::uint64_t edges) noexcept {
  constexpr std::uint64_t kFree = std::uint64_t{1} << 16;
  constexpr std::uint64_t kOfPresent = 4;
  constexpr std::uint64_t kOfNamed = 64;
  if (present == 0) return growth_limit(0, edges);
  return std::max({kFree, kOfPresent * present, kOfNamed * 2 * edges});
}

}  // namespace rizoma
