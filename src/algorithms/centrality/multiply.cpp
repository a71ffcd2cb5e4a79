#include <rizoma/algorithms/multiply.h>

#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

namespace rizoma {

Result<VertexMap<double>> multiply(Engine& engine, const GraphView& graph, std::span<const double> x,
                                   const MultiplyOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "multiply"));
  const Direction direction = options.transpose ? Direction::in : Direction::out;
  RIZOMA_TRY(check_direction(graph, direction, "multiply"));
  if (x.size() != graph.num_vertices()) {
    return Error{ErrorCode::invalid_argument, "multiply: x has " + std::to_string(x.size()) +
                                                  " values, but the graph has " + std::to_string(graph.num_vertices()) +
                                                  " vertices"};
  }
  RIZOMA_TRY(engine.report("multiply", 0, 1));
  auto y = engine.make_map<double>(graph.num_vertices(), 0);
  const auto sum_up = [&](VertexId v, const auto& entries, unsigned) { y[v] = sum_messages(entries); };
  if (options.use_weights) {
    RIZOMA_TRY(gather<true>(engine, graph, {direction}, x.data(), sum_up));
  } else {
    RIZOMA_TRY(gather(engine, graph, {direction}, x.data(), sum_up));
  }
  return y;
}

}  // namespace rizoma
