// FileCheckpoints on any medium.
#pragma once

#include <rizoma/detail/file_checkpoints.h>

#include "platform/medium.h"

#include <memory>

namespace rizoma {

/// As open_checkpoints, in a medium that only the first rank needs to give.
[[nodiscard]] Result<std::unique_ptr<Checkpoints>> checkpoints_in(std::shared_ptr<Medium> medium, Engine& engine,
                                                                  const GraphView& graph,
                                                                  const CheckpointOptions& options);

}  // namespace rizoma
