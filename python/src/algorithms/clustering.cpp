// The binding of rizoma/algorithms/clustering.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/clustering.h>

namespace rizoma::python {

namespace {

Answer run_clustering(PyEngine& engine, const GraphView& view) {
  ClusteringResult result = engine.run([&](Engine& e) { return clustering(e, view); });
  Answer out;
  out["coefficient"] = to_numpy(std::move(result.coefficients));
  out["average"] = result.average;
  return out;
}

}  // namespace

void bind_clustering(nb::module_& module) {
  using namespace nb::literals;
  module.def("clustering", &run_clustering, "engine"_a, "view"_a, "Needs sorted lists.");
}

}  // namespace rizoma::python
