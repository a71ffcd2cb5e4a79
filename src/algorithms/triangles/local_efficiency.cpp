#include <rizoma/algorithms/local_efficiency.h>

#include "algorithms/shared/vertex_values.h"
#include "engine/loop/kernel_arguments.h"

#include <limits>
#include <vector>

namespace rizoma {
namespace {

/// One neighbourhood after the other, its members numbered from 0.
template <class Lists>
class Neighbourhood {
  using Target = typename Lists::target_type;

 public:
  Neighbourhood(Lists& out, unsigned thread) : out_(&out), thread_(thread), place_(out.num_vertices()) {}

  /// The efficiency of v.
  double value(VertexId v) {
    members_.clear();
    for (const Target w : out_->read(v, thread_).sources()) {
      if (place_[w] != 0) continue;
      members_.push_back(w);
      place_[w] = static_cast<std::uint32_t>(members_.size());
    }
    double sum = 0;
    if (members_.size() > 1) {
      gather_edges();
      for (std::uint32_t i = 0; i < members_.size(); ++i) sum += search(i);
      const auto size = static_cast<double>(members_.size());
      sum /= size * (size - 1);
    }
    for (const Target w : members_) place_[w] = 0;
    return sum;
  }

 private:
  void gather_edges() {
    offsets_.assign(1, 0);
    targets_.clear();
    for (const Target u : members_) {
      for (const Target w : out_->read(u, thread_).sources()) {
        if (place_[w] != 0) targets_.push_back(place_[w] - 1);
      }
      offsets_.push_back(targets_.size());
    }
  }

  /// Sum of 1 / distance from one member to the others.
  double search(std::uint32_t start) {
    level_.assign(members_.size(), kUnseen);
    queue_.assign(1, start);
    level_[start] = 0;
    double sum = 0;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const std::uint32_t u = queue_[next];
      if (u != start) sum += 1.0 / level_[u];
      for (std::size_t i = offsets_[u]; i < offsets_[u + 1]; ++i) {
        const std::uint32_t w = targets_[i];
        if (level_[w] != kUnseen) continue;
        level_[w] = level_[u] + 1;
        queue_.push_back(w);
      }
    }
    return sum;
  }

  static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
  Lists* out_;
  unsigned thread_;
  std::vector<std::uint32_t> place_;  ///< 1 + number of a member; 0 for others
  std::vector<Target> members_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> queue_;
};

}  // namespace

Result<VertexMap<double>> local_efficiency(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "local_efficiency"));
  RIZOMA_TRY(check_32_bit_vertices(graph, "local_efficiency"));
  return vertex_values<Neighbourhood>(engine, graph, "local_efficiency");
}

}  // namespace rizoma
