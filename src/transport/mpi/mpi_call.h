// What an MPI call says, as a Status.  mpi_abi.h is the header of the MPI standard's application binary
// interface (MPI 5.0, chapter 20): one build runs with every MPI that has it.
#pragma once

#include <mpi_abi.h>
#include <rizoma/result.h>

#include <string>

namespace rizoma::mpi {

/// The library's own words for an error code.
inline std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "error " + std::to_string(code);
  return std::string(text, static_cast<std::size_t>(length));
}

inline Status checked(int code, const char* call) {
  if (code == MPI_SUCCESS) return {};
  return Error{ErrorCode::io, std::string(call) + " failed: " + text_of(code)};
}

}  // namespace rizoma::mpi
