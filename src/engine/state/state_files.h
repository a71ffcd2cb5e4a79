// StateFiles: memory of an engine's maps that is in files, for graphs whose vertices alone fill memory.
//
// How.  Each map is a file of its own without a name, mapped to be read and written: the system writes its pages out
// when it wants their memory, and the file is gone with the map, whatever happens to the process.  Its bytes are set
// aside on the disk before it is used, so that a full disk is an error here and not a signal later.
// Cost: a few system calls a map, and a page fault each 4 KiB; small maps are better off in memory.
// Source: vertex data on disk as in Kyrola, Blelloch, Guestrin, "GraphChi: large-scale graph computation on just a PC",
// OSDI'12, whose windows over it the pages of the system stand for here.
#pragma once

#include <rizoma/vertex_map.h>

#include <cstddef>
#include <string>
#include <utility>

namespace rizoma {

/// For any thread.
class StateFiles {
 public:
  static constexpr std::size_t kLeast = std::size_t{1} << 20;  ///< bytes of a map that are worth a file

  explicit StateFiles(std::string directory) : directory_(std::move(directory)) {}
  /// Zeroed bytes.  Throws StateFileFailure.
  [[nodiscard]] VertexMemory take(std::size_t bytes) const;

 private:
  std::string directory_;
};

}  // namespace rizoma
