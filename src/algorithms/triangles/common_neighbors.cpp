#include <rizoma/algorithms/common_neighbors.h>

#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 256;

/// The pairs of one thread.
template <class Lists>
class Pairs {
 public:
  Pairs(const GraphView& graph, Lists& out, unsigned thread)
      : out_(&out),
        thread_(thread),
        loops_(graph.num_self_loops() > 0),
        repeats_(graph.may_have_parallel_edges()),
        marks_(out.num_vertices()) {}

  void look_at(VertexId u, VertexId v, std::size_t i, CommonNeighbors& result) {
    if (u != marked_) mark(u);
    std::uint64_t shared = 0;
    VertexId before = kNoVertex;  // parallel edges lie side by side
    for (const VertexId w : out_->read(v, thread_).sources()) {
      if (!marks_.contains(w) || w == std::exchange(before, w)) continue;
      ++shared;
      if (w == u || w == v) continue;
      const double degree = degree_of(w);
      ++result.common[i];
      result.adamic_adar[i] += 1 / std::log(degree);
      result.resource_allocation[i] += 1 / degree;
    }
    result.either[i] = neighbors_of(u) + neighbors_of(v) - shared;
  }

  void unmark() {
    if (marked_ == kNoVertex) return;
    for (const VertexId w : out_->again(marked_).sources()) marks_.words()[w / 64] = 0;
    marked_ = kNoVertex;
  }

 private:
  void mark(VertexId u) {
    unmark();
    for (const VertexId w : out_->read(u, thread_).sources()) marks_.add(w);
    marked_ = u;
  }

  [[nodiscard]] double degree_of(VertexId w) const {
    const auto list = out_->again(w).sources();
    const bool has_loop = loops_ && std::find(list.begin(), list.end(), w) != list.end();
    return static_cast<double>(neighbors_of(w) + (has_loop ? 1 : 0));
  }

  /// How many there are, v among them if it has a self-loop.
  [[nodiscard]] EdgeCount neighbors_of(VertexId v) const {
    if (!repeats_) return out_->degree(v);
    const auto list = out_->again(v).sources();
    EdgeCount count = 0;
    for (std::size_t i = 0; i < list.size(); ++i) count += i == 0 || list[i] != list[i - 1] ? 1 : 0;
    return count;
  }

  Lists* out_;
  unsigned thread_;
  bool loops_;
  bool repeats_;
  VertexSet marks_;
  VertexId marked_ = kNoVertex;
};

}  // namespace

Result<CommonNeighbors> common_neighbors(Engine& engine, const GraphView& graph, std::span<const VertexId> us,
                                         std::span<const VertexId> vs) {
  RIZOMA_TRY(single_process_only(engine, "common_neighbors"));
  RIZOMA_TRY(check_undirected(graph, "common_neighbors"));
  RIZOMA_TRY(check_pairs(us.size(), vs.size(), "common_neighbors"));
  RIZOMA_TRY(check_sources(graph, us, "common_neighbors"));
  RIZOMA_TRY(check_sources(graph, vs, "common_neighbors"));
  RIZOMA_TRY(engine.report("common_neighbors", 0, static_cast<double>(us.size())));
  const std::size_t k = us.size();
  CommonNeighbors result{std::vector<std::uint64_t>(k), std::vector<std::uint64_t>(k), std::vector<double>(k),
                         std::vector<double>(k)};
  const Status done = read_lists(engine, graph, Direction::out, [&]<class Lists>(Lists& out) {
    std::vector<Pairs<Lists>> pairs;
    for (unsigned thread = 0; thread < engine.threads(); ++thread) pairs.emplace_back(graph, out, thread);
    return engine.for_blocks(k, kGrain, [&](VertexRange block, unsigned thread) {
      for (VertexId i = block.begin; i < block.end; ++i) {
        pairs[thread].look_at(us[i], vs[i], i, result);
      }
      pairs[thread].unmark();
    });
  });
  RIZOMA_TRY(done);
  return result;
}

}  // namespace rizoma
