// The extension module rizoma._core.
#include "bindings.h"
#include "bind_checkpoints.h"

#include <rizoma/detail/version.h>

NB_MODULE(_core, module) {
  using namespace rizoma::python;
  module.doc() = "Bindings of the C++ library; use the package rizoma.";
  module.attr("__version__") = rizoma::kVersion;
  translate_exceptions();
  bind_calls(module);
  bind_types(module);
  bind_placement(module);
  bind_ranks(module);
  bind_engine(module);
  bind_batch(module);
  bind_distribution(module);
  bind_graph(module);
  bind_checkpoints(module);
  bind_shared_load(module);
  bind_ingest(module);
  bind_lazy_column(module);
  bind_algorithms(module);
  bind_match(module);
  bind_cells(module);
  bind_sampling(module);
  bind_scan(module);
  bind_columns(module);
  bind_csr(module);
  bind_networkx(module);
  bind_probe(module);
}
