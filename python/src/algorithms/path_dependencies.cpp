// The binding of rizoma/algorithms/path_dependencies.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/path_dependencies.h>

namespace rizoma::python {

namespace {

Answer run_path_dependencies(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                             bool weighted, bool edges, bool endpoints) {
  const std::vector<VertexId> from = sources_of(view, sources);
  PathDependencies sums =
      engine.run([&](Engine& e) { return path_dependencies(e, view, from, {weighted, edges, endpoints}); });
  Answer out;
  out["vertices"] = to_numpy(std::move(sums.vertices));
  out["edges"] = to_numpy(std::move(sums.edges));
  return out;
}

}  // namespace

void bind_path_dependencies(nb::module_& module) {
  using namespace nb::literals;
  module.def("path_dependencies", &run_path_dependencies, "engine"_a, "view"_a, "sources"_a = nb::none(),
             "weighted"_a = false, "edges"_a = false, "endpoints"_a = false,
             "Unscaled; `edges` by entry: an undirected edge has the sum of its two.");
}

}  // namespace rizoma::python
