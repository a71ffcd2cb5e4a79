// The binding of rizoma/algorithms/pagerank.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/pagerank.h>

namespace rizoma::python {

namespace {

Answer run_pagerank(PyEngine& engine, const GraphView& view, double alpha, double tol, int max_iter, bool use_weights,
                    const std::optional<Input<double>>& personalization, const std::optional<Input<double>>& start,
                    const std::optional<Input<double>>& dangling, bool accelerate) {
  const PageRankOptions options{
      alpha, tol, max_iter, use_weights, span_of(personalization), span_of(dangling), span_of(start), accelerate};
  PageRankResult result = engine.run([&](Engine& e) { return pagerank(e, view, options); });
  Answer out;
  out["rank"] = to_numpy(std::move(result.scores));
  out["iterations"] = result.iterations;
  out["resumed_after"] = result.resumed_after;
  out["converged"] = result.converged;
  out["error"] = result.error;
  return out;
}

}  // namespace

void bind_pagerank(nb::module_& module) {
  using namespace nb::literals;
  module.def("pagerank", &run_pagerank, "engine"_a, "view"_a, "alpha"_a, "tol"_a, "max_iter"_a, "use_weights"_a,
             "personalization"_a = nb::none(), "start"_a = nb::none(), "dangling"_a = nb::none(),
             "accelerate"_a = false);
}

}  // namespace rizoma::python
