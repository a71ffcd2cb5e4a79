// Identifiers and counts used throughout Rizoma.  Module: base.
#pragma once

#include <cstdint>

namespace rizoma {

/// Internal id of a vertex, 0..n-1.  Users see external ids; kernels see these.
using VertexId = std::uint64_t;
/// Number of edge entries.  An undirected edge {u, v}, u != v, has two entries (u->v and v->u).
using EdgeCount = std::uint64_t;
/// Number of a section: `vertex >> section_bits`.
using SectionId = std::uint64_t;

inline constexpr VertexId kNoVertex = ~VertexId{0};

/// Vertices [begin, end).
struct VertexRange {
  VertexId begin = 0;
  VertexId end = 0;
  [[nodiscard]] constexpr VertexId size() const noexcept { return end - begin; }
  [[nodiscard]] constexpr bool empty() const noexcept { return begin >= end; }
  friend constexpr bool operator==(const VertexRange&, const VertexRange&) = default;
};

/// Type of the weight column of a graph.
enum class WeightType : std::uint8_t { none = 0, int32 = 1, float32 = 2, float64 = 3 };

/// Bytes of one weight.
[[nodiscard]] constexpr unsigned weight_bytes(WeightType type) noexcept {
  switch (type) {
    case WeightType::none: return 0;
    case WeightType::int32:
    case WeightType::float32: return 4;
    case WeightType::float64: return 8;
  }
  return 0;
}

}  // namespace rizoma
