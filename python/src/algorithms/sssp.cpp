// The binding of rizoma/algorithms/sssp.h.
#include "../kernels.h"

#include <rizoma/algorithms/sssp.h>

namespace rizoma::python {

namespace {

Answer run_sssp(PyEngine& engine, const GraphView& view, VertexId source, double delta) {
  SsspResult result = engine.run([&](Engine& e) {
    return whole(e, engine.answers_to(), sssp(e, view, source, {.delta = delta}), &SsspResult::distances);
  });
  Answer out;
  out["distance"] = to_numpy(std::move(result.distances));
  out["reached"] = result.reached;
  out["delta"] = result.delta;
  return out;
}

}  // namespace

void bind_sssp(nb::module_& module) {
  using namespace nb::literals;
  module.def("sssp", &run_sssp, "engine"_a, "view"_a, "source"_a, "delta"_a = 0.0);
}

}  // namespace rizoma::python
