// Weights of vertices, scaled to about 1, so that neither sums nor products leave the range of a double.
#pragma once

#include <rizoma/graph_view.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace rizoma {

/// Weights divided by a power of two near their largest, which is exact but for those that are next to nothing beside
/// it.  `given` are finite and 0 or more; those of removed vertices count nothing.
class ScaledWeights {
 public:
  ScaledWeights(const GraphView& graph, std::span<const double> given) : values_(given.begin(), given.end()) {
    for (VertexId v = 0; v < values_.size(); ++v) values_[v] = graph.is_live(v) ? values_[v] : 0;
    const auto greatest = std::ranges::max_element(values_);
    if (greatest == values_.end() || *greatest == 0) return;
    exponent_ = std::ilogb(*greatest);
    for (double& each : values_) each = std::ldexp(each, -exponent_);
  }
  /// n values, or none if none were given.
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  /// A sum of scaled weights as one of those that were given.
  [[nodiscard]] double restore(double sum) const { return std::ldexp(sum, exponent_); }

 private:
  std::vector<double> values_;
  int exponent_ = 0;
};

}  // namespace rizoma
