// The binding of rizoma/algorithms/neighborhood_edges.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/neighborhood_edges.h>

namespace rizoma::python {

namespace {

Answer run_neighborhood_edges(PyEngine& engine, const GraphView& view) {
  NeighborhoodEdges result = engine.run([&](Engine& e) { return neighborhood_edges(e, view); });
  Answer out;
  out["neighbors"] = to_numpy(std::move(result.neighbors));
  out["edges"] = to_numpy(std::move(result.edges));
  return out;
}

}  // namespace

void bind_neighborhood_edges(nb::module_& module) {
  using namespace nb::literals;
  module.def("neighborhood_edges", &run_neighborhood_edges, "engine"_a, "view"_a,
             "Of each vertex `neighbors`, and `edges` among them, an undirected one counted twice.");
}

}  // namespace rizoma::python
