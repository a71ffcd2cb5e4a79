// The binding of rizoma/algorithms/core_numbers.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/core_numbers.h>

namespace rizoma::python {

namespace {

Answer run_core_numbers(PyEngine& engine, const GraphView& view) {
  CoreNumbersResult result = engine.run([&](Engine& e) { return core_numbers(e, view); });
  Answer out;
  out["core"] = to_numpy(std::move(result.cores));
  out["greatest"] = result.greatest;
  out["resumed_after"] = result.resumed_after;
  return out;
}

}  // namespace

void bind_core_numbers(nb::module_& module) {
  using namespace nb::literals;
  module.def("core_numbers", &run_core_numbers, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
