// The binding of rizoma/algorithms/topological_order.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/topological_order.h>

namespace rizoma::python {

namespace {

Answer run_topological_order(PyEngine& engine, const GraphView& view) {
  TopologicalOrder result = engine.run([&](Engine& e) { return topological_order(e, view); });
  Answer out;
  out["order"] = to_numpy(std::move(result.order));
  out["offsets"] = to_numpy(std::move(result.offsets));
  out["acyclic"] = result.acyclic;
  return out;
}

}  // namespace

void bind_topological_order(nb::module_& module) {
  using namespace nb::literals;
  module.def("topological_order", &run_topological_order, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
