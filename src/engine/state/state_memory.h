// StateMemory: where an engine's maps and sets lie: pages put on nodes as the tiers say.
#pragma once

#include "engine/state/machine_memory.h"

#include <rizoma/ids.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>
#include <rizoma/vertex_map.h>

#include <cstddef>

namespace rizoma {

/// What the state belongs to: `bytes` bytes of n vertices.
struct StateShape {
  std::size_t bytes = 0;
  VertexId vertices = 0;
  Structure structure = Structure::vertex_state;
};

class StateMemory {
 public:
  /// `asked`: the tiers that the user wants, whose lack is an Error and not just a loss of locality.
  StateMemory(const Placement& workers, const Tiers& asked, MachineMemory machine);

  /// Whether the machine has what was asked for.  Errors: unsupported (no memory of a tier, binding refused).
  [[nodiscard]] const Status& status() const noexcept { return status_; }
  [[nodiscard]] const MachineMemory& machine() const noexcept { return machine_; }

  /// Zeroed pages, in ordinary memory if they cannot be placed as asked.  Throws std::bad_alloc.
  [[nodiscard]] VertexMemory allocate(const StateShape& shape, const Placement& placement, unsigned section_bits) const;

 private:
  [[nodiscard]] Status check(const Placement& workers, const Tiers& asked) const;

  MachineMemory machine_;  ///< no binder: nothing is asked for
  Status status_;
};

}  // namespace rizoma
