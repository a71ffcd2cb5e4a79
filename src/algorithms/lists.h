// Ways to the lists of a graph that kernels share: by direction, with weights of any type, and checked
// sources.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rizoma {

/// An Error unless the lists of that direction are there.
inline Status check_direction(const GraphView& graph, Direction direction, std::string_view who) {
  if (direction == Direction::out || graph.has_in_edges()) return {};
  return Error{ErrorCode::unsupported, std::string(who) + ": the graph stores no in-edges; open it with in_edges=True"};
}

/// Calls f(target, weight) for each entry of v, in the order of its list; weight 1 if there are none.
template <class Target, class F>
void for_each_edge(const Adjacency<Target>& lists, WeightType type, VertexId v, F&& f) {
  const std::span<const Target> targets = lists.neighbors(v);
  const auto walk = [&](const auto& weights) {
    for (std::size_t i = 0; i < targets.size(); ++i) f(targets[i], static_cast<double>(weights[i]));
  };
  switch (type) {
    case WeightType::int32: return walk(lists.template weights<std::int32_t>(v));
    case WeightType::float32: return walk(lists.template weights<float>(v));
    case WeightType::float64: return walk(lists.template weights<double>(v));
    case WeightType::none: break;
  }
  for (const Target target : targets) f(target, 1.0);
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
