// The binding of rizoma/algorithms/depth_first_forest.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/depth_first_forest.h>

namespace rizoma::python {

namespace {

Answer run_depth_first(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& roots,
                       bool in_edges, std::int64_t depth_limit) {
  const std::vector<VertexId> from = sources_of(view, roots);
  DepthFirstForest forest =
      engine.run([&](Engine& e) { return depth_first_forest(e, view, from, {direction_of(in_edges), depth_limit}); });
  Answer out = answer_of(std::move(forest.visits));
  out["left"] = to_numpy(std::move(forest.left));
  return out;
}

}  // namespace

void bind_depth_first_forest(nb::module_& module) {
  using namespace nb::literals;
  module.def("depth_first_forest", &run_depth_first, "engine"_a, "view"_a, "roots"_a = nb::none(), "in_edges"_a = false,
             "depth_limit"_a = -1, "One tree for each root not visited before; `left` is the postorder.");
}

}  // namespace rizoma::python
