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

Error bad_weight(VertexId v, std::string_view who) {
  return {ErrorCode::invalid_argument,
          std::string(who) + ": an edge of vertex " + std::to_string(v) +
              " (internal id) has a negative or infinite weight, or NaN; correct it, or leave weight= out"};
}

Error negative_weight(VertexId u, VertexId v, double weight, std::string_view who) {
  return {ErrorCode::invalid_argument, std::string(who) + ": edge " + std::to_string(u) + " -> " + std::to_string(v) +
                                           " (internal ids) has weight " + to_text(weight) +
                                           "; weights must be 0 or more"};
}

}  // namespace rizoma
