// What points of vertices say of the lengths of paths, for searches by a potential.
#pragma once

#include <rizoma/algorithms/dijkstra.h>

#include <algorithm>
#include <cmath>

namespace rizoma {

/// The straight line between two points.
template <unsigned kDimensions>
struct StraightLine {
  static constexpr unsigned dimensions = kDimensions;

  double operator()(const double* a, const double* b) const noexcept {
    double squares = 0;
    for (unsigned i = 0; i < kDimensions; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(squares);
  }
};

/// Of points that are distances from landmarks: by the triangle inequality, no path is shorter than one's difference.
struct GreatestDifference {
  unsigned dimensions;

  double operator()(const double* a, const double* b) const noexcept {
    double greatest = 0;
    for (unsigned i = 0; i < dimensions; ++i) greatest = std::max(greatest, std::abs(a[i] - b[i]));
    return greatest;
  }
};

/// The same where edges have a direction, of points that are distances from landmarks and distances to them, negated.
struct GreatestRise {
  unsigned dimensions;

  double operator()(const double* a, const double* b) const noexcept {
    double greatest = 0;
    for (unsigned i = 0; i < dimensions; ++i) greatest = std::max(greatest, b[i] - a[i]);
    return greatest;
  }
};

/// f(distance) with that of the bound's points.
template <class F>
auto with_distance(const DistanceBound& bound, F&& f) {
  if (bound.landmarks && bound.one_way) return f(GreatestRise{bound.dimensions});
  if (bound.landmarks) return f(GreatestDifference{bound.dimensions});
  return bound.dimensions == 2 ? f(StraightLine<2>()) : f(StraightLine<3>());
}

/// Of a vertex: the bound of what is left to the target; of a search from both ends half of that less half of the bound
/// of the way from the source, which is a potential for both (Goldberg and Harrelson's average).
template <class Distance>
class PointPotential {
 public:
  PointPotential(const DistanceBound& bound, Distance distance, VertexId source, VertexId target, bool both)
      : distance_(distance),
        points_(bound.points.data()),
        source_(point(source)),
        target_(point(target)),
        scale_(both ? bound.scale / 2 : bound.scale),
        both_(both) {}

  double operator()(VertexId v) const noexcept {
    const double* const here = point(v);
    const double left = distance_(here, target_);
    return scale_ * (both_ ? left - distance_(source_, here) : left);
  }

 private:
  [[nodiscard]] const double* point(VertexId v) const noexcept { return points_ + v * distance_.dimensions; }

  Distance distance_;
  const double* points_;
  const double* source_;
  const double* target_;
  double scale_;
  bool both_;
};

}  // namespace rizoma
