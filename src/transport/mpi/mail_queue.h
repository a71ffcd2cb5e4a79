// Messages between ranks outside of rounds: sent and received without waiting.
#pragma once

#include "engine/transport.h"
#include "transport/mpi/mpi_call.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

namespace rizoma::mpi {

/// What is on its way from and to this rank.
class MailQueue {
 public:
  /// Begins to send.
  Status send(MPI_Comm comm, Rank target, Bytes bytes);
  /// Begins to receive what has come, and looks which messages are here and which have gone.
  Status look(MPI_Comm comm);
  /// A message that is whole, and the first of its sender.
  [[nodiscard]] std::optional<PeerMessage> take();
  /// Bytes that have not left for this rank.
  [[nodiscard]] std::uint64_t on_the_way(Rank target) const noexcept;
  /// Never frees what is on its way: MPI may use it for a moment after a rank is lost.
  void let_be() noexcept;

 private:
  /// Kept where it is until it has gone or come.
  struct Mail {
    PeerMessage message;  ///< of one that leaves, `from` is where to
    MPI_Request request = MPI_REQUEST_NULL;
    bool done = false;
  };

  std::deque<std::unique_ptr<Mail>> leaving_;
  std::deque<std::unique_ptr<Mail>> coming_;  ///< in the order in which they were found
};

}  // namespace rizoma::mpi
