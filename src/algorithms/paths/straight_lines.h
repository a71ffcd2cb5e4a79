// What coordinates say of distances, for searches by a potential.
#pragma once

#include <rizoma/algorithms/dijkstra.h>

#include <cmath>

namespace rizoma {

/// The straight line between two points.
template <unsigned kDimensions>
double straight_line(const double* a, const double* b) noexcept {
  double squares = 0;
  for (unsigned i = 0; i < kDimensions; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

/// Of a vertex: the bound of what is left to the target; of a search from both ends half of that less half of the bound
/// of the way from the source, which is a potential for both (Goldberg and Harrelson's average).
template <unsigned kDimensions>
class StraightLines {
 public:
  StraightLines(const DistanceBound& bound, VertexId source, VertexId target, bool both)
      : points_(bound.points.data()),
        source_(point(source)),
        target_(point(target)),
        scale_(both ? bound.scale / 2 : bound.scale),
        both_(both) {}

  double operator()(VertexId v) const noexcept {
    const double* const here = point(v);
    const double left = straight_line<kDimensions>(here, target_);
    return scale_ * (both_ ? left - straight_line<kDimensions>(here, source_) : left);
  }

 private:
  [[nodiscard]] const double* point(VertexId v) const noexcept { return points_ + v * kDimensions; }

  const double* points_;
  const double* source_;
  const double* target_;
  double scale_;
  bool both_;
};

}  // namespace rizoma
