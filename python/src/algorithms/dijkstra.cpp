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
                         bool in_turns, const DistanceBound* bound) {
  ShortestPath path =
      engine.run([&](Engine& e) { return shortest_path(e, view, source, target, {weighted, in_turns, bound}); });
  Answer out;
  out["vertices"] = to_numpy(std::move(path.vertices));
  out["length"] = path.length;
  out["settled"] = path.settled;
  return out;
}

DistanceBound make_distance_bound(PyEngine& engine, const GraphView& view, const Input<double>& points,
                                  unsigned dimensions, bool weighted, bool landmarks) {
  const std::span<const double> given = span_of(points);
  return engine.run([&](Engine& e) {
    return distance_bound(e, view, std::vector<double>(given.begin(), given.end()), dimensions, weighted, landmarks);
  });
}

}  // namespace

void bind_dijkstra(nb::module_& module) {
  using namespace nb::literals;
  module.def("dijkstra_trees", &run_dijkstra, "engine"_a, "view"_a, "sources"_a = nb::none(), "together"_a = false,
             "in_edges"_a = false, "cutoff"_a = std::numeric_limits<double>::infinity(), "target"_a = kNoVertex,
             kSearchTrees);
  nb::class_<DistanceBound>(module, "DistanceBound", "What coordinates say of the lengths of paths.")
      .def_ro("scale", &DistanceBound::scale, "An edge is at least this times as long as the straight line.");
  module.def("distance_bound", &make_distance_bound, "engine"_a, "view"_a, "points"_a, "dimensions"_a, "weighted"_a,
             "landmarks"_a = false, "`points`: `dimensions` coordinates a vertex, one vertex after the other.");
  module.def(
      "shortest_path", &run_shortest_path, "engine"_a, "view"_a, "source"_a, "target"_a, "weighted"_a,
      "in_turns"_a = false, "bound"_a = nb::none(),
      "`vertices` from the source to the target (none: there is no path), `length`, and the vertices `settled`.");
}

}  // namespace rizoma::python
