// What vertices divide their messages by, so that each passes on shares of one value along its out-edges.
#pragma once

#include <rizoma/engine.h>

#include <string_view>

namespace rizoma {

/// An edge of weight w from v has the share w * unit / of_vertex[v].
template <class Number>
struct OutDegrees {
  VertexMap<Number> of_vertex;  ///< out-degrees, or sums of the weights of out-edges in the unit; -1 in place of 0
  double unit = 1;              ///< a power of two
};

/// kWeighted: by the weights, which are taken as they are if every sum is far from the ends of the range of numbers,
/// and in the unit of the largest else; otherwise every edge weighs 1.  Instances: float and double; double by weights.
/// Errors: invalid_argument (no weights, negative or infinite ones, NaN, or weights that lie too far apart to be
/// added), cancelled.
template <class Number, bool kWeighted>
Result<OutDegrees<Number>> out_degrees(Engine& engine, const GraphView& graph, std::string_view who);

}  // namespace rizoma
