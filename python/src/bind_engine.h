// The engine as Python holds it: polls for Ctrl-C and calls a Python progress function.
#pragma once

#include "bindings.h"
#include "bind_ranks.h"

#include <rizoma/detail/state_file_failure.h>
#include <rizoma/engine.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rizoma::python {

class PyEngine {
 public:
  /// `placement`: a policy's name, or the JSON of a Placement; `tiers`: see parse_tiers; `ranks`: Python keeps them
  /// alive; `memory_limit`: bytes, 0 for none; `state_directory`: where files of vertex state go, empty for memory.
  PyEngine(unsigned threads, std::string_view placement, std::string_view tiers, PyRanks* ranks,
           std::uint64_t memory_limit, std::string state_directory);

  /// A callable (phase, done, total), or None.
  void set_progress(nb::object callback) { callback_ = std::move(callback); }
  [[nodiscard]] unsigned threads() const noexcept { return engine_->threads(); }
  [[nodiscard]] Engine& engine() noexcept { return *engine_; }

  /// Reports the progress function from outside a run; raises what a signal handler or it raises.
  void tell(std::string_view phase, double done, double total);

  /// Leaks the engine in a forked child, which lacks its threads, since it cannot be joined.
  void abandon() noexcept { static_cast<void>(engine_.release()); }

  /// Runs f(engine) without the GIL.  An exception raised by a signal handler or by the progress
  /// function stops the call and is raised again here.
  template <class F>
  auto run(F&& f) {
    stopped_by_.reset();
    auto result = [&] {
      const WithoutGil release;
      if (engine_->ranks() != nullptr) return settled(f);
      // Earlier reports belong to another call: an empty phase reaches no callback.
      if (const Status begun = engine_->report("", 0, 0); !begun) return decltype(f(*engine_))(begun.error());
      return f(*engine_);
    }();
    raise_if_stopped();
    return unwrap(std::move(result));
  }

 private:
  /// Runs f(engine) on all ranks together: it succeeds on all of them, or on none.
  template <class F>
  auto settled(F& f) -> decltype(f(std::declval<Engine&>())) {
    Ranks& ranks = *engine_->ranks();
    try {
      auto result = f(*engine_);
      const Status status = ranks.finalize(result ? Status() : Status(result.error()));
      if (!status) return status.error();
      return result;
    } catch (const StateFileFailure& failure) {
      static_cast<void>(ranks.finalize(failure.error()));
      throw;
    } catch (const std::bad_alloc&) {
      static_cast<void>(ranks.finalize(Error{ErrorCode::out_of_memory, "not enough memory for this call"}));
      throw;
    } catch (const std::exception& error) {
      static_cast<void>(ranks.finalize(Error{ErrorCode::io, error.what()}));
      throw;
    }
  }

  bool poll(const Progress& progress) noexcept;
  void raise_if_stopped();

  std::unique_ptr<Engine> engine_;
  nb::object callback_;
  std::optional<nb::python_error> stopped_by_;
};

}  // namespace rizoma::python
