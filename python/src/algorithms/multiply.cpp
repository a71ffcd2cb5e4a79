// The binding of rizoma/algorithms/multiply.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/multiply.h>

namespace rizoma::python {

namespace {

Array<double> run_multiply(PyEngine& engine, const GraphView& view, const Input<double>& x, bool transpose,
                           bool use_weights) {
  return to_numpy(engine.run([&](Engine& e) { return multiply(e, view, span_of(x), {transpose, use_weights}); }));
}

}  // namespace

void bind_multiply(nb::module_& module) {
  using namespace nb::literals;
  module.def("multiply", &run_multiply, "engine"_a, "view"_a, "x"_a, "transpose"_a = false, "use_weights"_a = false);
}

}  // namespace rizoma::python
