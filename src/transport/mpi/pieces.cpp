#include "transport/mpi/pieces.h"

#include <algorithm>

namespace rizoma::mpi {

Status Arrival::look(MPI_Comm comm, Rank from, int tag) {
  if (request == MPI_REQUEST_NULL) {
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
