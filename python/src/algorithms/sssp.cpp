// The binding of rizoma/algorithms/sssp.h.
#include "../bind_kernels.h"
#include "../lazy_column.h"

#include <rizoma/algorithms/sssp.h>

namespace rizoma::python {

namespace {

Answer run_sssp(PyEngine& engine, const GraphView& view, VertexId source, double delta) {
  SsspResult result = engine.run([&](Engine& e) { return sssp(e, view, source, {delta}); });
  Answer out;
  out["distance"] = LazyColumn(std::move(result.distances));
  out["reached"] = result.reached;
  out["delta"] = result.delta;
  out["resumed_after"] = result.resumed_after;
  return out;
}

}  // namespace

void bind_sssp(nb::module_& module) {
  using namespace nb::literals;
  module.def("sssp", &run_sssp, "engine"_a, "view"_a, "source"_a, "delta"_a = 0.0);
}

}  // namespace rizoma::python
