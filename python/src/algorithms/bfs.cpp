// The binding of rizoma/algorithms/bfs.h.
#include "../kernels.h"

#include <rizoma/algorithms/bfs.h>

namespace rizoma::python {

namespace {

Answer run_bfs(PyEngine& engine, const GraphView& view, VertexId source, std::int64_t max_depth) {
  BfsResult result = engine.run([&](Engine& e) {
    return whole(e, engine.answers_to(), bfs(e, view, source, {.max_depth = max_depth}), &BfsResult::levels,
                 &BfsResult::parents);
  });
  Answer out;
  out["level"] = to_numpy(std::move(result.levels));
  out["parent"] = to_numpy(std::move(result.parents));
  out["reached"] = result.reached;
  out["depth"] = result.depth;
  return out;
}

}  // namespace

void bind_bfs(nb::module_& module) {
  using namespace nb::literals;
  module.def("bfs", &run_bfs, "engine"_a, "view"_a, "source"_a, "max_depth"_a = -1);
}

}  // namespace rizoma::python
