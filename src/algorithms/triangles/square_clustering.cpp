#include <rizoma/algorithms/square_clustering.h>

#include "algorithms/shared/vertex_values.h"
#include "engine/exchange/one_rank.h"

#include <algorithm>
#include <vector>

namespace rizoma {
namespace {

/// Counts walks for one vertex after the other.
template <class Lists>
class WalkCounter {
  using Target = typename Lists::target_type;

 public:
  WalkCounter(Lists& out, unsigned thread) : out_(&out), thread_(thread), walks_(out.num_vertices()) {}

  /// The coefficient of v.
  double value(VertexId v) {
    const double degree = static_cast<double>(proper_degree(v));
    double degrees_around = 0;
    for (const Target u : out_->read(v, thread_).sources()) {
      if (u == v) continue;
      degrees_around += static_cast<double>(proper_degree(u));
      for (const Target x : out_->read(u, thread_).sources()) {
        if (x == u || x == v) continue;
        if (walks_[x]++ == 0) ends_.push_back(x);
      }
    }
    double triangles = 0;  // each twice
    for (const Target u : out_->again(v).sources()) {
      if (u != v) triangles += static_cast<double>(walks_[u]);
    }
    const double squares = take_squares();
    const double possible = (degree - 1) * degrees_around - degree * (degree - 1) - triangles - squares;
    return possible > 0 ? squares / possible : 0;
  }

 private:
  [[nodiscard]] EdgeCount proper_degree(VertexId v) const {
    const auto list = out_->again(v).sources();
    return list.size() - static_cast<EdgeCount>(std::count(list.begin(), list.end(), v));
  }

  double take_squares() {
    double squares = 0;
    for (const Target x : ends_) {
      const auto walks = static_cast<double>(walks_[x]);
      squares += walks * (walks - 1) / 2;
      walks_[x] = 0;
    }
    ends_.clear();
    return squares;
  }

  Lists* out_;
  unsigned thread_;
  std::vector<std::uint64_t> walks_;
  std::vector<Target> ends_;
};

}  // namespace

Result<VertexMap<double>> square_clustering(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(one_rank_only(engine, "square_clustering"));
  return vertex_values<WalkCounter>(engine, graph, "square_clustering");
}

}  // namespace rizoma
