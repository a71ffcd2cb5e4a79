// predict: an estimate of how long a sweep takes on a described machine, from its counted traffic.
//
// The model is a roofline (Williams, Waterman, Patterson, CACM 2009) over three kinds of resource;
// a sweep takes as long as the busiest of them, as all work at the same time:
//   threads   The threads of a home do their accesses one after another, several lines at a time:
//             time = sum over flows of lines * latency / lines in flight + edges * seconds an edge.
//   memory    A memory serves all who use it: time = sum over flows of bytes / bandwidth, local
//             flows at the local figure, remote ones at the remote figure.
//   link      What comes from another socket: per pair of sockets and direction, bytes / remote
//             DRAM bandwidth, the fastest that any remote memory can be reached with.
// With bound threads and no stealing a home waits for the slowest one, so imbalance shows as it is.
//
// What it leaves out: caches (count only accesses that miss), queueing near saturation, the mixing
// penalty of reads and writes, and coherence traffic.  It is for comparing placements, not for
// promising seconds.  Cost: O(flows).
// Module: placement.
#pragma once

#include <rizoma/machine_description.h>

#include <span>
#include <string>
#include <vector>

namespace rizoma {

/// Accesses that threads of home `from` made to memory of home `to` in one tier, in one sweep.
struct TrafficFlow {
  unsigned from = 0;
  unsigned to = 0;
  Tier tier = Tier::dram;
  double sequential_read_bytes = 0;
  double sequential_write_bytes = 0;
  double random_reads = 0;  ///< lines of 64 bytes
  double random_writes = 0;
};

/// What a sweep did; homes are sockets.
struct SweepTraffic {
  std::vector<TrafficFlow> flows;
  std::vector<double> edges;       ///< handled by the threads of each home
  double seconds_per_edge = 1e-9;  ///< of one core, everything in its caches
};

struct PredictOptions {
  unsigned threads_per_home = 0;  ///< 0: all that the socket has
};

struct Prediction {
  double seconds = 0;
  std::string bottleneck;            ///< e.g. "threads of home 0", "persistent memory of home 1", "link 0 -> 1"
  std::vector<double> home_seconds;  ///< of each home's threads
};

/// Flows and edges must name homes below machine.sockets and tiers that the machine has (checked as bugs:
/// see valid_for).
[[nodiscard]] Prediction predict(const MachineDescription& machine, const SweepTraffic& traffic,
                                 const PredictOptions& options = {});

/// Whether predict() may be called: all homes and tiers are there.
[[nodiscard]] bool valid_for(const MachineDescription& machine, const SweepTraffic& traffic) noexcept;

/// How the state that a sweep reads at random is spread over the homes.
enum class StateSpread : unsigned char { all_at_home_0, evenly };

/// The shape of a pull sweep (PageRank, connected components, a bottom-up BFS level): for each edge
/// the target id is read in sequence where the section lies, and the neighbour's state at random.
struct PullSweep {
  std::vector<double> edges_at_home;  ///< edge entries whose section has that home
  std::vector<double> vertices_at_home;
  double bytes_per_target = 4;
  double bytes_per_vertex = 8;  ///< written once a vertex, to memory of its own home
  double miss_rate = 1;         ///< share of the random reads that go to memory
  Tier sections = Tier::dram;
  Tier state = Tier::dram;
  StateSpread spread = StateSpread::evenly;
  double bound = 1;  ///< share of a section's work done by threads of its home; the rest by all alike
};

/// Traffic that such a sweep makes: what the engine's counters will say once there are any.
[[nodiscard]] SweepTraffic pull_sweep_traffic(const PullSweep& sweep);

}  // namespace rizoma
