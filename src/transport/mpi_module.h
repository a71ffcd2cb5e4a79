// The MPI transport, which is in a module of its own (librizoma_mpi.so) that is loaded only when ranks
// are there: Rizoma itself needs no MPI.
#pragma once

#include "engine/transport.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace rizoma {

struct MpiOptions {
  std::string module;   ///< path of librizoma_mpi.so
  std::string library;  ///< path of libmpi_abi.so; empty: wherever the system finds it
  /// Value of a communicator's handle (MPI_Comm of the standard ABI); none: MPI_COMM_WORLD, and MPI is started.
  std::optional<std::intptr_t> communicator;
  std::chrono::milliseconds patience{5000};  ///< a rank that is silent for so long is lost
};

/// Joins the other ranks; collective.  Errors: not_found (no module or no MPI library, with the remedy),
/// unsupported (an MPI without what is needed), io (MPI failed).
[[nodiscard]] Result<std::unique_ptr<Transport>> join_mpi(const MpiOptions& options);

/// Name and type of the function that the module exports.
inline constexpr const char* kMpiEntry = "rizoma_join_mpi";
using MpiEntry = Result<std::unique_ptr<Transport>> (*)(const MpiOptions& options, const char* version);

}  // namespace rizoma
