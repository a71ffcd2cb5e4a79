// The binding of rizoma/algorithms/motif_counts.h.
#include "../bind_kernels.h"

#include <nanobind/stl/string.h>
#include <rizoma/algorithms/motif_counts.h>

#include <cstdint>
#include <string>

namespace rizoma::python {

namespace {

nb::object to_int(MotifCount count) {
  const nb::object high = nb::int_(static_cast<std::uint64_t>(count >> 64));
  return (high << nb::int_(64)) + nb::int_(static_cast<std::uint64_t>(count));
}

nb::typed<nb::dict, nb::str, nb::int_> run_motif_counts(PyEngine& engine, const GraphView& view) {
  const MotifCounts found = engine.run([&](Engine& e) { return motif_counts(e, view); });
  nb::typed<nb::dict, nb::str, nb::int_> out;
  for (std::size_t i = 0; i < kFiveVertexMotifs; ++i) {
    out[nb::str(kFiveVertexMotifNames[i].data(), kFiveVertexMotifNames[i].size())] = to_int(found.counts[i]);
  }
  return out;
}

}  // namespace

void bind_motif_counts(nb::module_& module) {
  using namespace nb::literals;
  module.def("motif_counts", &run_motif_counts, "engine"_a, "view"_a,
             "How often each connected graph of five vertices is induced, by name.");
}

}  // namespace rizoma::python
