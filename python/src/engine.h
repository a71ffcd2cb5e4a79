// The engine as Python holds it: polls for Ctrl-C and calls a Python progress function.
#pragma once

#include "bindings.h"

#include <rizoma/engine.h>

#include <memory>
#include <optional>
#include <string_view>

namespace rizoma::python {

class PyEngine {
 public:
  /// `placement`: a policy's name, or the JSON of a Placement; `tiers`: see parse_tiers.
  PyEngine(unsigned threads, std::string_view placement, std::string_view tiers);

  /// A callable (phase, done, total), or None.
  void set_progress(nb::object callback) { callback_ = std::move(callback); }
  [[nodiscard]] unsigned threads() const noexcept { return engine_->threads(); }
  [[nodiscard]] Engine& engine() noexcept { return *engine_; }

  /// Tells the progress function from outside a run; raises what a signal handler or it raises.
  void tell(std::string_view phase, double done, double total);

  /// In a forked child, where the engine's threads are gone: leaks it, since it cannot be joined.
  void abandon() noexcept { static_cast<void>(engine_.release()); }

  /// Runs f(engine) without the GIL.  An exception raised by a signal handler or by the progress
  /// function stops the call and is raised again here.
  template <class F>
  auto run(F&& f) {
    stopped_by_.reset();
    auto result = [&] {
      const WithoutGil release;
      return f(*engine_);
    }();
    raise_if_stopped();
    return unwrap(std::move(result));
  }

 private:
  bool poll(const Progress& progress) noexcept;
  void raise_if_stopped();

  std::unique_ptr<Engine> engine_;
  nb::object callback_;
  std::optional<nb::python_error> stopped_by_;
};

}  // namespace rizoma::python
