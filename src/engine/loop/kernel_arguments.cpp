#include "engine/loop/kernel_arguments.h"

#include "base/text.h"

#include <string>

namespace rizoma {

Status single_process_only(const Engine& engine, std::string_view kernel) {
  if (engine.ranks() == nullptr) return {};
  return Error{ErrorCode::unsupported,
               std::string(kernel) + " runs on one rank only; open the graph in one process for it"};
}

Status check_direction(const GraphView& graph, Direction direction, std::string_view who) {
  if (direction == Direction::out || graph.has_in_edges()) return {};
  return Error{ErrorCode::unsupported,
               std::string(who) + ": the graph stores no in-edges; create it with in_edges=True"};
}

Status check_undirected(const GraphView& graph, std::string_view who) {
  if (!graph.directed()) return {};
  return Error{ErrorCode::unsupported,
               std::string(who) + ": the graph is directed; give an undirected one, such as g.undirected()"};
}

Status check_source(const GraphView& graph, VertexId source, std::string_view who) {
  if (source < graph.num_vertices() && graph.is_live(source)) return {};
  return Error{ErrorCode::invalid_argument,
               std::string(who) + ": source " + std::to_string(source) + " is not a vertex of the graph"};
}

Status check_sources(const GraphView& graph, std::span<const VertexId> sources, std::string_view who) {
  for (const VertexId s : sources) {
    RIZOMA_TRY(check_source(graph, s, who));
  }
  return {};
}

Error bad_option(std::string_view who, std::string_view option, double value, std::string_view must) {
  return {ErrorCode::invalid_argument, std::string(who) + ": " + std::string(option) + " is " + to_text(value) +
                                           "; it must be " + std::string(must)};
}

Status check_one_each(const GraphView& graph, std::size_t values, std::string_view what, std::string_view who) {
  if (values == graph.num_vertices()) return {};
  return Error{ErrorCode::invalid_argument, std::string(who) + ": " + std::string(what) + " has " +
                                                std::to_string(values) + " values, but the graph has " +
                                                std::to_string(graph.num_vertices()) + " vertices"};
}

Status check_pairs(std::size_t first, std::size_t second, std::string_view who) {
  if (first == second) return {};
  return Error{ErrorCode::invalid_argument, std::string(who) + ": there are " + std::to_string(first) +
                                                " first vertices of pairs, but " + std::to_string(second) +
                                                " second ones"};
}

Status check_changed(const GraphView& graph, std::span<const VertexId> changed, std::string_view who) {
  for (const VertexId v : changed) {
    if (v < graph.num_vertices()) continue;
    return Error{ErrorCode::invalid_argument,
                 std::string(who) + ": the changed vertex " + std::to_string(v) + " is not in the graph"};
  }
  return {};
}

Status check_32_bit_vertices(const GraphView& graph, std::string_view who) {
  constexpr VertexId kMost = 0xffff'fffe;
  if (graph.num_vertices() <= kMost) return {};
  return Error{ErrorCode::unsupported, std::string(who) + ": the graph has " + std::to_string(graph.num_vertices()) +
                                           " vertices, and this takes at most " + std::to_string(kMost)};
}

Error bad_weight(VertexId v, std::string_view who) {
  return {ErrorCode::invalid_argument,
          std::string(who) + ": an edge of vertex " + std::to_string(v) +
              " (internal id) has a negative or infinite weight, or NaN; correct it, or give weight=None"};
}

Error negative_weight(VertexId u, VertexId v, double weight, std::string_view who) {
  return {ErrorCode::invalid_argument, std::string(who) + ": edge " + std::to_string(u) + " -> " + std::to_string(v) +
                                           " (internal ids) has weight " + to_text(weight) +
                                           "; weights must be 0 or more"};
}

}  // namespace rizoma
