#include <rizoma/algorithms/edge_triangles.h>

#include "algorithms/entry_numbers.h"
#include "algorithms/lists.h"
#include "algorithms/ranked_edges.h"

#include <utility>

namespace rizoma {
namespace {

/// Triangles of each ranked edge.
Result<VertexMap<std::uint64_t>> count_supports(Engine& engine, const RankedEdges& edges) {
  auto supports = engine.make_map<std::uint64_t>(edges.size(), 0);
  RIZOMA_TRY(edges.for_each_triangle(engine, [&](const RankedEdges::Triangle& triangle, unsigned) {
    for (const EdgeCount edge : {triangle.uv, triangle.uw, triangle.vw})
      supports.atomic(edge).fetch_add(1, std::memory_order_relaxed);
  }));
  return supports;
}

/// By entry, the value of its ranked edge; 0 for a self-loop.
template <class T, class Values>
Result<std::vector<T>> by_entry(Engine& engine, const GraphView& graph, const RankedEdges& edges,
                                const Values& values) {
  std::vector<T> result(graph.num_entries());
  const Status done = graph.with_out([&]<class Target>(const Adjacency<Target>& out) {
    const EntryNumbers<Target> numbers(out);
    return engine.for_edges(graph, Direction::out, [&](VertexRange block, unsigned) {
      for (VertexId u = block.begin; u < block.end; ++u) {
        EdgeCount entry = numbers.first(u);
        for (const Target v : out.neighbors(u)) {
          if (u != v) result[entry] = values[edges.find(u, v)];
          ++entry;
        }
      }
    });
  });
  RIZOMA_TRY(done);
  return result;
}

/// Takes edges of too little support away, until none is left that has to go.
template <class Target>
class Peeling {
 public:
  Peeling(const Adjacency<Target>& out, const RankedEdges& edges, VertexMap<std::uint64_t>& supports,
          std::uint64_t least)
      : out_(out), edges_(edges), supports_(supports), least_(least), kept_(edges.size(), 1), gone_(edges.size()) {
    for (VertexId u = 0; u < edges.lists().size(); ++u) {
      EdgeCount number = edges.first(u);
      for (const auto v : edges.lists()[u]) check({edges.vertex_of(u), edges.vertex_of(v), number++});
    }
  }

  Status run(Engine& engine) {
    SerialWatch watch(engine, "k_truss", edges_.size());
    while (!falling_.empty()) {
      RIZOMA_TRY(watch.step());
      const Edge edge = falling_.back();
      falling_.pop_back();
      remove(edge);
    }
    return {};
  }

  [[nodiscard]] const std::vector<std::uint8_t>& kept() const noexcept { return kept_; }

 private:
  struct Edge {
    VertexId u;
    VertexId v;
    EdgeCount number;
  };

  /// Puts an edge among those that go, once.
  void check(const Edge& edge) {
    if (supports_[edge.number] >= least_ || !kept_[edge.number]) return;
    kept_[edge.number] = 0;
    falling_.push_back(edge);
  }

  /// Each triangle of the edge goes once: with the first of its edges that is taken from `falling_`.
  void remove(Edge edge) {
    auto& [u, v, number] = edge;
    gone_[number] = 1;
    if (out_.degree(u) > out_.degree(v)) std::swap(u, v);
    Target last = static_cast<Target>(u);
    for (const Target w : out_.neighbors(u)) {
      if (w == v || w == u || w == std::exchange(last, w)) continue;
      const EdgeCount uw = edges_.find(u, w);
      const EdgeCount vw = edges_.find(v, w);
      if (vw == edges_.size() || gone_[uw] || gone_[vw]) continue;
      lower({u, w, uw});
      lower({v, w, vw});
    }
  }

  void lower(const Edge& edge) {
    --supports_[edge.number];
    check(edge);
  }

  const Adjacency<Target>& out_;
  const RankedEdges& edges_;
  VertexMap<std::uint64_t>& supports_;
  std::uint64_t least_;
  std::vector<std::uint8_t> kept_;  ///< by ranked edge: not among those that go
  std::vector<std::uint8_t> gone_;  ///< its triangles have been taken away
  std::vector<Edge> falling_;
};

}  // namespace

Result<std::vector<std::uint64_t>> edge_triangles(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(engine.report("edge_triangles", 0, 0));
  RIZOMA_ASSIGN(const RankedEdges edges, RankedEdges::make(engine, graph));
  RIZOMA_ASSIGN(const auto supports, count_supports(engine, edges));
  return by_entry<std::uint64_t>(engine, graph, edges, supports);
}

Result<std::vector<std::uint8_t>> k_truss(Engine& engine, const GraphView& graph, std::uint64_t k) {
  if (graph.directed()) return Error{ErrorCode::unsupported, "k_truss: the graph is directed"};
  RIZOMA_TRY(engine.report("k_truss", 0, 0));
  RIZOMA_ASSIGN(const RankedEdges edges, RankedEdges::make(engine, graph));
  RIZOMA_ASSIGN(auto supports, count_supports(engine, edges));
  return graph.with_out([&]<class Target>(const Adjacency<Target>& out) -> Result<std::vector<std::uint8_t>> {
    Peeling<Target> peeling(out, edges, supports, k < 2 ? 0 : k - 2);
    RIZOMA_TRY(peeling.run(engine));
    return by_entry<std::uint8_t>(engine, graph, edges, peeling.kept());
  });
}

}  // namespace rizoma
