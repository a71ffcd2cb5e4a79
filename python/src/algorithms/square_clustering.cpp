// The binding of rizoma/algorithms/square_clustering.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/square_clustering.h>

namespace rizoma::python {

namespace {

Array<double> run_square_clustering(PyEngine& engine, const GraphView& view) {
  return to_numpy(engine.run([&](Engine& e) { return square_clustering(e, view); }));
}

}  // namespace

void bind_square_clustering(nb::module_& module) {
  using namespace nb::literals;
  module.def("square_clustering", &run_square_clustering, "engine"_a, "view"_a);
}

}  // namespace rizoma::python
