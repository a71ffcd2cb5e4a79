#include "store/sections/weight_rules.h"

#include "base/text.h"

#include <string>

namespace rizoma {

Error refused_weight(WeightType type, double weight, std::uint64_t edge) {
  std::string why = "is too large for float32 weights; create the graph with weights=\"float64\"";
  if (type == WeightType::int32) {
    why = weight == std::trunc(weight) ? "does not fit an int32" : "is not an integer, but the graph has int32 weights";
    why += "; create the graph with weights=\"float64\"";
  }
  if (std::isnan(weight)) why = "is not a number; leave the edge out, or give it a weight";
  if (std::isinf(weight)) why = "is not finite; leave the edge out, or give it a large weight";
  return {ErrorCode::invalid_argument,
          "edge " + std::to_string(edge) + " (counted from 0) has the weight " + to_text(weight) + ", which " + why};
}

}  // namespace rizoma
