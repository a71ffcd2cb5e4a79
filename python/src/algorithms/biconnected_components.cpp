// The binding of rizoma/algorithms/biconnected_components.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/biconnected_components.h>

namespace rizoma::python {

namespace {

Answer run_biconnected_components(PyEngine& engine, const GraphView& view, bool depth_first_order) {
  BiconnectedComponents result =
      engine.run([&](Engine& e) { return biconnected_components(e, view, {.depth_first_order = depth_first_order}); });
  Answer out;
  out["offsets"] = to_numpy(std::move(result.offsets));
  out["source"] = to_numpy(std::move(result.sources));
  out["target"] = to_numpy(std::move(result.targets));
  out["articulation_points"] = to_numpy(std::move(result.articulation_points));
  return out;
}

Answer run_cut_elements(PyEngine& engine, const GraphView& view) {
  CutElements result = engine.run([&](Engine& e) { return cut_elements(e, view); });
  Answer out;
  out["biconnected_components"] = result.biconnected_components;
  out["connected_components"] = result.connected_components;
  out["articulation_points"] = to_numpy(std::move(result.articulation_points));
  out["source"] = to_numpy(std::move(result.bridge_sources));
  out["target"] = to_numpy(std::move(result.bridge_targets));
  return out;
}

}  // namespace

void bind_biconnected_components(nb::module_& module) {
  using namespace nb::literals;
  module.def("biconnected_components", &run_biconnected_components, "engine"_a, "view"_a,
             "depth_first_order"_a = false);
  module.def("cut_elements", &run_cut_elements, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
