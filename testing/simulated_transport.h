// SimulatedCluster: the ranks of a run as threads of one process, on a network that delays and
// reorders: a write arrives at some time before the next barrier, in any order among its fellows; of a
// round, each rank sends and receives in an order of its own; a message comes late, and after younger ones of
// other ranks; one rank in four is slow.
#pragma once

#include "engine/transport.h"

#include <rizoma/detail/function_ref.h>

#include <cstdint>

namespace rizoma {

/// Runs body(transport) once on each of `ranks` threads, with that rank's transport; returns when all
/// have.  The first exception of a body is rethrown.  A rank that leaves (returns or throws) while
/// others wait for it makes their call fail with ErrorCode::io and its name, so nothing hangs.
/// `seed` chooses delays and order; with 4 to 7, 12 to 15 and so on ranks share memory.
void run_simulated_cluster(Rank ranks, std::uint64_t seed, FunctionRef<void(Transport& transport)> body);

}  // namespace rizoma
