// The graphs that the kernels are tested on: every storage form a GraphView may have, with the
// irregularities a kernel may stumble over.
#pragma once

#include <rizoma/engine.h>

#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <tuple>
#include <vector>

namespace rizoma {

/// Four threads belong to three synthetic homes, under a policy for each width of sections; fewer to the machine's.
inline EngineOptions team_of(unsigned threads, unsigned section_bits) {
  EngineOptions options{.threads = threads};
  if (threads < 4) return options;
  const PlacementPolicy policy = section_bits == 2   ? PlacementPolicy::chunk
                                 : section_bits == 3 ? PlacementPolicy::round_robin
                                                     : PlacementPolicy::adaptive;
  options.fixed = Placement{.policy = policy, .homes = 3, .home_of_thread = {0, 1, 2, 0}};
  return options;
}

/// A fixture over threads x directed x in-edges x section bits (3: with 64-bit targets).
class OnShapes : public ::testing::TestWithParam<std::tuple<unsigned, bool, bool, unsigned>> {
 protected:
  Engine engine{team_of(std::get<0>(GetParam()), std::get<3>(GetParam()))};
  testing::BuildOptions options{.directed = std::get<1>(GetParam()),
                                .in_edges = std::get<2>(GetParam()),
                                .section_bits = std::get<3>(GetParam()),
                                .wide = std::get<3>(GetParam()) == 3};

  /// Small graphs of n vertices at most: sparse and dense, with loops, parallel edges and holes.
  static std::vector<std::pair<std::vector<testing::TestEdge>, testing::BuildOptions>> small_graphs(
      testing::BuildOptions options) {
    std::vector<std::pair<std::vector<testing::TestEdge>, testing::BuildOptions>> graphs;
    for (const auto& edges : {testing::rmat_edges(7, 500, 1),
                              testing::uniform_edges(150, 100, 2),
                              testing::uniform_edges(60, 2000, 3),
                              testing::grid_edges(9, 11),
                              testing::path_edges(70),
                              testing::star_edges(130),
                              {}}) {
      graphs.emplace_back(edges, options);
    }
    auto rough = testing::uniform_edges(90, 300, 4);
    for (VertexId v = 0; v < 90; v += 7) rough.push_back({v, v, 2});
    rough.insert(rough.end(), rough.begin(), rough.begin() + 100);
    auto kept = options;
    kept.merge = false;
    graphs.emplace_back(rough, kept);
    auto holed = options;
    holed.removed = {0, 5, 64, 89};
    graphs.emplace_back(rough, holed);
    auto ordered = options;
    ordered.by_degree = true;
    graphs.emplace_back(rough, ordered);
    return graphs;
  }
};

/// The live vertices.
inline std::vector<VertexId> live_vertices(const GraphView& graph) {
  std::vector<VertexId> live;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (graph.is_live(v)) live.push_back(v);
  }
  return live;
}

/// Which vertices are adjacent: [u][v] for every entry u -> v.
inline std::vector<std::vector<bool>> matrix_of(const GraphView& graph) {
  std::vector<std::vector<bool>> matrix(graph.num_vertices(), std::vector<bool>(graph.num_vertices()));
  for (const testing::TestEdge& edge : testing::entries_of(graph)) matrix[edge.source][edge.target] = true;
  return matrix;
}

inline auto testing_shapes() {
  return ::testing::Combine(::testing::Values(1, 2, 4), ::testing::Bool(), ::testing::Bool(),
                            ::testing::Values(2, 3, 14));
}

}  // namespace rizoma
