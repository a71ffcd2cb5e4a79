#include "bind_engine.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

namespace rizoma::python {

PyEngine::PyEngine(unsigned threads, std::string_view placement, std::string_view tiers, PyRanks* ranks,
                   std::uint64_t memory_limit, std::string state_directory)
    : callback_(nb::none()) {
  EngineOptions options{.threads = threads, .progress = [this](const Progress& progress) { return poll(progress); }};
  if (ranks != nullptr) options.ranks = &ranks->ranks();
  if (placement.starts_with('{')) options.fixed = unwrap(placement_from_json(placement));
  else options.placement = unwrap(parse_policy(placement));
  options.tiers = unwrap(parse_tiers(tiers));
  options.memory_limit = memory_limit;
  options.state_directory = std::move(state_directory);
  engine_ = std::make_unique<Engine>(std::move(options));
  unwrap(Status(engine_->tiers_status()));
}

bool PyEngine::poll(const Progress& progress) noexcept {
  if (call_should_end()) return false;
  nb::gil_scoped_acquire acquire;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!callback_.is_none() && !progress.phase.empty()) callback_(progress.phase, progress.done, progress.total);
    return true;
  } catch (nb::python_error& error) {
    stopped_by_.emplace(std::move(error));
    return false;
  }
}

void PyEngine::raise_if_stopped() {
  if (!stopped_by_) return;
  nb::python_error error = std::move(*stopped_by_);
  stopped_by_.reset();
  throw error;
}

void PyEngine::tell(std::string_view phase, double done, double total) {
  const CallUnderWay call;
  poll({phase, done, total});
  raise_if_stopped();
}

void bind_engine(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PyEngine>(module, "Engine", "Threads to run kernels on; one call at a time.")
      .def(nb::init<unsigned, std::string_view, std::string_view, PyRanks*, std::uint64_t, std::string>(),
           "threads"_a = 0, "placement"_a = "in_place", "tiers"_a = "", "ranks"_a = nb::none(), "memory_limit"_a = 0,
           "state_directory"_a = "", nb::keep_alive<1, 5>())
      .def("set_progress", &PyEngine::set_progress, "callback"_a.none(),
           nb::sig("def set_progress(self, callback: Callable[[str, float, float], object] | None) -> None"),
           "Calls callback(phase, done, total) now and then during a run; None: nothing.")
      .def("tell", &PyEngine::tell, "phase"_a, "done"_a, "total"_a, "Tells the progress function; polls for Ctrl-C.")
      .def("abandon", &PyEngine::abandon, "In a forked child: lets go of threads that are not there.")
      .def(
          "placement", [](PyEngine& self, const GraphView& view) { return unwrap(self.engine().placement(view)); },
          "view"_a, "Where the sections of this graph and the threads belong.")
      .def(
          "take_traffic",
          [](PyEngine& self) {
            Traffic traffic = self.engine().traffic();
            self.engine().reset_traffic();
            return traffic;
          },
          "Work since it was last asked for, by homes.")
      .def_prop_ro("policy", [](PyEngine& self) { return std::string(name_of(self.engine().policy())); })
      .def_prop_ro("tiers", [](PyEngine& self) { return to_text(self.engine().tiers()); })
      .def_prop_ro("threads", &PyEngine::threads);
}

}  // namespace rizoma::python
