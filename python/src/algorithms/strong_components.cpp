// The binding of rizoma/algorithms/strong_components.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/strong_components.h>

namespace rizoma::python {

namespace {

Answer run_strong_components(PyEngine& engine, const GraphView& view, bool depth_first_order) {
  StrongComponentsResult result =
      engine.run([&](Engine& e) { return strong_components(e, view, {.depth_first_order = depth_first_order}); });
  Answer out;
  out["component"] = to_numpy(std::move(result.labels));
  out["count"] = result.count;
  out["resumed_after"] = result.resumed_after;
  return out;
}

}  // namespace

void bind_strong_components(nb::module_& module) {
  using namespace nb::literals;
  module.def("strong_components", &run_strong_components, "engine"_a, "view"_a, "depth_first_order"_a = false);
}

}  // namespace rizoma::python
