// The type of a graph's weights, for the code that draws by them.  Module: engine.
#pragma once

#include <rizoma/ids.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace rizoma {

/// Calls f(std::type_identity<Weight>) with the type that weights are stored in; void: there are none.
template <class F>
decltype(auto) with_stored_type(WeightType type, F&& f) {
  switch (type) {
    case WeightType::int32: return f(std::type_identity<std::int32_t>{});
    case WeightType::float32: return f(std::type_identity<float>{});
    case WeightType::float64: return f(std::type_identity<double>{});
    case WeightType::none: break;
  }
  return f(std::type_identity<void>{});
}

}  // namespace rizoma
