// Checks of the arguments that kernels share, and a watch over serial loops.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {

/// Errors: unsupported if the graph does not store the lists of that direction.
inline Status check_direction(const GraphView& graph, Direction direction, std::string_view who) {
  if (direction == Direction::out || graph.has_in_edges()) return {};
  return Error{ErrorCode::unsupported,
               std::string(who) + ": the graph stores no in-edges; create it with in_edges=True"};
}

/// Errors: unsupported if the graph is directed.
inline Status check_undirected(const GraphView& graph, std::string_view who) {
  if (!graph.directed()) return {};
  return Error{ErrorCode::unsupported,
               std::string(who) + ": the graph is directed; give an undirected one, such as g.undirected()"};
}

/// The error of a weight that a kernel cannot use: negative, infinite or NaN.
inline Error bad_weight(VertexId v, std::string_view who) {
  return {ErrorCode::invalid_argument,
          std::string(who) + ": an edge of vertex " + std::to_string(v) +
              " (internal id) has a negative or infinite weight, or NaN; correct it, or leave weight= out"};
}

/// Errors: invalid_argument if the source is not a vertex of the graph.
inline Status check_source(const GraphView& graph, VertexId source, std::string_view who) {
  if (source < graph.num_vertices() && graph.is_live(source)) return {};
  return Error{ErrorCode::invalid_argument,
               std::string(who) + ": source " + std::to_string(source) + " is not a vertex of the graph"};
}

/// Errors: invalid_argument if one of the sources is not a vertex of the graph.
inline Status check_sources(const GraphView& graph, std::span<const VertexId> sources, std::string_view who) {
  for (const VertexId s : sources) {
    RIZOMA_TRY(check_source(graph, s, who));
  }
  return {};
}

/// Lets a serial loop be watched and stopped: it calls step() once for each vertex.
class SerialWatch {
 public:
  SerialWatch(Engine& engine, std::string_view phase, VertexId total) : engine_(engine), phase_(phase), total_(total) {}

  Status step() {
    if (done_++ % kEvery != 0) return {};
    return engine_.report(phase_, static_cast<double>(done_ - 1), static_cast<double>(total_));
  }

 private:
  static constexpr VertexId kEvery = 1 << 13;
  Engine& engine_;
  std::string_view phase_;
  VertexId total_;
  VertexId done_ = 0;
};

}  // namespace rizoma
