// Kernels that look at the neighbourhoods of vertices: cores, triangles, products.
#include "kernels.h"

#include <rizoma/algorithms/core_numbers.h>
#include <rizoma/algorithms/multiply.h>

namespace rizoma::python {

namespace {

Answer run_core_numbers(PyEngine& engine, const GraphView& view) {
  CoreNumbersResult result = engine.run([&](Engine& e) { return core_numbers(e, view); });
  Answer out;
  out["core"] = to_numpy(std::move(result.cores));
  out["greatest"] = result.greatest;
  return out;
}

Array<double> run_multiply(PyEngine& engine, const GraphView& view, const Input<double>& x, bool transpose, bool use_weights) {
  return to_numpy(engine.run([&](Engine& e) { return multiply(e, view, span_of(x), {transpose, use_weights}); }));
}

}  // namespace

void bind_structure_kernels(nb::module_& module) {
  using namespace nb::literals;
  module.def("core_numbers", &run_core_numbers, "engine"_a, "view"_a);
  module.def("multiply", &run_multiply, "engine"_a, "view"_a, "x"_a, "transpose"_a = false, "use_weights"_a = false);
}

}  // namespace rizoma::python
