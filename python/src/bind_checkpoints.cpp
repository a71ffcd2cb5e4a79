#include "bind_checkpoints.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>

namespace nb = nanobind;

namespace rizoma::python {

void bind_checkpoints(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<CheckpointOptions>(module, "Checkpoints", "Where and how often a call keeps its state.")
      .def(
          "__init__",
          [](CheckpointOptions* self, std::filesystem::path directory, std::string name, std::string job, double every,
             bool resume) {
            new (self) CheckpointOptions{std::move(directory), std::move(name), std::move(job), every, resume};
          },
          "directory"_a, "name"_a, "job"_a, "every"_a, "resume"_a)
      .def_ro("directory", &CheckpointOptions::directory)
      .def_ro("job", &CheckpointOptions::job);
}

}  // namespace rizoma::python
