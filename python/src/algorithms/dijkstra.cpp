// The binding of rizoma/algorithms/dijkstra.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/dijkstra.h>

#include <limits>
#include <utility>

namespace rizoma::python {

namespace {

Answer run_dijkstra(PyEngine& engine, const GraphView& view, const std::optional<Input<VertexId>>& sources,
                    bool together, bool in_edges, double cutoff, VertexId target) {
  const std::vector<VertexId> from = sources_of(view, sources);
  const DijkstraOptions options{{direction_of(in_edges), together, target}, cutoff};
  return answer_of(engine.run([&](Engine& e) { return dijkstra_trees(e, view, from, options); }));
}

Answer run_shortest_path(PyEngine& engine, const GraphView& view, VertexId source, VertexId target, bool weighted,
                         bool in_turns) {
  ShortestPath path =
      engine.run([&](Engine& e) { return shortest_path(e, view, source, target, {weighted, in_turns}); });
  Answer out;
  out["vertices"] = to_numpy(std::move(path.vertices));
  out["length"] = path.length;
  out["settled"] = path.settled;
  return out;
}

}  // namespace

void bind_dijkstra(nb::module_& module) {
  using namespace nb::literals;
  module.def("dijkstra_trees", &run_dijkstra, "engine"_a, "view"_a, "sources"_a = nb::none(), "together"_a = false,
             "in_edges"_a = false, "cutoff"_a = std::numeric_limits<double>::infinity(), "target"_a = kNoVertex,
             kSearchTrees);
  module.def(
      "shortest_path", &run_shortest_path, "engine"_a, "view"_a, "source"_a, "target"_a, "weighted"_a,
      "in_turns"_a = false,
      "`vertices` from the source to the target (none: there is no path), `length`, and the vertices `settled`.");
}

}  // namespace rizoma::python
