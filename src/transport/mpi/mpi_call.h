// What an MPI call says, as a Status.
//
// The module is built for the MPI standard's application binary interface (MPI 5.0, chapter 20; MPI_ABI is
// defined then): that build runs with every MPI that has it.  A second build, for MPICH's own, is for programs
// whose mpi4py uses that: a process can have one MPI only.
#pragma once

#include <mpi.h>
#include <rizoma/result.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace rizoma::mpi {

/// The library's own words for an error code.
inline std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "error " + std::to_string(code);
  return std::string(text, static_cast<std::size_t>(length));
}

/// A communicator from the value of its handle, which is a pointer in one interface and a number in the other.
inline MPI_Comm communicator(std::intptr_t value) {
  return [&]<class Handle>(std::type_identity<Handle>) {
    if constexpr (std::is_pointer_v<Handle>) return reinterpret_cast<Handle>(value);
    else return static_cast<Handle>(value);
  }(std::type_identity<MPI_Comm>());
}

inline Status checked(int code, const char* call) {
  if (code == MPI_SUCCESS) return {};
  return Error{ErrorCode::io, std::string(call) + " failed: " + text_of(code)};
}

}  // namespace rizoma::mpi
