// join_ranks: makes this process a rank of a run that an MPI launcher started.  Module: api.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/result.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

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
};

/// Joins the other ranks; collective.  Errors: not_found (no MPI), unsupported (a feature of MPI), io.  Cost: seconds.
[[nodiscard]] Result<std::unique_ptr<JoinedRanks>> join_ranks(const RankOptions& options);

}  // namespace rizoma
