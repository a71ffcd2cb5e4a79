// The binding of rizoma/algorithms/bellman_ford.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/bellman_ford.h>

namespace rizoma::python {

namespace {

Answer run_bellman_ford(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                        bool together, bool in_edges, bool heuristic) {
  const std::vector<VertexId> from = sources_of(view, sources);
  const BellmanFordOptions options{{direction_of(in_edges), together}, heuristic};
  BellmanFordResult result = engine.run([&](Engine& e) { return bellman_ford(e, view, from, options); });
  Answer out = answer_of(std::move(result.trees));
  if (result.negative_cycle == kNoVertex) {
    out["negative_cycle"] = nb::none();
  } else {
    out["negative_cycle"] = result.negative_cycle;
  }
  return out;
}

}  // namespace

void bind_bellman_ford(nb::module_& module) {
  using namespace nb::literals;
  module.def("bellman_ford", &run_bellman_ford, "engine"_a, "view"_a, "sources"_a = nb::none(), "together"_a = false,
             "in_edges"_a = false, "heuristic"_a = true, kSearchTrees);
}

}  // namespace rizoma::python
