// The binding of rizoma/algorithms/distance_sums.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/distance_sums.h>

namespace rizoma::python {

namespace {

Answer run_vertex_distance_sums(PyEngine& engine, const GraphView& view, const Input<VertexId>& sources) {
  VertexDistanceSums sums = engine.run([&](Engine& e) { return vertex_distance_sums(e, view, span_of(sources)); });
  Answer out;
  out["sources"] = to_numpy(std::move(sums.sources));
  out["reached"] = to_numpy(std::move(sums.reached));
  out["sum"] = to_numpy(std::move(sums.sums));
  out["harmonic"] = to_numpy(std::move(sums.harmonic));
  out["farthest"] = sums.farthest;
  return out;
}

}  // namespace

void bind_vertex_distance_sums(nb::module_& module) {
  using namespace nb::literals;
  module.def("vertex_distance_sums", &run_vertex_distance_sums, "engine"_a, "view"_a, "sources"_a,
             "For each vertex: how many of the `sources` have `reached` it, the `sum` of their distances, `harmonic`; "
             "`farthest`.");
}

}  // namespace rizoma::python
