// The ranks of this test program, if mpiexec has started several.
#pragma once

#include "engine/transport.h"

namespace rizoma {

/// The transport of this process; null if it was not started by mpiexec with RIZOMA_TEST_MPI_MODULE set to the
/// module's path.  Joined at the first call; throws std::runtime_error if that fails.
[[nodiscard]] Transport* mpi_ranks();
/// Leaves the run, if it was joined: the last thing the program does.
void leave_mpi_ranks();

}  // namespace rizoma
