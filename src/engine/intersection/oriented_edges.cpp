#include "engine/intersection/oriented_edges.h"

namespace rizoma {

Result<OrientedEdges> OrientedEdges::make(Engine& engine, const GraphView& graph) {
  OrientedEdges edges;
  RIZOMA_ASSIGN(edges.lists_, OrientedLists::make(engine, graph));
  const VertexId n = edges.lists_.size();
  edges.degree_rank_.resize(n);
  edges.first_.reserve(n + 1);
  for (VertexId r = 0; r < n; ++r) {
    edges.degree_rank_[edges.lists_.vertex_of(r)] = static_cast<DegreeRank>(r);
    edges.first_.push_back(edges.first_.back() + edges.lists_[r].size());
  }
  return edges;
}

}  // namespace rizoma
