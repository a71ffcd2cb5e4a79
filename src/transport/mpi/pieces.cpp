#include "transport/mpi/pieces.h"

#include <algorithm>

namespace rizoma::mpi {

void Departures::add(Rank target, std::span<const std::byte> bytes, std::size_t piece, bool closed) {
  for (bool full = closed; full || !bytes.empty();) {
    const std::size_t now = std::min(bytes.size(), piece);
    waiting_.push_back({target, bytes.first(now)});
    bytes = bytes.subspan(now);
    full = closed && now == piece;
  }
}

Status Departures::look(MPI_Comm comm, int tag, FunctionRef<Status(Rank)> reach) {
  for (;;) {
    for (MPI_Request& request : under_way_) {
      int done = 0;
      RIZOMA_TRY(checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test"));
      if (done != 0) request = MPI_REQUEST_NULL;
    }
    std::erase(under_way_, MPI_REQUEST_NULL);
    if (next_ == waiting_.size() || under_way_.size() >= kAtOnce) return {};
    const Piece& piece = waiting_[next_++];
    RIZOMA_TRY(reach(piece.target));
    under_way_.push_back(MPI_REQUEST_NULL);
    RIZOMA_TRY(checked(MPI_Isend(piece.bytes.data(), static_cast<int>(piece.bytes.size()), MPI_BYTE,
                                 static_cast<int>(piece.target), tag, comm, &under_way_.back()),
                       "MPI_Isend"));
  }
}

Status Arrival::look(MPI_Comm comm, Rank from, int tag, bool may_begin) {
  if (request == MPI_REQUEST_NULL) {
    if (!may_begin) return {};
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    RIZOMA_TRY(checked(MPI_Improbe(static_cast<int>(from), tag, comm, &there, &message, &status), "MPI_Improbe"));
    if (there == 0) return {};
    int count = 0;
    RIZOMA_TRY(checked(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count"));
    piece = static_cast<std::size_t>(count);
    bytes.resize(have + piece);
    RIZOMA_TRY(checked(MPI_Imrecv(bytes.data() + have, count, MPI_BYTE, &message, &request), "MPI_Imrecv"));
  }
  int done = 0;
  RIZOMA_TRY(checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test"));
  if (done == 0) return {};
  request = MPI_REQUEST_NULL;
  have += piece;
  whole = piece < kPiece;
  return {};
}

Status Landing::look(MPI_Comm comm, int tag) {
  while (!left.empty()) {
    Incoming& next = left.back();
    const std::size_t now = std::min(next.place.size(), kLanding);
    if (request == MPI_REQUEST_NULL) {
      if (buffer.size() < now) buffer.resize(now);
      RIZOMA_TRY(checked(
          MPI_Irecv(buffer.data(), static_cast<int>(now), MPI_BYTE, static_cast<int>(next.from), tag, comm, &request),
          "MPI_Irecv"));
    }
    int done = 0;
    RIZOMA_TRY(checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test"));
    if (done == 0) return {};
    request = MPI_REQUEST_NULL;
    std::copy_n(buffer.data(), now, next.place.data());
    next.place = next.place.subspan(now);
    if (next.place.empty()) left.pop_back();
  }
  return {};
}

}  // namespace rizoma::mpi
