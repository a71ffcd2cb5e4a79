// The binding of rizoma/algorithms/spanning_forest.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/spanning_forest.h>

namespace rizoma::python {

namespace {

Answer run_spanning_forest(PyEngine& engine, const GraphView& view, bool maximum) {
  SpanningForest forest = engine.run([&](Engine& e) { return spanning_forest(e, view, maximum); });
  Answer out;
  out["source"] = to_numpy(std::move(forest.sources));
  out["target"] = to_numpy(std::move(forest.targets));
  out["weight"] = to_numpy(std::move(forest.weights));
  out["entry"] = to_numpy(std::move(forest.entries));
  return out;
}

}  // namespace

void bind_spanning_forest(nb::module_& module) {
  using namespace nb::literals;
  module.def("spanning_forest", &run_spanning_forest, "engine"_a, "view"_a, "maximum"_a = false,
             "Kruskal's edges in the order of choice; `entry`: number of the entry source -> target.");
}

}  // namespace rizoma::python
