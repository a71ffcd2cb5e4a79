// The sum of values of vertices, such as a personalization or weights.
#pragma once

#include <rizoma/engine.h>

#include "engine/loop/kernel_arguments.h"

#include <cmath>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {

/// The sum of the values of live vertices; 0 if no values are given.  Errors: invalid_argument unless there is one for
/// each vertex, finite and 0 or more, and the sum is positive and finite.
inline Result<double> checked_sum(const GraphView& graph, std::span<const double> values, std::string_view name,
                                  std::string_view who) {
  const auto refuse = [&](const std::string& what) {
    return Error{ErrorCode::invalid_argument, std::string(who) + ": " + std::string(name) + what};
  };
  if (values.empty()) return 0.0;
  RIZOMA_TRY(check_one_each(graph, values.size(), name, who));
  double sum = 0;
  for (VertexId v = 0; v < values.size(); ++v) {
    if (!(values[v] >= 0) || std::isinf(values[v]))
      return refuse(" of vertex " + std::to_string(v) + " (internal id) is not a finite number >= 0");
    if (graph.is_live(v)) sum += values[v];
  }
  if (!(sum > 0) || std::isinf(sum)) return refuse(" must have a positive, finite sum");
  return sum;
}

}  // namespace rizoma
