// What messages and one-sided operations between two ranks take.
//
// The other rank waits, so that it answers at once, or computes, as ranks do amid a sweep: an operation that is
// one-sided in truth takes the same in both.
//
// Source: Cui et al., "RGraph: effective distributed graph data processing system based on RDMA", 2022, which compares
// one-sided and two-sided messages by their size.
#pragma once

#include <rizoma/detail/network_times.h>

#include "engine/transport.h"

namespace rizoma {

/// As JoinedRanks::time_network.
[[nodiscard]] Result<NetworkTimes> time_network(Transport& transport, const NetworkTask& task);

}  // namespace rizoma
