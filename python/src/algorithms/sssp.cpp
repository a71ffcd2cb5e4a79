// The binding of rizoma/algorithms/sssp.h.
#include "../kernels.h"
#include "../lazy_column.h"

#include <rizoma/algorithms/sssp.h>

namespace rizoma::python {

namespace {

Answer run_sssp(PyEngine& engine, const GraphView& view, VertexId source, double delta) {
  SsspResult result = engine.run([&](Engine& e) -> Result<SsspResult> {
    RIZOMA_ASSIGN(SsspResult found, sssp(e, view, source, {.delta = delta}));
    if (e.ranks() != nullptr) RIZOMA_TRY(bring_whole(*e.ranks(), engine.answers_to(), found.distances.all()));
    return found;
  });
  Answer out;
  out["distance"] = LazyColumn(std::move(result.distances));
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
