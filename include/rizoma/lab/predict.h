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
// With bound threads and no stealing a home waits for the slowest one, so imbalance costs its full time.
//
// What it leaves out: caches (count only accesses that miss), queueing near saturation, the mixing
// penalty of reads and writes, and coherence traffic.  It is for comparing placements, not for
// promising seconds.  Cost: O(flows).
// Module: placement.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

// MachineDescription: what a machine's memories can do, as plain figures.
//
// Used by predict() to estimate sweep times on machines that are not at hand.  The built-in
// descriptions give each figure with its source; a figure without a published source is marked
// "assumed" there.  A description of the present machine can be made from the probe's results.

/// The memory that a structure may be in.
enum class Tier : unsigned char { dram, persistent, cxl };
inline constexpr std::size_t kTiers = 3;

/// What one socket's memory of one tier gives to the threads of one socket, all of them together.
/// Bandwidths in bytes a second; a random access moves one 64-byte line.
struct AccessFigures {
  double latency_seconds = 0;  ///< of one dependent random load
  double sequential_read = 0;
  double sequential_write = 0;
  double random_read = 0;
  double random_write = 0;
};

/// Memory of one tier; the same at each socket.
struct TierDescription {
  bool present = false;
  AccessFigures local;
  AccessFigures remote;  ///< from another socket
};

struct MachineDescription {
  std::string name;
  unsigned sockets = 1;
  unsigned cores_per_socket = 1;
  unsigned threads_per_core = 1;
  /// Cache lines that one core keeps on the way from memory at a time: for accesses that the program
  /// chooses (fill buffers of the first cache), and for those that the prefetcher foresees.
  double random_lines_in_flight = 10;
  double sequential_lines_in_flight = 32;
  std::array<TierDescription, kTiers> tiers{};

  [[nodiscard]] const TierDescription& tier(Tier t) const noexcept { return tiers[static_cast<std::size_t>(t)]; }
};

/// Two sockets with Optane: the server of Spagnol's dissertation (UNESP, 2025), section 5.4.
[[nodiscard]] MachineDescription describe_optane_two_sockets();
/// Four sockets with Optane: the server of Ghosh et al. (SC'21), section 4.1 and Table 2.
[[nodiscard]] MachineDescription describe_optane_four_sockets();
/// Two sockets with DDR5 and three CXL expanders each.
[[nodiscard]] MachineDescription describe_cxl_two_sockets();

/// The names of the built-in descriptions, and one by its name; null if there is none.
[[nodiscard]] std::span<const std::string_view> machine_names() noexcept;
[[nodiscard]] const MachineDescription* find_machine(std::string_view name);

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

/// Predicts the traffic of such a sweep, as the engine's counters report it.
[[nodiscard]] SweepTraffic pull_sweep_traffic(const PullSweep& sweep);

}  // namespace rizoma
