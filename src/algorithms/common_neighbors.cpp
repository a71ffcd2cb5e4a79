#include <rizoma/algorithms/common_neighbors.h>

#include "algorithms/lists.h"

#include <algorithm>
#include <cmath>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 256;

/// The pairs of one thread.
template <class Target>
class Pairs {
 public:
  Pairs(const GraphView& graph, const Adjacency<Target>& out)
      : out_(out), loops_(graph.num_self_loops() > 0), marks_(out.num_vertices()) {}

  void look_at(VertexId u, VertexId v, std::size_t i, CommonNeighbors& result) {
    if (u != marked_) mark(u);
    std::uint64_t shared = 0;
    for (const Target w : out_.neighbors(v)) {
      if (!marks_.contains(w)) continue;
      ++shared;
      if (w == u || w == v) continue;
      const double degree = degree_of(w);
      ++result.common[i];
      result.adamic_adar[i] += 1 / std::log(degree);
      result.resource_allocation[i] += 1 / degree;
    }
    result.either[i] = out_.degree(u) + out_.degree(v) - shared;
  }

  void unmark() {
    if (marked_ == kNoVertex) return;
    for (const Target w : out_.neighbors(marked_)) marks_.words()[w / 64] = 0;
    marked_ = kNoVertex;
  }

 private:
  void mark(VertexId u) {
    unmark();
    for (const Target w : out_.neighbors(u)) marks_.add(w);
    marked_ = u;
  }

  [[nodiscard]] double degree_of(VertexId w) const {
    const auto list = out_.neighbors(w);
    const bool has_loop = loops_ && std::find(list.begin(), list.end(), w) != list.end();
    return static_cast<double>(list.size() + (has_loop ? 1 : 0));
  }

  const Adjacency<Target>& out_;
  bool loops_;
  VertexSet marks_;
  VertexId marked_ = kNoVertex;
};

}  // namespace

Result<CommonNeighbors> common_neighbors(Engine& engine, const GraphView& graph, std::span<const VertexId> us,
                                         std::span<const VertexId> vs) {
  if (graph.directed()) return Error{ErrorCode::unsupported, "common_neighbors: the graph is directed"};
  if (us.size() != vs.size()) return Error{ErrorCode::invalid_argument, "common_neighbors: us and vs differ in length"};
  RIZOMA_TRY(check_sources(graph, us, "common_neighbors"));
  RIZOMA_TRY(check_sources(graph, vs, "common_neighbors"));
  RIZOMA_TRY(engine.report("common_neighbors", 0, static_cast<double>(us.size())));
  const std::size_t k = us.size();
  CommonNeighbors result{std::vector<std::uint64_t>(k), std::vector<std::uint64_t>(k), std::vector<double>(k),
                         std::vector<double>(k)};
  const Status done = graph.with_out([&]<class Target>(const Adjacency<Target>& out) {
    std::vector<Pairs<Target>> pairs(engine.threads(), Pairs<Target>(graph, out));
    ListCounter lists_read(engine, graph);
    return engine.for_blocks(k, kGrain, [&](VertexRange block, unsigned thread) {
      for (VertexId i = block.begin; i < block.end; ++i) {
        for (const VertexId v : {us[i], vs[i]}) lists_read[thread].add(v, out.degree(v));
        pairs[thread].look_at(us[i], vs[i], i, result);
      }
      pairs[thread].unmark();
    });
  });
  RIZOMA_TRY(done);
  return result;
}

}  // namespace rizoma
