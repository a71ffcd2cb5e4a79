#include <rizoma/algorithms/multiply.h>

#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

namespace rizoma {

Result<VertexMap<double>> multiply(Engine& engine, const GraphView& graph, std::span<const double> x,
                                   const MultiplyOptions& options) {
  RIZOMA_TRY(single_process_only(engine, "multiply"));
  const Direction direction = options.transpose ? Direction::in : Direction::out;
  RIZOMA_TRY(check_direction(graph, direction, "multiply"));
  RIZOMA_TRY(check_one_each(graph, x.size(), "x", "multiply"));
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
