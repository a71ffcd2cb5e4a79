// The binding of rizoma/algorithms/sssp.h.
#include "../bind_kernels.h"
#include "../lazy_column.h"

#include <rizoma/algorithms/sssp.h>

namespace rizoma::python {

namespace {

Answer answer(SsspResult result) {
  Answer out;
  out["distance"] = LazyColumn(std::move(result.distances));
  out["reached"] = result.reached;
  out["delta"] = result.delta;
  out["resumed_after"] = result.resumed_after;
  return out;
}

Answer run_sssp(PyEngine& engine, const GraphView& view, VertexId source, double delta) {
  return answer(engine.run([&](Engine& e) { return sssp(e, view, source, {delta}); }));
}

Answer run_from_several(PyEngine& engine, const GraphView& view, const Input<VertexId>& sources, double delta) {
  return answer(engine.run([&](Engine& e) { return sssp(e, view, span_of(sources), {delta}); }));
}

Array<std::int64_t> run_path_parents(PyEngine& engine, const GraphView& view, const Input<double>& distances,
                                     const Input<VertexId>& sources, bool weighted) {
  return to_numpy(
      engine.run([&](Engine& e) { return path_parents(e, view, span_of(distances), span_of(sources), weighted); }));
}

}  // namespace

void bind_sssp(nb::module_& module) {
  using namespace nb::literals;
  module.def("sssp", &run_sssp, "engine"_a, "view"_a, "source"_a, "delta"_a = 0.0);
  module.def("sssp", &run_from_several, "engine"_a, "view"_a, "sources"_a, "delta"_a = 0.0,
             nb::sig("def sssp(engine: Engine, view: View, sources: NDArray[numpy.uint64], delta: float = 0.0) -> "
                     "dict[str, Any]"));
  module.def("path_parents", &run_path_parents, "engine"_a, "view"_a, "distances"_a, "sources"_a, "weighted"_a,
             nb::sig("def path_parents(engine: Engine, view: View, distances: NDArray[numpy.float64], sources: "
                     "NDArray[numpy.uint64], weighted: bool) -> NDArray[numpy.int64]"),
             "The vertex before each on a shortest path; a source is its own, -1: not reached.");
}

}  // namespace rizoma::python
