// What the files of the bindings share: one function each that adds its part to the module, and the
// way from a C++ Result to a Python value or exception.
#pragma once

#include "calls.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <rizoma/batch.h>
#include <rizoma/result.h>
#include <rizoma/vertex_map.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma::python {

namespace nb = nanobind;

void bind_types(nb::module_& module);  // enums, schema, info
void bind_ranks(nb::module_& module);
void bind_engine(nb::module_& module);        // Engine
void bind_batch(nb::module_& module);         // EdgeBatch
void bind_graph(nb::module_& module);         // Graph, Snapshot, BulkLoad
void bind_shared_load(nb::module_& module);   // SharedLoad, after BulkLoad
void bind_distribution(nb::module_& module);  // parts of graphs
void bind_ingest(nb::module_& module);        // inspect, read_file, generate
void bind_lazy_column(nb::module_& module);   // columns of results
void bind_algorithms(nb::module_& module);    // every file of algorithms/; written by the build
void bind_match(nb::module_& module);         // patterns
void bind_cells(nb::module_& module);         // rows counted by cells
void bind_sampling(nb::module_& module);      // random walks, sampled neighbours
void bind_scan(nb::module_& module);          // edges, degrees, live vertices
void bind_columns(nb::module_& module);       // columns of edges and of vertices
void bind_csr(nb::module_& module);           // views of compressed sparse rows
void bind_networkx(nb::module_& module);      // reading NetworkX's dictionaries
void bind_placement(nb::module_& module);     // Placement, Traffic, topology, the model
void bind_probe(nb::module_& module);         // measuring memory and files

/// Memory that runs out in a call becomes rizoma.errors.OutOfMemoryError, too.
void translate_exceptions();

/// Raises the class of rizoma.errors that belongs to the error's code.
[[noreturn]] void raise(const Error& error);

template <class T>
T unwrap(Result<T>&& result) {
  if (!result) raise(result.error());
  return *std::move(result);
}
inline void unwrap(Status&& status) {
  if (!status) raise(status.error());
}

/// Runs f() without the GIL and unwraps what it returns.
template <class F>
auto without_gil(F&& f) {
  auto result = [&] {
    const WithoutGil release;
    return f();
  }();
  return unwrap(std::move(result));
}

template <class T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

/// A NumPy array over the memory of `holder`, which the array owns from now on.  No copy.
template <class Holder>
auto to_numpy(Holder&& values) {
  using H = std::remove_cvref_t<Holder>;
  using T = std::remove_cvref_t<decltype(*values.data())>;
  auto* holder = new H(std::forward<Holder>(values));
  nb::capsule owner(holder, [](void* p) noexcept { delete static_cast<H*>(p); });
  return Array<T>(holder->data(), {static_cast<std::size_t>(holder->size())}, owner);
}

/// Integers: an int64 array.  Strings: a pair (offsets, bytes), as Arrow's large_string has them.
nb::object to_python(IdColumn&& ids);

}  // namespace rizoma::python
