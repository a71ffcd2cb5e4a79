// Which weights a graph can store as they are, the same for every way in, and the bytes that they become.
//
// float64 takes every finite number, float32 every one that it can come near to, int32 its integers.  NaN
// compares with nothing, not even itself, so that no order of edges, no shortest path and no later change by
// weight would mean anything; with an infinite weight no rank and no modularity is defined, a shortest path
// through it looks like none, and most text formats cannot say it.  Stores made before it was refused may have some.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/result.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace rizoma {

[[nodiscard]] inline bool weight_fits(WeightType type, double weight) noexcept {
  switch (type) {
    case WeightType::int32:
      return weight >= std::numeric_limits<std::int32_t>::min() && weight <= std::numeric_limits<std::int32_t>::max() &&
             weight == std::trunc(weight);
    case WeightType::float32: return std::isfinite(static_cast<float>(weight));
    default: return std::isfinite(weight);
  }
}

/// The stored bytes of a weight that fits.
template <class Bits>
[[nodiscard]] Bits weight_bits(WeightType type, double weight) noexcept {
  if constexpr (std::is_same_v<Bits, std::uint64_t>) {
    return std::bit_cast<std::uint64_t>(weight);
  } else if (type == WeightType::int32) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(weight));
  } else {
    return std::bit_cast<std::uint32_t>(static_cast<float>(weight));
  }
}

/// Of a weight that does not fit; edges are counted from 0.
[[nodiscard]] Error refused_weight(WeightType type, double weight, std::uint64_t edge);

}  // namespace rizoma
