// The binding of rizoma/algorithms/leiden.h.
#include "../bind_communities.h"

#include <rizoma/algorithms/leiden.h>

namespace rizoma::python {

namespace {

Answer run_leiden(PyEngine& engine, const GraphView& view, double resolution, double threshold, int max_levels,
                  std::uint64_t seed, bool use_weights, const std::optional<Input<std::uint64_t>>& start,
                  const std::optional<Input<VertexId>>& changed, int iterations, const std::string& objective,
                  const std::optional<Input<double>>& sizes, const std::optional<Input<VertexId>>& fixed) {
  return find_communities(leiden, engine, view, resolution, threshold, max_levels, seed, use_weights, start, changed,
                          iterations, objective, sizes, fixed);
}

}  // namespace

void bind_leiden(nb::module_& module) {
  using namespace nb::literals;
  module.def("leiden", &run_leiden, "engine"_a, "view"_a, "resolution"_a = 1.0, "threshold"_a = 1e-7,
             "max_levels"_a = -1, "seed"_a = 1, "use_weights"_a = true, "start"_a = nb::none(),
             "changed"_a = nb::none(), "iterations"_a = 1, "objective"_a = "modularity", "sizes"_a = nb::none(),
             "fixed"_a = nb::none());
}

}  // namespace rizoma::python
