// The binding of rizoma/algorithms/breadth_first_trees.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/breadth_first_trees.h>

namespace rizoma::python {

namespace {

Answer run_breadth_first(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                         bool together, bool in_edges, std::int64_t max_depth, VertexId target) {
  const std::vector<VertexId> from = sources_of(view, sources);
  const BreadthFirstOptions options{{direction_of(in_edges), together, target}, max_depth};
  return answer_of(engine.run([&](Engine& e) { return breadth_first_trees(e, view, from, options); }));
}

}  // namespace

void bind_breadth_first_trees(nb::module_& module) {
  using namespace nb::literals;
  module.def("breadth_first_trees", &run_breadth_first, "engine"_a, "view"_a, "sources"_a = nb::none(),
             "together"_a = false, "in_edges"_a = false, "max_depth"_a = -1, "target"_a = kNoVertex, kSearchTrees);
}

}  // namespace rizoma::python
