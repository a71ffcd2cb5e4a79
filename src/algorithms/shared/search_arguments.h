// What kernels share that search: checked directions and sources, and a watch over serial loops.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {

/// An Error unless the lists of that direction are there.
inline Status check_direction(const GraphView& graph, Direction direction, std::string_view who) {
  if (direction == Direction::out || graph.has_in_edges()) return {};
  return Error{ErrorCode::unsupported, std::string(who) + ": the graph stores no in-edges; open it with in_edges=True"};
}

/// An Error if one of the sources is not a vertex of the graph.
inline Status check_sources(const GraphView& graph, std::span<const VertexId> sources, std::string_view who) {
  for (const VertexId s : sources) {
    if (s >= graph.num_vertices() || !graph.is_live(s)) {
      return Error{ErrorCode::invalid_argument,
                   std::string(who) + ": source " + std::to_string(s) + " is not a vertex of the graph"};
    }
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
