// Distribution: a graph over the disks of several machines; each has a part, a directory that one rank opens.
// Module: api.
//
// A part has the sections of its rank whole, of all others the lengths of their lists, the blocks of rows of edges that
// its own sections name, and the rest of the store (ids, removed vertices, values of vertices).  It is of one state of
// the graph, without those kept under tags if the store has several locations, and only for reading.  Whatever the
// store's locations, a part is one directory.  This header says which bytes belong to which part; the caller copies
// them (python/rizoma/distributed/distribute.py).  Cost: one pass over the store.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

/// The part of a distributed graph that a directory holds.
struct GraphPart {
  unsigned number = 0;
  unsigned parts = 0;
  PlacementPolicy partition = PlacementPolicy::chunk;
  std::vector<unsigned> owners;  ///< the part of each section
  std::string state;             ///< identifies the state of the graph; equal in all its parts
};

/// A run of bytes of `data`; it is at the same offset in each part that has it.
struct PartPiece {
  static constexpr int kEveryPart = -1;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t head = 0;  ///< first bytes of it, which all other parts have too
  int part = kEveryPart;   ///< the part that has all of it
  unsigned source = 0;     ///< the file that it is read from
  std::uint64_t from = 0;  ///< its offset there
};

class Distribution {
 public:
  virtual ~Distribution() = default;
  [[nodiscard]] virtual const std::string& state() const = 0;  ///< GraphPart::state of all parts
  [[nodiscard]] virtual unsigned parts() const = 0;            ///< how many there are
  /// The files that pieces are read from.
  [[nodiscard]] virtual const std::vector<std::filesystem::path>& sources() const = 0;
  /// Size of `data`.
  [[nodiscard]] virtual std::uint64_t data_bytes() const = 0;
  /// They do not change as long as this lives.
  [[nodiscard]] virtual const std::vector<PartPiece>& pieces() const = 0;
  /// Names and bytes of the other files of a part.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> files(unsigned part) const = 0;
};

/// Divides the present state of the store at `path`, of which every byte of a section is read and verified.  Null if
/// changes wait outside of the sections: compact the graph, and ask again.  Errors: unsupported (several locations of a
/// store of format 1), invalid_argument, those of opening and of a view.
[[nodiscard]] Result<std::unique_ptr<Distribution>> distribute(const std::filesystem::path& path,
                                                               PlacementPolicy partition, unsigned parts,
                                                               Executor& executor);

}  // namespace rizoma
