// The shares of its score that a vertex passes on along its out-edges, by weight.
#pragma once

#include <rizoma/engine.h>

#include <string_view>

namespace rizoma {

/// An edge of weight w from v has the share w * unit / of_vertex[v].
template <class Number>
struct OutDegrees {
  VertexMap<Number> of_vertex;  ///< sums of the weights of out-edges, in the unit; -1 in place of 0
  VertexId none = 0;            ///< vertices whose sum is 0
  double unit = 1;              ///< a power of two
};

/// Weights are taken as they are if every sum is far from the ends of the range of numbers, and in the
/// unit of the largest else.  Errors: invalid_argument (negative or infinite weights, NaN, or weights that lie too far
/// apart to be added), cancelled.
Result<OutDegrees<double>> transition_weights(Engine& engine, const GraphView& graph, std::string_view who);

}  // namespace rizoma
