// Payloads of messages in pieces that MPI can count, as they come in from one rank.
#pragma once

#include "engine/transport.h"
#include "transport/mpi/mpi_call.h"

#include <rizoma/detail/function_ref.h>

#include <cstddef>
#include <span>
#include <vector>

namespace rizoma::mpi {

// A message of MPI is counted in an int.  A payload comes in full pieces and one that is not full, which may
// be empty, so that no length need be sent ahead.
inline constexpr std::size_t kPiece = std::size_t{256} << 20;

inline constexpr std::size_t kLanding = std::size_t{1} << 20;  // pieces of what goes to known places: they fit a cache

/// Requests of a kind that are under way at once: with more than eight in all, MPICH takes two megabytes for the next
/// thousand, as much as all else that it has for messages.
inline constexpr std::size_t kAtOnce = 2;

/// What goes out: a few pieces at a time, one after the other to each rank.
class Departures {
 public:
  /// Adds pieces of this size; `closed`: the last one is smaller, which says that it is the last.
  void add(Rank target, std::span<const std::byte> bytes, std::size_t piece, bool closed);
  /// Pieces that have not left.
  [[nodiscard]] std::size_t left() const noexcept { return waiting_.size() - next_ + under_way_.size(); }
  /// Looks which have left, and begins with the next; without waiting.  `reach`: before a message to a rank begins.
  Status look(MPI_Comm comm, int tag, FunctionRef<Status(Rank)> reach);

 private:
  struct Piece {
    Rank target;
    std::span<const std::byte> bytes;
  };
  std::vector<Piece> waiting_;  ///< from next_ on
  std::size_t next_ = 0;
  std::vector<MPI_Request> under_way_;
};

/// What arrives from one rank in a round.
struct Arrival {
  Bytes bytes;
  std::size_t have = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  std::size_t piece = 0;  ///< bytes of the message under way
  bool whole = false;

  /// Looks whether more has arrived, without waiting; `may_begin`: also for the beginning of more.
  Status look(MPI_Comm comm, Rank from, int tag, bool may_begin);
  [[nodiscard]] bool under_way() const noexcept { return request != MPI_REQUEST_NULL; }
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
