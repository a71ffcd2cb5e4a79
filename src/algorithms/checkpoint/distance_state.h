// What a search for shortest paths keeps between processes: the distances found so far, and the bucket that comes next.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace rizoma {

/// Integer distances, each with a weight that is added to it, are below this.
constexpr std::uint64_t kLongestInteger = std::uint64_t{1} << 31;

class DistanceCheckpoint {
 public:
  /// What was kept is read, if the job is to go on from there.  `checkpoints`: null if nothing is kept.
  static Result<DistanceCheckpoint> open(Engine& engine, const GraphView& graph, Checkpoints* checkpoints) {
    DistanceCheckpoint kept;
    kept.checkpoints_ = checkpoints;
    if (checkpoints == nullptr) return kept;
    kept.of_vertex_ = engine.make_map<double>(graph.num_vertices(), kFar);
    if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
    RIZOMA_ASSIGN(kept.resumed_,
                  checkpoints->resume({kept.figures_, {column_of(kept.of_vertex_)}, [&kept] { return kept.sound(); }}));
    return kept;
  }

  /// Whether a search had got as far as to know that integers do not hold its distances.
  [[nodiscard]] bool needs_more_than_integers() const noexcept { return resumed_ && figures_[0] == 0; }
  /// The width of its buckets; 0: there was none.
  [[nodiscard]] double delta() const noexcept { return resumed_ ? figures_[1] : 0; }

  /// Has a sweep go on from what was kept, or begin at the source.  By distances of another type buckets are numbered
  /// otherwise.  Returns how many vertices were reached before, on all ranks.
  template <class Sweep>
  Result<VertexId> begin(Engine& engine, Sweep& sweep, VertexId source, double delta) {
    using Distance = typename Sweep::Value;
    const double is_integer = std::is_integral_v<Distance> ? 1 : 0;
    VertexId reached = 0;
    if (resumed_ && figures_[0] == is_integer) {
      RIZOMA_ASSIGN(reached, sweep.start_again(number_of(figures_[2], figures_[3]), [&](VertexId v) {
        return of_vertex_[v] == kFar ? sweep.program().unreached : static_cast<Distance>(of_vertex_[v]);
      }));
    } else {
      RIZOMA_TRY(sweep.start(source, 0));
    }
    figures_ = {is_integer, delta, 0, 0};
    return over_ranks(engine, reached, std::plus<>());
  }

  /// Keeps the distances if it is time to, once all ways that lead to other ranks are known there.
  template <class Sweep>
  Status offer(Engine& engine, const GraphView& graph, Sweep& sweep) {
    if (checkpoints_ == nullptr || !sweep.waiting()) return {};
    RIZOMA_ASSIGN(const bool due, checkpoints_->due());
    if (!due) return {};
    RIZOMA_TRY(sweep.notify_owners());
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) of_vertex_[v] = as_told(sweep, v);
    }));
    const auto [high, low] = halves_of(sweep.bucket());
    figures_[2] = high;
    figures_[3] = low;
    return checkpoints_->keep({figures_, {column_of(of_vertex_)}});
  }

  /// The distance of v as results have it.
  template <class Sweep>
  static double as_told(const Sweep& sweep, VertexId v) noexcept {
    const auto distance = sweep.values()[v];
    return distance == sweep.program().unreached ? kFar : static_cast<double>(distance);
  }

 private:
  [[nodiscard]] bool sound() const {
    const auto [is_integer, delta, high, low] = figures_;
    if (!(is_integer == 0 || is_integer == 1) || !(delta > 0) || !std::isfinite(delta)) return false;
    if (!are_halves(high, low) || number_of(high, low) > kLastBucket) return false;
    const bool whole = is_integer == 1;
    return std::ranges::all_of(of_vertex_.span(), [&](double distance) {
      return whole ? std::isinf(distance) || whole_below(distance, static_cast<double>(kLongestInteger))
                   : distance >= 0;
    });
  }

  static constexpr double kFar = std::numeric_limits<double>::infinity();
  static constexpr std::uint64_t kLastBucket = std::uint64_t{1} << 62;
  Checkpoints* checkpoints_ = nullptr;
  VertexMap<double> of_vertex_;
  std::array<double, 4> figures_{};  ///< whether distances are integers, delta, the bucket in halves
  bool resumed_ = false;
};

}  // namespace rizoma
