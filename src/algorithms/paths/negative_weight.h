// What a search says about a weight that is below 0 or NaN.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

namespace rizoma {
Error negative_weight(std::string_view who, VertexId u, VertexId v, double weight);
}
