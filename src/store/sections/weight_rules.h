// Which weights a graph can store as they are: the same for every way in.
//
// float64 takes every finite number, float32 every one that it can come near to, int32 its integers.  NaN
// compares with nothing, not even itself, so that no order of edges, no shortest path and no later change by
// weight would mean anything; with an infinite weight no rank and no modularity is defined, a shortest path
// through it looks like none, and most text formats cannot say it.  Stores made before it was refused may have some.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/result.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace rizoma {

[[nodiscard]] inline bool weight_fits(WeightType type, double weight) noexcept {
  switch (type) {
    case WeightType::int32:
      return weight >= std::numeric_limits<std::int32_t>::min() && weight <= std::numeric_limits<std::int32_t>::max() &&
             weight == std::trunc(weight);
    case WeightType::float32: return std::abs(weight) <= std::numeric_limits<float>::max();
    default: return std::isfinite(weight);
  }
}

/// Of a weight that does not fit; edges are counted from 0.
[[nodiscard]] Error refused_weight(WeightType type, double weight, std::uint64_t edge);

}  // namespace rizoma
