// What a vertex passes on along its out-edges: shares of one, by weight.
#pragma once

#include <rizoma/engine.h>

#include <string_view>

namespace rizoma {

/// An edge of weight w from v has the share w * unit * of_vertex[v].
struct OutShares {
  VertexMap<double> of_vertex;  ///< 1 / the sum of the weights in the unit; 0 where that is 0
  double unit = 1;              ///< a power of two
};

/// Weights are taken as they are if every sum and its inverse are far from the ends of the range of numbers, and in the
/// unit of the greatest else.  Errors: invalid_argument (negative or infinite weights, NaN, or weights that lie too far
/// apart to be added), cancelled.
Result<OutShares> out_shares(Engine& engine, const GraphView& graph, std::string_view who);

}  // namespace rizoma
