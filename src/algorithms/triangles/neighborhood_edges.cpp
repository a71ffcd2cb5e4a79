#include <rizoma/algorithms/neighborhood_edges.h>

#include "engine/intersection/oriented_edges.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <array>
#include <atomic>
#include <bit>

namespace rizoma {
namespace {

/// For each ranked edge a bit for each direction that it has, 1 to the end of higher number and 2 to the other; of an
/// undirected graph both.
Result<VertexMap<std::uint8_t>> directions(Engine& engine, const GraphView& graph, const OrientedEdges& edges) {
  auto found = engine.make_map<std::uint8_t>(edges.size(), 0);
  RIZOMA_TRY(gather(engine, graph, {.direction = Direction::out}, [&](VertexId u, const auto& entries, unsigned) {
    for (const auto v : entries.sources()) {
      if (u == v) continue;
      const auto bit = static_cast<std::uint8_t>(u < v ? 1 : 2);
      found.atomic(edges.find(u, v)).fetch_or(bit, std::memory_order_relaxed);
    }
  }));
  return found;
}

}  // namespace

Result<NeighborhoodEdges> neighborhood_edges(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "neighborhood_edges"));
  RIZOMA_TRY(check_direction(graph, Direction::in, "neighborhood_edges"));
  RIZOMA_TRY(engine.report("neighborhood_edges", 0, 0));
  RIZOMA_ASSIGN(const OrientedEdges edges, OrientedEdges::make(engine, graph));
  RIZOMA_ASSIGN(const auto found, directions(engine, graph, edges));
  NeighborhoodEdges result{engine.make_map<std::uint64_t>(graph.num_vertices(), 0),
                           engine.make_map<std::uint64_t>(graph.num_vertices(), 0)};
  for (VertexId r = 0; r < edges.lists().size(); ++r) {
    result.neighbors[edges.vertex_of(r)] += edges.lists()[r].size();
    for (const auto v : edges.lists()[r]) ++result.neighbors[edges.vertex_of(v)];
  }
  RIZOMA_TRY(edges.for_each_triangle(engine, [&](const OrientedEdges::Triangle& t, unsigned) {
    const std::array<std::pair<VertexId, EdgeCount>, 3> opposite{{{t.u, t.vw}, {t.v, t.uw}, {t.w, t.uv}}};
    for (const auto& [degree_rank, edge] : opposite) {
      const auto count = static_cast<std::uint64_t>(std::popcount(found[edge]));
      result.edges.atomic(edges.vertex_of(degree_rank)).fetch_add(count, std::memory_order_relaxed);
    }
  }));
  return result;
}

}  // namespace rizoma
