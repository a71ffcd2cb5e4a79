// One graph and several processes: ranks, partitions on several machines, imports by all ranks.  Module: api.
//
// What: join_ranks makes this process a rank of a run that an MPI launcher started.  `distribute` says which bytes of a
// store belong to the part of each rank; the caller copies them (python/rizoma/distributed/distribute.py).  SharedLoad:
// several ranks fill one empty graph together.
// How: a part has the sections of its rank whole, of all others the lengths of their lists, the blocks of rows of edges
// that its own sections name, and the rest of the store (ids, removed vertices, values of vertices).  It has one state
// of the graph, without tagged ones if the store has several locations, and is only for reading.  Whatever the store's
// locations, a part is one directory.
// Cost: of a distribution one pass over the store; of a load per rank about what its share of the edges costs, and the
// first has the dictionary besides, and copies sections.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/detail/network_times.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/placement.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

struct RankOptions {
  std::string module;   ///< path of the MPI transport, librizoma_mpi.so
  std::string library;  ///< path of the MPI library, libmpi_abi.so; empty: the system searches for it
  /// Value of a communicator's handle (MPI_Comm of the standard ABI); none: MPI_COMM_WORLD.
  std::optional<std::int64_t> communicator;
  double heartbeat_timeout = 5;         ///< seconds without a sign of life after which a rank counts as lost
  std::optional<double> patience = {};  ///< deprecated: heartbeat_timeout
};

/// The membership of this process in the run; its destructor leaves it, together with the other ranks.
class JoinedRanks {
 public:
  virtual ~JoinedRanks() = default;
  [[nodiscard]] virtual Ranks& ranks() = 0;  ///< of this run
  /// Ok as long as no rank is known to be lost; else the error (io) that names it.
  [[nodiscard]] virtual Status health() const = 0;
  /// Ends the run for all ranks, whose calls then fail with this error.
  virtual void abort(const Error& why) = 0;
  /// Rank 0 works on rank 1, over and over; the others wait.  Collective.  Errors: invalid_argument (one rank, no
  /// bytes, a round of ranks that compute), unsupported (a one-sided operation without memory that ranks can read), io.
  [[nodiscard]] virtual Result<NetworkTimes> time_network(const NetworkTask& task) = 0;
};

/// Joins the other ranks; collective.  Errors: not_found (no MPI), unsupported (a feature of MPI), io.  Cost: seconds.
[[nodiscard]] Result<std::unique_ptr<JoinedRanks>> join_ranks(const RankOptions& options);

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

struct SharedLoadOptions {
  std::filesystem::path folder;
  unsigned rank = 0;
  unsigned ranks = 1;
  std::uint64_t memory_limit = 0;  ///< bytes for buffers of each rank; 0: as for BulkLoadOptions, divided by
  unsigned sharing = 1;            ///< ranks that share this machine's memory
};

/// A load that several ranks make together: each adds a share of the edges; all build the sections of the graph, and
/// the first puts them into the store, which is that of a BulkLoad of all edges, those of the first rank first.  They
/// take the steps below in that order and wait for each other between them; an error of one ends the load for all.
/// They communicate by files in a directory that all of them see (`folder`), which the rank that made it removes.
class SharedLoad {
 public:
  /// `schema`: of the graph, with the kind of ids that the load takes.  Errors: unsupported (edges with columns), io.
  static Result<SharedLoad> create(const GraphSchema& schema, const SharedLoadOptions& options);
  SharedLoad(SharedLoad&&) noexcept;
  SharedLoad& operator=(SharedLoad&&) noexcept;
  ~SharedLoad();

  /// Every rank, any number of times.  Errors: as BulkLoad::add, edges counted in this share.
  Status add(const EdgeBatch& edges);
  Status add_vertices(const IdColumn& ids);
  /// Every rank: its share is whole.
  Status end();
  /// The first rank, with an empty load of the graph.  Errors: unsupported (2^32 vertices or more).
  Status merge(BulkLoad& load);
  /// Every rank.
  Status count();
  /// The first rank.
  Status plan(BulkLoad& load, Executor& executor);
  /// Every rank.
  Status send();
  /// Every rank.
  Status build(Executor& executor);
  /// The first rank: durable when it returns.
  Status publish(BulkLoad& load);

 private:
  struct Impl;
  explicit SharedLoad(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
