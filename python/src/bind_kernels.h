// What the bindings of algorithms share: their answers, and the arrays they take.  The binding of ALGORITHM is
// algorithms/ALGORITHM.cpp, which defines bind_ALGORITHM(module); the build finds it by its name.
#pragma once

#include "bindings.h"
#include "bind_engine.h"

#include <nanobind/stl/optional.h>
#include <rizoma/graph.h>
#include <rizoma/graph_view.h>
#include <rizoma/algorithms/breadth_first_trees.h>

#include <optional>
#include <span>
#include <vector>

namespace rizoma::python {

/// Columns as NumPy arrays over the kernel's own memory, and figures.
using Answer = nb::typed<nb::dict, nb::str, nb::any>;

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Input<T>& array) {
  return {array.data(), array.shape(0)};
}
template <class T>
std::span<const T> span_of(const std::optional<Input<T>>& array) {
  return array ? span_of(*array) : std::span<const T>();
}

/// The sources given; None: every live vertex.
inline std::vector<VertexId> sources_of(const GraphView& view, const std::optional<Input<VertexId>>& sources) {
  if (sources) return {sources->data(), sources->data() + sources->shape(0)};
  std::vector<VertexId> all;
  for (VertexId v = 0; v < view.num_vertices(); ++v) {
    if (view.is_live(v)) all.push_back(v);
  }
  return all;
}

/// External ids that are integers, by internal id; none if they are strings.
Result<std::vector<std::int64_t>> ids_by_number(const Snapshot& snapshot, Executor& executor);

/// The answer of searches from given sources, column by column.
template <class Length>
Answer answer_of(SearchTrees<Length>&& trees) {
  Answer out;
  out["offsets"] = to_numpy(std::move(trees.offsets));
  out["order"] = to_numpy(std::move(trees.order));
  out["distance"] = to_numpy(std::move(trees.distances));
  out["parent"] = to_numpy(std::move(trees.parents));
  return out;
}

/// Documents the result of `answer_of` for search trees.
inline constexpr const char* kSearchTrees =
    "Columns `order`, `distance`, `parent` of all searches; search i has [offsets[i], offsets[i+1]).  A source's "
    "parent is 2^64 - 1.";

inline Direction direction_of(bool in_edges) { return in_edges ? Direction::in : Direction::out; }

}  // namespace rizoma::python
