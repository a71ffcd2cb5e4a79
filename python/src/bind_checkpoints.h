// Kernels that keep the state of their iteration.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/detail/file_checkpoints.h>
#include <rizoma/graph_view.h>

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

namespace rizoma::python {

/// An engine has checkpoints while this lives.
class SavingScope {
 public:
  SavingScope(Engine& engine, Checkpoints& checkpoints) : engine_(engine) { engine.set_checkpoints(&checkpoints); }
  ~SavingScope() { engine_.set_checkpoints(nullptr); }
  SavingScope(const SavingScope&) = delete;
  SavingScope& operator=(const SavingScope&) = delete;

 private:
  Engine& engine_;
};

/// f() with an engine that has the checkpoints that are asked for, which are removed once it has gone well.
template <class F>
auto saved(Engine& engine, const GraphView& view, const std::optional<CheckpointOptions>& options, F&& f)
    -> decltype(f()) {
  if (!options) return f();
  RIZOMA_ASSIGN(const std::unique_ptr<Checkpoints> checkpoints, open_checkpoints(engine, view, *options));
  const SavingScope scope(engine, *checkpoints);
  auto result = f();
  if (result) RIZOMA_TRY(checkpoints->finish());
  return result;
}

void bind_checkpoints(nanobind::module_& module);

}  // namespace rizoma::python
