#include "lazy_column.h"

namespace rizoma::python {

void bind_lazy_column(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<LazyColumn>(module, "LazyColumn", "A value for each vertex, an array once all are asked for.")
      .def("all", &LazyColumn::all, nb::sig("def all(self) -> NDArray[Any]"), "All values; the same array each time.")
      .def("at", &LazyColumn::at, "vertex"_a, nb::sig("def at(self, vertex: int) -> Any"),
           "The value of one vertex, by internal id.");
}

}  // namespace rizoma::python
