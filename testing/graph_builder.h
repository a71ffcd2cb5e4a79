// Builds GraphViews in memory from edge lists, for tests that need a graph and no store.
#pragma once

#include <rizoma/graph_view.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma::testing {

struct TestEdge {
  VertexId source = 0;
  VertexId target = 0;
  double weight = 1;
  friend bool operator==(const TestEdge&, const TestEdge&) = default;
};

struct BuildOptions {
  bool directed = false;
  bool in_edges = true;  ///< directed graphs: build the transpose too
  WeightType weights = WeightType::none;
  unsigned section_bits = 10;
  bool wide = false;              ///< 64-bit targets
  bool merge = true;              ///< drop repeated edges (the last weight stays)
  bool by_degree = false;         ///< renumber by decreasing degree (out + in), ties by number
  std::vector<VertexId> removed;  ///< vertices that become holes; their edges are dropped
};

/// A graph of vertices 0..n-1 (n grows if an edge names a greater vertex).  An undirected edge is given
/// once, in either direction; a self-loop has one entry.  Lists are sorted by target.
[[nodiscard]] GraphView build_graph(VertexId n, std::vector<TestEdge> edges, const BuildOptions& options = {});

/// As build_graph, from pairs without weights.
[[nodiscard]] GraphView build_graph(VertexId n, const std::vector<std::pair<VertexId, VertexId>>& edges,
                                    const BuildOptions& options = {});

/// The new number of each vertex in the order that `by_degree` gives.
[[nodiscard]] std::vector<VertexId> degree_order(VertexId n, const std::vector<TestEdge>& edges);

/// The entries of the graph, as (source, target, weight), in list order; weight 1 if unweighted.
[[nodiscard]] std::vector<TestEdge> entries_of(const GraphView& graph);

/// Random graphs, the same for the same seed everywhere; weights are integers in 1..255.
[[nodiscard]] std::vector<TestEdge> uniform_edges(VertexId n, std::size_t m, std::uint64_t seed);
[[nodiscard]] std::vector<TestEdge> rmat_edges(unsigned scale, std::size_t m, std::uint64_t seed);
[[nodiscard]] std::vector<TestEdge> grid_edges(VertexId rows, VertexId columns);
[[nodiscard]] std::vector<TestEdge> path_edges(VertexId n);
[[nodiscard]] std::vector<TestEdge> star_edges(VertexId n);  ///< 0 is the hub

}  // namespace rizoma::testing
