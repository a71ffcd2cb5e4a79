// The binding of rizoma/algorithms/bfs.h.
#include "../bind_kernels.h"
#include "../lazy_column.h"

#include <rizoma/algorithms/bfs.h>

namespace rizoma::python {

namespace {

Answer answer(BfsResult result) {
  Answer out;
  out["level"] = LazyColumn(std::move(result.levels));
  out["parent"] = LazyColumn(std::move(result.parents));
  out["reached"] = result.reached;
  out["depth"] = result.depth;
  out["resumed_after"] = result.resumed_after;
  return out;
}

Answer run_bfs(PyEngine& engine, const GraphView& view, VertexId source, std::int64_t max_depth) {
  return answer(engine.run([&](Engine& e) { return bfs(e, view, source, {max_depth}); }));
}

Answer run_from_several(PyEngine& engine, const GraphView& view, const Input<VertexId>& sources,
                        std::int64_t max_depth) {
  return answer(engine.run([&](Engine& e) { return bfs(e, view, span_of(sources), {max_depth}); }));
}

}  // namespace

void bind_bfs(nb::module_& module) {
  using namespace nb::literals;
  module.def("bfs", &run_bfs, "engine"_a, "view"_a, "source"_a, "max_depth"_a = -1);
  module.def("bfs", &run_from_several, "engine"_a, "view"_a, "sources"_a, "max_depth"_a = -1,
             nb::sig("def bfs(engine: Engine, view: View, sources: NDArray[numpy.uint64], max_depth: int = -1) -> "
                     "dict[str, Any]"));
}

}  // namespace rizoma::python
