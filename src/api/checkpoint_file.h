// The file of a checkpoint: a head, the values column by column, and a checksum of all.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/ids.h>

#include "platform/medium.h"

#include <cstdint>
#include <string>

namespace rizoma {

/// What a state belongs to.
struct CheckpointOf {
  std::string job;
  VertexId vertices = 0;
  std::uint64_t fingerprint = 0;  ///< of the graph
};

/// Replaces the former state: durable when it returns, and until then the former one is there.
Status write_checkpoint(Medium& medium, const std::string& name, const CheckpointOf& of, const IterationState& state);

/// Reads the values of all vertices.  Errors: not_found, invalid_argument (it is of something else), corrupt, io.
Status read_checkpoint(Medium& medium, const std::string& name, const CheckpointOf& of, const IterationState& state);

/// Removes it, and the file that a killed process has begun.
Status remove_checkpoint(Medium& medium, const std::string& name);

}  // namespace rizoma
