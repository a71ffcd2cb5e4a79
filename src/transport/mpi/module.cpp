// What the module exports.
#include "transport/mpi/mpi_transport.h"

#include <rizoma/detail/version.h>

#include <utility>

namespace rizoma::mpi {

/// The version is that of the caller: objects of C++ cross the border, so both sides must be of one build.
extern "C" __attribute__((visibility("default"))) Result<std::unique_ptr<Transport>> rizoma_join_mpi(
    const MpiOptions& options, const char* version) {
  if (std::string_view(version) != kVersion) {
    return Error{ErrorCode::unsupported, "the MPI transport " + options.module + " is of Rizoma " +
                                             std::string(kVersion) + ", not " + version + "; install Rizoma again"};
  }
  RIZOMA_ASSIGN(std::unique_ptr<MpiTransport> transport, MpiTransport::join(options));
  return std::unique_ptr<Transport>(std::move(transport));
}

}  // namespace rizoma::mpi
