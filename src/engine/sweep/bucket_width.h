// How wide the buckets of a PrioritySweep of distances are: which one a distance is in, and the width that suits the
// lists along which it goes.
#pragma once

#include "base/random.h"

#include <rizoma/iteration.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace rizoma {

/// Maps distances to buckets.  Never decreasing; integer widths are powers of two.
template <class Distance>
class BucketWidth {
 public:
  explicit BucketWidth(double delta) {
    if constexpr (std::is_integral_v<Distance>) {
      shift_ = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(std::clamp(delta, 1.0, 0x1p30))) - 1);
    } else {
      inverse_ = std::min(1 / delta, std::numeric_limits<double>::max());  // 0 times infinity would be no number
    }
  }
  [[nodiscard]] std::uint64_t bucket_of(Distance distance) const noexcept {
    if constexpr (std::is_integral_v<Distance>) {
      return distance >> shift_;
    } else {
      return static_cast<std::uint64_t>(std::min(distance * inverse_, 0x1p62));
    }
  }
  [[nodiscard]] double delta() const noexcept {
    if constexpr (std::is_integral_v<Distance>) {
      return static_cast<double>(std::uint64_t{1} << shift_);
    } else {
      return 1 / inverse_;
    }
  }

 private:
  unsigned shift_ = 0;
  double inverse_ = 1;
};

/// The statistics of a random sample of edges.
struct DrawnEdges {
  double vertices = 0;  ///< that have edges
  double entries = 0;
  double near = 0;    ///< entries that lead to a vertex of nearby number
  double weight = 0;  ///< of all entries

  static constexpr int kDraws = 512;       // vertices looked at,
  static constexpr int kEach = 2;          // and entries of each: more would take longer than many a search
  static constexpr VertexId kNear = 1024;  // vertices whose numbers differ by no more, nor by a 64th of all, are near

  /// Of the vertices whose state is here.  Each vertex has random numbers of its own, so that several processes draw
  /// the same entries as one.
  template <class Lists>
  static DrawnEdges draw(const Iteration& loop, const Lists& out) {
    const VertexId near = std::min(kNear, out.num_vertices() / 64);
    DrawnEdges drawn;
    for (int i = 0; i < kDraws && out.num_vertices() > 0; ++i) {
      Random random(static_cast<std::uint64_t>(i));
      const VertexId v = random.below(out.num_vertices());
      if (!loop.is_here(v)) continue;
      const auto list = out.again(v);
      if (list.empty()) continue;
      drawn.vertices += 1;
      drawn.entries += static_cast<double>(list.size());
      const double stands_for = static_cast<double>(list.size()) / kEach;  // entries of the list
      for (int one = 0; one < kEach; ++one) {
        const std::size_t at = random.below(list.size());
        const VertexId w = list.source(at);
        if ((w > v ? w - v : v - w) <= near) drawn.near += stands_for;
        const auto weight = static_cast<double>(list.weight(at));
        if (std::isfinite(weight)) drawn.weight += std::abs(weight) * stands_for;
      }
    }
    return drawn;
  }
  static DrawnEdges add(const DrawnEdges& a, const DrawnEdges& b) {
    return {a.vertices + b.vertices, a.entries + b.entries, a.near + b.near, a.weight + b.weight};
  }
};

/// As measured on social, road, web and synthetic graphs: a third of the mean weight over the root of the mean degree.
/// Several times that where degrees are small, as buckets would hold too little to share; and where edges lead to
/// vertices nearby, as on the web: few ways are much shorter than others there, and a thread that goes on in one place
/// finds its lists in the cache.  Collective.
template <class Lists>
Result<double> choose_delta(Iteration& loop, const Lists& out) {
  constexpr double kMostlyNear = 0.5;  // of entries
  constexpr double kWide = 16;         // times as wide are buckets then
  constexpr double kSmallDegree = 8;
  const GraphView& graph = loop.graph();
  RIZOMA_ASSIGN(const DrawnEdges drawn, loop.total(DrawnEdges::draw(loop, out), DrawnEdges::add));
  if (!(drawn.weight > 0) || !std::isfinite(drawn.weight)) return 1;
  const double mean_weight = drawn.weight / drawn.entries;
  const double with_edges = drawn.vertices / DrawnEdges::kDraws * static_cast<double>(graph.num_vertices());
  const double mean_degree = static_cast<double>(graph.num_entries()) / with_edges;  // a few long lists distort it
  const bool wide = mean_degree < kSmallDegree || drawn.near > kMostlyNear * drawn.entries;
  return mean_weight / (3 * std::sqrt(mean_degree)) * (wide ? kWide : 1);
}

}  // namespace rizoma
