// SharedLoad: an import that several ranks make together; rizoma/distributed/parallel_import.py takes its steps.
#include "bind_columns.h"
#include "bind_engine.h"

#include <nanobind/stl/filesystem.h>
#include <rizoma/cluster.h>

namespace rizoma::python {

void bind_shared_load(nb::module_& module) {
  using namespace nb::literals;
  const auto step = [](Status (SharedLoad::*run)()) {
    return [run](SharedLoad& self) { without_gil([&] { return (self.*run)(); }); };
  };
  nb::class_<SharedLoad>(module, "SharedLoad", "A load that several ranks make together, step by step.")
      .def_static(
          "create",
          [](const GraphSchema& schema, const std::filesystem::path& folder, unsigned rank, unsigned ranks,
             std::uint64_t memory_limit, unsigned sharing) {
            return without_gil(
                [&] { return SharedLoad::create(schema, {folder, rank, ranks, memory_limit, sharing}); });
          },
          "schema"_a, "folder"_a, "rank"_a, "ranks"_a, "memory_limit"_a, "sharing"_a)
      .def(
          "add", [](SharedLoad& self, const EdgeBatch& edges) { without_gil([&] { return self.add(edges); }); },
          "edges"_a)
      .def(
          "add_vertices",
          [](SharedLoad& self, const VertexBatch& vertices) {
            without_gil([&] { return self.add_vertices(vertices.ids); });
          },
          "vertices"_a)
      .def("end", step(&SharedLoad::end))
      .def(
          "merge", [](SharedLoad& self, BulkLoad& load) { without_gil([&] { return self.merge(load); }); }, "load"_a)
      .def("count", step(&SharedLoad::count))
      .def(
          "plan",
          [](SharedLoad& self, BulkLoad& load, PyEngine& engine) {
            engine.run([&](Engine& e) { return self.plan(load, e); });
          },
          "load"_a, "engine"_a)
      .def("send", step(&SharedLoad::send))
      .def(
          "build", [](SharedLoad& self, PyEngine& engine) { engine.run([&](Engine& e) { return self.build(e); }); },
          "engine"_a)
      .def(
          "publish", [](SharedLoad& self, BulkLoad& load) { without_gil([&] { return self.publish(load); }); },
          "load"_a);
}

}  // namespace rizoma::python
