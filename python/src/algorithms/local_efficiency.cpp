// The binding of rizoma/algorithms/local_efficiency.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/local_efficiency.h>

namespace rizoma::python {

namespace {

Array<double> run_local_efficiency(PyEngine& engine, const GraphView& view) {
  return to_numpy(engine.run([&](Engine& e) { return local_efficiency(e, view); }));
}

}  // namespace

void bind_local_efficiency(nb::module_& module) {
  using namespace nb::literals;
  module.def("local_efficiency", &run_local_efficiency, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
