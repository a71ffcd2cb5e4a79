#include <rizoma/algorithms/multiply.h>

#include "algorithms/lists.h"

namespace rizoma {

Result<VertexMap<double>> multiply(Engine& engine, const GraphView& graph, std::span<const double> x,
                                   const MultiplyOptions& options) {
  const Direction direction = options.transpose ? Direction::in : Direction::out;
  RIZOMA_TRY(check_direction(graph, direction, "multiply"));
  if (x.size() != graph.num_vertices()) {
    return Error{ErrorCode::invalid_argument, "multiply: x has " + std::to_string(x.size()) +
                                                  " values, the graph has " + std::to_string(graph.num_vertices()) +
                                                  " vertices"};
  }
  const WeightType type = options.use_weights ? graph.weight_type() : WeightType::none;
  auto y = engine.make_map<double>(graph.num_vertices(), 0);
  RIZOMA_TRY(with_lists(graph, direction, [&](const auto& lists) {
    return engine.for_edges(graph, direction, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        double sum = 0;
        for_each_edge(lists, type, v, [&](auto w, double weight) { sum += weight * x[w]; });
        y[v] = sum;
      }
    });
  }));
  return y;
}

}  // namespace rizoma
