// The binding of rizoma/algorithms/sssp.h.
#include "../bind_kernels.h"
#include "../lazy_column.h"

#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/sssp.h>

#include <limits>
#include <memory>
#include <utility>

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

/// Where each edge has length 1, a breadth-first search finds the same; on ranks each process converts what it has.
Result<SsspResult> find_paths(Engine& engine, const GraphView& view, const SearchSources& from, double delta,
                              bool unit_lengths) {
  if (!unit_lengths) return sssp(engine, view, from, {delta});
  auto found = bfs(engine, view, from);
  if (!found) return found.error();
  found->parents = {};
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const std::shared_ptr<const VertexSet> reached = found->levels.reached();
  const std::int32_t* const levels = found->levels.values().data();
  VertexMap<double> distances = engine.make_unset_map<double>(view.num_vertices());
  const auto copy = [&](VertexId v) { distances[v] = levels[v] < 0 ? kFar : levels[v]; };
  const Status copied = engine.for_blocks(view.num_vertices(), 1 << 14, [&](VertexRange block, unsigned) {
    if (reached != nullptr) return reached->for_each(block, copy);
    for (VertexId v = block.begin; v < block.end; ++v) copy(v);
  });
  if (!copied) return copied.error();
  SsspResult result;
  result.reached = found->reached;
  result.delta = 1;
  result.resumed_after = static_cast<VertexId>(found->resumed_after);
  result.distances = {std::move(distances), reached, kFar};
  return result;
}

Answer run_sssp(PyEngine& engine, const GraphView& view, VertexId source, double delta, bool unit_lengths) {
  return answer(engine.run([&](Engine& e) { return find_paths(e, view, source, delta, unit_lengths); }));
}

Answer run_from_several(PyEngine& engine, const GraphView& view, const Input<VertexId>& sources, double delta,
                        bool unit_lengths) {
  return answer(engine.run([&](Engine& e) { return find_paths(e, view, span_of(sources), delta, unit_lengths); }));
}

Array<std::int64_t> run_path_parents(PyEngine& engine, const GraphView& view, const Input<double>& distances,
                                     const Input<VertexId>& sources, bool weighted) {
  return to_numpy(
      engine.run([&](Engine& e) { return path_parents(e, view, span_of(distances), span_of(sources), weighted); }));
}

}  // namespace

void bind_sssp(nb::module_& module) {
  using namespace nb::literals;
  module.def("sssp", &run_sssp, "engine"_a, "view"_a, "source"_a, "delta"_a = 0.0, "unit_lengths"_a = false);
  module.def("sssp", &run_from_several, "engine"_a, "view"_a, "sources"_a, "delta"_a = 0.0, "unit_lengths"_a = false,
             nb::sig("def sssp(engine: Engine, view: View, sources: NDArray[numpy.uint64], delta: float = 0.0, "
                     "unit_lengths: bool = False) -> dict[str, Any]"));
  module.def("path_parents", &run_path_parents, "engine"_a, "view"_a, "distances"_a, "sources"_a, "weighted"_a,
             nb::sig("def path_parents(engine: Engine, view: View, distances: NDArray[numpy.float64], sources: "
                     "NDArray[numpy.uint64], weighted: bool) -> NDArray[numpy.int64]"),
             "The vertex before each on a shortest path; a source is its own, -1: not reached.");
}

}  // namespace rizoma::python
