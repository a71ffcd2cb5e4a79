// Independent answers to questions about communities, for tests.
#pragma once

#include <rizoma/graph_view.h>

#include "testing/graph_builder.h"

#include <map>
#include <numeric>
#include <span>
#include <vector>

namespace rizoma {

/// Modularity pair by pair: the sum over u, v of one community of A[u][v] - resolution * out[u] in[v] / m.
inline double modularity_oracle(const GraphView& graph, std::span<const std::uint64_t> labels, double resolution) {
  const VertexId n = graph.num_vertices();
  std::vector<double> out(n);
  std::vector<double> in(n);
  double total = 0;
  double sum = 0;
  for (const testing::TestEdge& edge : testing::entries_of(graph)) {
    const double weight = edge.source == edge.target && !graph.directed() ? 2 * edge.weight : edge.weight;
    out[edge.source] += weight;
    in[edge.target] += weight;
    total += weight;
    if (labels[edge.source] == labels[edge.target]) sum += weight;
  }
  if (!(total > 0)) return 0;
  for (VertexId u = 0; u < n; ++u) {
    for (VertexId v = 0; v < n; ++v) {
      if (labels[u] == labels[v]) sum -= resolution * out[u] * in[v] / total;
    }
  }
  return sum / total;
}

/// The constant Potts model pair by pair: the sum over u, v of one community of A[u][v], less `density` times the sizes
/// of both where they differ.
inline double potts_oracle(const GraphView& graph, std::span<const std::uint64_t> labels, double density,
                           std::span<const double> sizes) {
  double sum = 0;
  for (const testing::TestEdge& edge : testing::entries_of(graph)) {
    if (labels[edge.source] != labels[edge.target]) continue;
    sum += edge.source == edge.target && !graph.directed() ? 2 * edge.weight : edge.weight;
  }
  for (VertexId u = 0; u < graph.num_vertices(); ++u) {
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (u != v && labels[u] == labels[v] && graph.is_live(u) && graph.is_live(v))
        sum -= density * sizes[u] * sizes[v];
    }
  }
  return sum;
}

/// The mean weight of a pair of vertices of these sizes.
inline double pair_density(const GraphView& graph, std::span<const double> sizes) {
  double weight = 0;
  for (const testing::TestEdge& edge : testing::entries_of(graph)) {
    weight += edge.source == edge.target && !graph.directed() ? 2 * edge.weight : edge.weight;
  }
  double pairs = 0;
  for (VertexId u = 0; u < graph.num_vertices(); ++u) {
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (u != v && graph.is_live(u) && graph.is_live(v)) pairs += sizes[u] * sizes[v];
    }
  }
  return pairs > 0 ? weight / pairs : 0;
}

/// How many parts a partition falls into if vertices are held together by edges (of weight above 0, in either
/// direction) within communities only.
inline VertexId connected_parts(const GraphView& graph, std::span<const std::uint64_t> labels) {
  std::vector<VertexId> parent(graph.num_vertices());
  std::iota(parent.begin(), parent.end(), VertexId{0});
  const auto root = [&](VertexId v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const testing::TestEdge& edge : testing::entries_of(graph)) {
    if (labels[edge.source] == labels[edge.target] && edge.weight > 0) parent[root(edge.source)] = root(edge.target);
  }
  VertexId parts = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) parts += graph.is_live(v) && root(v) == v ? 1 : 0;
  return parts;
}

}  // namespace rizoma
