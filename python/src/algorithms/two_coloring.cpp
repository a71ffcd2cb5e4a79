// The binding of rizoma/algorithms/two_coloring.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/two_coloring.h>

namespace rizoma::python {

namespace {

Answer run_two_coloring(PyEngine& engine, const GraphView& view) {
  TwoColoring result = engine.run([&](Engine& e) { return two_coloring(e, view); });
  Answer out;
  out["color"] = to_numpy(std::move(result.colors));
  out["bipartite"] = result.bipartite;
  return out;
}

}  // namespace

void bind_two_coloring(nb::module_& module) {
  using namespace nb::literals;
  module.def("two_coloring", &run_two_coloring, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
