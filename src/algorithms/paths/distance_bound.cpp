#include "algorithms/paths/point_potential.h"
#include "base/text.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/algorithms/dijkstra.h>
#include <rizoma/gather.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr double kFarthest = 1e150;      // squares of more overflow
constexpr double kShortest = 1e-140;     // squares of less lose digits
constexpr double kSteepest = 1e100;      // a scale that keeps bounds finite
constexpr double kRounding = 1 - 1e-12;  // what rounding takes from a bound

struct Least {
  double ratio = std::numeric_limits<double>::infinity();
  VertexId bad_from = kNoVertex;  ///< an edge whose weight is no length
  VertexId bad_to = kNoVertex;
  double bad_weight = 0;
};

/// The same, of short lines to all digits.
template <unsigned kDimensions>
double careful(const StraightLine<kDimensions>& distance, const double* a, const double* b) noexcept {
  const double line = distance(a, b);
  if (line > kShortest) return line;
  if constexpr (kDimensions == 2) return std::hypot(a[0] - b[0], a[1] - b[1]);
  else return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double careful(const auto& distance, const double* a, const double* b) noexcept { return distance(a, b); }

/// The least length of an edge by the distance between its ends.
template <bool kWeighted, class Distance>
Result<double> least_ratio(Engine& engine, const GraphView& graph, const double* points, const Distance& distance) {
  std::vector<PerThread<Least>> of_threads(engine.threads());
  const GatherOptions options{.in_pieces = true};
  RIZOMA_TRY(gather<kWeighted>(engine, graph, options, [&](VertexId u, const auto& list, unsigned thread) {
    Least& least = of_threads[thread].value;
    const double* const here = points + u * distance.dimensions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const VertexId v = list.source(i);
      const auto weight = static_cast<double>(list.weight(i));
      if (!(weight >= 0)) least = {least.ratio, u, v, weight};
      const double line = careful(distance, here, points + v * distance.dimensions);
      if (line > 0) least.ratio = std::min(least.ratio, weight / line);
    }
  }));
  double ratio = std::numeric_limits<double>::infinity();
  for (const auto& [least] : of_threads) {
    if (least.bad_from != kNoVertex)
      return negative_weight(least.bad_from, least.bad_to, least.bad_weight, "distance_bound");
    ratio = std::min(ratio, least.ratio);
  }
  if (ratio == std::numeric_limits<double>::infinity()) return 0;
  return std::min(ratio * kRounding, kSteepest);
}

Status check_points(const GraphView& graph, const std::vector<double>& points, unsigned dimensions, bool landmarks) {
  if (landmarks && dimensions == 0) return bad_option("distance_bound", "dimensions", dimensions, "1 or more");
  if (!landmarks && dimensions != 2 && dimensions != 3)
    return bad_option("distance_bound", "dimensions", dimensions, "2 or 3");
  if (points.size() % dimensions != 0)
    return bad_option("distance_bound", "the number of coordinates", static_cast<double>(points.size()),
                      "a multiple of dimensions");
  RIZOMA_TRY(check_one_each(graph, points.size() / dimensions, "points", "distance_bound"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::abs(points[i]) <= kFarthest || !graph.is_live(i / dimensions)) continue;
    return Error{ErrorCode::invalid_argument, "distance_bound: a coordinate of vertex " +
                                                  std::to_string(i / dimensions) + " (internal id) is " +
                                                  to_text(points[i]) + "; each must be between -1e150 and 1e150"};
  }
  return {};
}

}  // namespace

Result<DistanceBound> distance_bound(Engine& engine, const GraphView& graph, std::vector<double> points,
                                     unsigned dimensions, bool weighted, bool landmarks) {
  RIZOMA_TRY(single_process_only(engine, "distance_bound"));
  RIZOMA_TRY(check_points(graph, points, dimensions, landmarks));
  DistanceBound bound{.points = std::move(points),
                      .dimensions = dimensions,
                      .weighted = weighted,
                      .landmarks = landmarks,
                      .one_way = graph.directed()};
  RIZOMA_ASSIGN(bound.scale, with_distance(bound, [&](const auto& distance) {
                  return weighted ? least_ratio<true>(engine, graph, bound.points.data(), distance)
                                  : least_ratio<false>(engine, graph, bound.points.data(), distance);
                }));
  return bound;
}

}  // namespace rizoma
