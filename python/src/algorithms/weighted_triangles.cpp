// The binding of rizoma/algorithms/weighted_triangles.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/weighted_triangles.h>

namespace rizoma::python {

namespace {

Array<double> run_weighted_triangles(PyEngine& engine, const GraphView& view, bool use_weights) {
  return to_numpy(engine.run([&](Engine& e) { return weighted_triangles(e, view, use_weights); }));
}

}  // namespace

void bind_weighted_triangles(nb::module_& module) {
  using namespace nb::literals;
  module.def("weighted_triangles", &run_weighted_triangles, "engine"_a, "view"_a, "use_weights"_a = false,
             "Of each vertex the sum, over its triangles, of the product of the cube roots of the weights.");
}

}  // namespace rizoma::python
