// The binding of rizoma/algorithms/greedy_coloring.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/greedy_coloring.h>

namespace rizoma::python {

namespace {

Answer run_greedy_coloring(PyEngine& engine, const GraphView& view, const Input<VertexId>& order) {
  GreedyColoring result = engine.run([&](Engine& e) { return greedy_coloring(e, view, span_of(order)); });
  Answer out;
  out["color"] = to_numpy(std::move(result.colors));
  out["count"] = result.count;
  return out;
}

}  // namespace

void bind_greedy_coloring(nb::module_& module) {
  using namespace nb::literals;
  module.def("greedy_coloring", &run_greedy_coloring, "engine"_a, "view"_a, "order"_a);
}

}  // namespace rizoma::python
