// The binding of rizoma/algorithms/distance_sums.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/distance_sums.h>

namespace rizoma::python {

namespace {

Answer run_distance_sums(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                         bool in_edges) {
  const std::vector<VertexId> from = sources_of(view, sources);
  DistanceSums sums = engine.run([&](Engine& e) { return distance_sums(e, view, from, direction_of(in_edges)); });
  Answer out;
  out["sources"] = to_numpy(std::move(sums.sources));
  out["reached"] = to_numpy(std::move(sums.reached));
  out["sum"] = to_numpy(std::move(sums.sums));
  out["harmonic"] = to_numpy(std::move(sums.harmonic));
  out["eccentricity"] = to_numpy(std::move(sums.eccentricity));
  return out;
}

}  // namespace

void bind_distance_sums(nb::module_& module) {
  using namespace nb::literals;
  module.def("distance_sums", &run_distance_sums, "engine"_a, "view"_a, "sources"_a = nb::none(), "in_edges"_a = false,
             "For each of the `sources`: `reached` (with itself), `sum` of distances, `harmonic`, `eccentricity`.");
}

}  // namespace rizoma::python
