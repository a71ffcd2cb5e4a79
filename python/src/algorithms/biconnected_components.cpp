// The binding of rizoma/algorithms/biconnected_components.h.
#include "../kernels.h"

#include <rizoma/algorithms/biconnected_components.h>

namespace rizoma::python {

namespace {

Answer run_biconnected_components(PyEngine& engine, const GraphView& view) {
  BiconnectedComponents result = engine.run([&](Engine& e) { return biconnected_components(e, view); });
  Answer out;
  out["offsets"] = to_numpy(std::move(result.offsets));
  out["source"] = to_numpy(std::move(result.sources));
  out["target"] = to_numpy(std::move(result.targets));
  out["articulation_points"] = to_numpy(std::move(result.articulation_points));
  return out;
}

}  // namespace

void bind_biconnected_components(nb::module_& module) {
  using namespace nb::literals;
  module.def("biconnected_components", &run_biconnected_components, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
