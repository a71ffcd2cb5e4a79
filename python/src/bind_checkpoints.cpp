#include "bind_checkpoints.h"

#include "bind_engine.h"

#include <rizoma/detail/file_checkpoints.h>
#include <rizoma/graph_view.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>

namespace rizoma::python {

namespace {

/// The engine has checkpoints while this is open: the next iteration on it keeps its state.
class Saving {
 public:
  Saving(PyEngine& engine, const GraphView& view, const CheckpointOptions& options)
      : engine_(engine), checkpoints_(engine.run([&](Engine& e) { return open_checkpoints(e, view, options); })) {
    engine.engine().set_checkpoints(checkpoints_.get());
  }
  ~Saving() { close(); }
  Saving(const Saving&) = delete;
  Saving& operator=(const Saving&) = delete;

  /// Removes the state, because the call has its answer.  Collective.
  void finish() {
    engine_.run([&](Engine&) { return checkpoints_->finish(); });
  }
  void close() noexcept {
    if (checkpoints_ != nullptr) engine_.engine().set_checkpoints(nullptr);
    checkpoints_.reset();
  }

 private:
  PyEngine& engine_;
  std::unique_ptr<Checkpoints> checkpoints_;
};

}  // namespace

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
  nb::class_<Saving>(module, "Saving", "The next kernel on the engine keeps its state, until this is closed.")
      .def(nb::init<PyEngine&, const GraphView&, const CheckpointOptions&>(), "engine"_a, "view"_a, "checkpoints"_a,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("finish", &Saving::finish, "Removes the state: the call has its answer.  All ranks call it.")
      .def("close", &Saving::close);
}

}  // namespace rizoma::python
