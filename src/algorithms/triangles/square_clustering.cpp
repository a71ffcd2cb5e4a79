#include <rizoma/algorithms/square_clustering.h>

#include "algorithms/shared/vertex_values.h"
#include "engine/intersection/distinct_neighbors.h"
#include "engine/loop/kernel_arguments.h"

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
    double degree = 0;
    double degrees_around = 0;
    for_each_distinct_neighbor(out_->read(v, thread_), v, [&](Target u) {
      ++degree;
      for_each_distinct_neighbor(out_->read(u, thread_), u, [&](Target x) {
        ++degrees_around;
        if (x != v && walks_[x]++ == 0) ends_.push_back(x);
      });
    });
    double triangles = 0;  // each twice
    for_each_distinct_neighbor(out_->again(v), v, [&](Target u) { triangles += static_cast<double>(walks_[u]); });
    const double squares = take_squares();
    const double possible = (degree - 1) * degrees_around - degree * (degree - 1) - triangles - squares;
    return possible > 0 ? squares / possible : 0;
  }

 private:
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
  RIZOMA_TRY(single_process_only(engine, "square_clustering"));
  return vertex_values<WalkCounter>(engine, graph, "square_clustering");
}

}  // namespace rizoma
