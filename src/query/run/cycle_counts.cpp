#include "query/run/cycle_counts.h"

#include "engine/intersection/wedge_cycles.h"

#include <rizoma/process_vertices.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace rizoma::query {
namespace {

constexpr unsigned kVertices = 4;
constexpr std::uint64_t kWays = 8;  // in which a cycle matches, all of them its symmetries

/// Whether the edges are a cycle through all four vertices: each has two, to different ones.
bool is_cycle(const Query& query) {
  if (query.vertices != kVertices || query.edges.size() != kVertices) return false;
  std::array<Mask, kVertices> neighbors{};
  std::array<unsigned, kVertices> degrees{};
  for (const QueryEdge& edge : query.edges) {
    neighbors[edge.from] |= bit(edge.to);
    neighbors[edge.to] |= bit(edge.from);
    ++degrees[edge.from];
    ++degrees[edge.to];
  }
  for (unsigned v = 0; v < kVertices; ++v) {
    const bool two = degrees[v] == 2 && std::popcount(neighbors[v]) == 2 && (neighbors[v] & bit(v)) == 0;
    if (!two) return false;
  }
  return true;
}

/// Whether its vertices differ: then symmetry.h leaves one match of each cycle.
bool differ(const Query& query) { return query.times == kWays; }

/// Whether it asks for nothing but its edges, and perhaps for vertices that differ.
bool is_plain(const Query& query) {
  const auto any_vertex = [](const auto& set) { return !set; };
  return query.edge_items == 0 && query.absent.empty() && query.shortest.empty() && query.filters.empty() &&
         query.unequal_edges.empty() && std::ranges::all_of(query.anchors, any_vertex) &&
         std::ranges::all_of(query.kept, any_vertex) && std::ranges::all_of(query.vertex_filters, any_vertex) &&
         std::ranges::all_of(query.edges, [](const QueryEdge& edge) { return edge.set == 0; }) &&
         (differ(query) || (query.below.empty() && query.unequal.empty()));
}

}  // namespace

bool counts_four_cycles(const Engine& engine, const GraphView& graph, const Query& query) {
  return is_cycle(query) && is_plain(query) && !graph.directed() && !graph.may_have_parallel_edges() &&
         graph.num_self_loops() == 0 && engine.ranks() == nullptr &&
         graph.num_vertices() <= std::numeric_limits<std::uint32_t>::max();
}

Result<CheckedCount> count_four_cycles(Engine& engine, const GraphView& graph, const Query& query) {
  RIZOMA_ASSIGN(const std::uint64_t cycles, count_wedge_cycles(engine, graph));
  CheckedCount matches(cycles);
  if (differ(query)) return matches;
  matches.multiply(kWays);
  const Degrees degrees(graph);
  const auto squares = [&](VertexId v) { return degrees[v] * degrees[v]; };
  RIZOMA_ASSIGN(const EdgeCount walks, process_vertices(engine, graph, EdgeCount{0}, squares));
  matches.add(walks);                        // a wedge or an edge from its middle and back
  matches.add(walks - graph.num_entries());  // the same from an end, of a wedge alone
  return matches;
}

}  // namespace rizoma::query
