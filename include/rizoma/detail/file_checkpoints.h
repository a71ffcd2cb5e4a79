// FileCheckpoints: checkpoints in a file, written by the first rank.  Module: api.
//
// What: a file holds one state, of the job that it names and of the graph that it was computed on.  A new one takes its
// place only when it is durable, so that whatever dies, the last state that was kept is there and whole.
// Cost: reading all lists once at the start, to know the graph again; a state is gathered on the first rank, which
// writes it: 4 to 16 bytes a vertex.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/graph_view.h>

#include <filesystem>
#include <memory>
#include <string>

namespace rizoma {

class Engine;

struct CheckpointOptions {
  std::filesystem::path directory;  ///< of the file; made if it is missing.  Seen by the first rank only
  std::string name;                 ///< of the file
  std::string job;                  ///< the kernel and its options: what must be the same if a job is to go on
  double every = 60;                ///< seconds between two states; 0: each that is offered
  bool resume = false;              ///< go on from what is there; otherwise it is replaced
};

/// For one call of a kernel on this graph.  With ranks collective.
/// Errors: invalid_argument (every), locked (another job keeps its states in this directory), io.
[[nodiscard]] Result<std::unique_ptr<Checkpoints>> open_checkpoints(Engine& engine, const GraphView& graph,
                                                                    const CheckpointOptions& options);

}  // namespace rizoma
