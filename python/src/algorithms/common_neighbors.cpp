// The binding of rizoma/algorithms/common_neighbors.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/common_neighbors.h>

namespace rizoma::python {

namespace {

Answer run_common_neighbors(PyEngine& engine, const GraphView& view, const Input<VertexId>& us,
                            const Input<VertexId>& vs) {
  CommonNeighbors result = engine.run([&](Engine& e) { return common_neighbors(e, view, span_of(us), span_of(vs)); });
  Answer out;
  out["common"] = to_numpy(std::move(result.common));
  out["either"] = to_numpy(std::move(result.either));
  out["adamic_adar"] = to_numpy(std::move(result.adamic_adar));
  out["resource_allocation"] = to_numpy(std::move(result.resource_allocation));
  return out;
}

}  // namespace

void bind_common_neighbors(nb::module_& module) {
  using namespace nb::literals;
  module.def("common_neighbors", &run_common_neighbors, "engine"_a, "view"_a, "us"_a, "vs"_a,
             "Of each pair: `common` neighbours other than the two, `either` (size of the union), and two sums.");
}

}  // namespace rizoma::python
