// MachineMemory: the machine's nodes, and what puts pages on them; a synthetic pair of both in tests.
#pragma once

#include "platform/node_memory.h"

#include <rizoma/executor.h>
#include <rizoma/graph_view.h>
#include <rizoma/placement.h>
#include <rizoma/topology.h>

#include <memory>

namespace rizoma {

struct MachineMemory {
  Topology topology;
  std::shared_ptr<const PageBinder> binder;
};

/// As load_sections of rizoma/detail/working_copy.h, on this machine or a synthetic one.
[[nodiscard]] Result<GraphView> load_sections(Executor& executor, const GraphView& graph, const Placement& placement,
                                              const MachineMemory& machine);

}  // namespace rizoma
