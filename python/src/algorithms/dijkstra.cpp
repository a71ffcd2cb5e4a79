// The binding of rizoma/algorithms/dijkstra.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/dijkstra.h>

#include <limits>

namespace rizoma::python {

namespace {

Answer run_dijkstra(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                    bool together, bool in_edges, double cutoff, VertexId target) {
  const std::vector<VertexId> from = sources_of(view, sources);
  const DijkstraOptions options{{direction_of(in_edges), together, target}, cutoff};
  return answer_of(engine.run([&](Engine& e) { return dijkstra_trees(e, view, from, options); }));
}

}  // namespace

void bind_dijkstra(nb::module_& module) {
  using namespace nb::literals;
  module.def("dijkstra_trees", &run_dijkstra, "engine"_a, "view"_a, "sources"_a = nb::none(), "together"_a = false,
             "in_edges"_a = false, "cutoff"_a = std::numeric_limits<double>::infinity(), "target"_a = kNoVertex,
             kSearchTrees);
}

}  // namespace rizoma::python
