// The binding of rizoma/algorithms/katz_centrality.h.
#include "../bind_kernels.h"

#include <rizoma/algorithms/katz_centrality.h>

namespace rizoma::python {

namespace {

Answer run_katz(PyEngine& engine, const GraphView& view, double alpha, double beta, unsigned max_iter, double tol,
                bool normalized, bool use_weights) {
  const KatzOptions options{alpha, beta, max_iter, tol, normalized, use_weights};
  KatzResult result = engine.run([&](Engine& e) { return katz_centrality(e, view, options); });
  Answer out;
  out["score"] = to_numpy(std::move(result.scores));
  out["iterations"] = result.iterations;
  out["resumed_after"] = result.resumed_after;
  out["converged"] = result.converged;
  return out;
}

}  // namespace

void bind_katz_centrality(nb::module_& module) {
  using namespace nb::literals;
  module.def("katz_centrality", &run_katz, "engine"_a, "view"_a, "alpha"_a = 0.1, "beta"_a = 1.0, "max_iter"_a = 1000,
             "tol"_a = 1e-6, "normalized"_a = true, "use_weights"_a = false);
}

}  // namespace rizoma::python
