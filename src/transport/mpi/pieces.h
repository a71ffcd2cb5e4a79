// Payloads of messages in pieces that MPI can count, as they come in from one rank.
#pragma once

#include "engine/transport.h"
#include "transport/mpi/mpi_call.h"

#include <cstddef>
#include <vector>

namespace rizoma::mpi {

// A message of MPI is counted in an int.  A payload comes in full pieces and one that is not full, which may
// be empty, so that no length need be sent ahead.
inline constexpr std::size_t kPiece = std::size_t{256} << 20;

inline constexpr std::size_t kLanding = std::size_t{1} << 20;  // pieces of what goes to known places: they fit a cache

/// What arrives from one rank in a round.
struct Arrival {
  Bytes bytes;
  std::size_t have = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  std::size_t piece = 0;  ///< bytes of the message under way
  bool whole = false;

  /// Looks whether more has arrived, without waiting.
  Status look(MPI_Comm comm, Rank from, int tag);
};

/// What comes from one rank to known places, by way of a buffer of the transport: MPI may still write to that once a
/// rank is lost, when another object may own the memory already.
struct Landing {
  std::vector<Incoming> left;  ///< the next place last
  Bytes buffer;
  MPI_Request request = MPI_REQUEST_NULL;

  /// Looks whether the next piece has come, and begins with the one after it; without waiting.
  Status look(MPI_Comm comm, int tag);
};

}  // namespace rizoma::mpi
