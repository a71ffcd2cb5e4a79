// Sources, by the short names used below:
//   [UNESP]  L. Spagnol, master's dissertation, UNESP 2025.
//   [ERAD]   Spagnol et al., "Investigando Fatores de Desempenho em Dispositivos Persistentes", ERAD-SP 2024.
//   [SC21]   Ghosh et al., SC'21; Table 2 was measured with Intel's Memory Latency Checker (MLC).
//   [UCSD]   Izraelevitz et al., "Basic Performance Measurements of the Intel Optane DC Persistent
//            Memory Module", arXiv:1903.05714: six interleaved modules of a socket.
//   [MLC-x]  github.com/gjbex/Code-optimization, info/x_mlc.txt: outputs of MLC on two-socket nodes
//            (icelake: Xeon 8360Y, 8 x DDR4-3200 a socket; cascadelake; sapphirerapids).
//   [OCP]    github.com/intel/CacheLib/wiki/OCP-demo-configuration: two Xeon 8470, three CXL
//            expanders a socket, figures of one expander.
#include <rizoma/lab/predict.h>

#include <array>

namespace rizoma {
namespace {

constexpr double kGB = 1e9;
constexpr double kNs = 1e-9;

TierDescription& tier_of(MachineDescription& machine, Tier tier) {
  TierDescription& description = machine.tiers[static_cast<std::size_t>(tier)];
  description.present = true;
  return description;
}

}  // namespace

MachineDescription describe_optane_two_sockets() {
  MachineDescription machine;
  machine.name = "optane-2s";
  machine.sockets = 2;            // [UNESP] 5.4: two Xeon Gold 5317
  machine.cores_per_socket = 12;  // [UNESP] 5.5.1: 48 threads are 24 a node, hyperthreads included
  machine.threads_per_core = 2;
  machine.random_lines_in_flight = 12;      // assumed: fill buffers of a first-level cache since Skylake
  machine.sequential_lines_in_flight = 48;  // assumed: queue between second-level cache and mesh, Ice Lake

  // Memory speed of the Gold 5317 is DDR4-2933; [MLC-icelake] was DDR4-3200, all eight channels:
  // bandwidths are scaled by 2933 / 3200.  That all eight channels carry DRAM is assumed.
  constexpr double kClock = 2933.0 / 3200.0;
  TierDescription& dram = tier_of(machine, Tier::dram);
  dram.local.latency_seconds = 89.2 * kNs;                           // [MLC-icelake]
  dram.local.sequential_read = 175.7 * kClock * kGB;                 // [MLC-icelake]
  dram.local.random_read = 0.945 * dram.local.sequential_read;       // ratio of [SC21] Table 2: 97.95 / 103.67
  dram.local.sequential_write = 0.416 * dram.local.sequential_read;  // ratio of [SC21] Table 2: 43.14 / 103.67
  dram.local.random_write = 0.407 * dram.local.sequential_read;      // ratio of [SC21] Table 2: 42.16 / 103.67
  dram.remote.latency_seconds = 142.7 * kNs;                         // [MLC-icelake]
  dram.remote.sequential_read = 55.7 * kGB;                          // [MLC-icelake]: the link between the sockets
  dram.remote.random_read = 55.7 * kGB;                              // as sequential: [SC21] Table 2, 34.27 of 34.3
  dram.remote.sequential_write = 0.916 * 55.7 * kGB;                 // ratio of [SC21] Table 2: 31.42 / 34.3
  dram.remote.random_write = 0.866 * 55.7 * kGB;                     // ratio of [SC21] Table 2: 29.72 / 34.3

  // Four modules a socket ([UNESP] 5.4), of a later series than [UCSD]'s six, whose figures are taken
  // in proportion: bandwidth is about linear in the number of modules.
  constexpr double kModules = 4.0 / 6.0;
  TierDescription& optane = tier_of(machine, Tier::persistent);
  optane.local.latency_seconds = 305 * kNs;                    // [UCSD] random load
  optane.local.sequential_read = 39.4 * kModules * kGB;        // [UCSD]
  optane.local.random_read = 39.4 / 4 * kModules * kGB;        // [UCSD] sequential is four times random
  optane.local.sequential_write = 13.9 * kModules * kGB;       // [UCSD]
  optane.local.random_write = 13.9 / 4 * kModules * kGB;       // [UCSD] sequential is four times random
  optane.remote.latency_seconds = (305 + 142.7 - 89.2) * kNs;  // the link adds as much as to DRAM
  // [ERAD] section 2: PageRank, which mostly reads, is about 15% slower from the other socket.
  optane.remote.sequential_read = 0.85 * optane.local.sequential_read;
  optane.remote.random_read = 0.85 * optane.local.random_read;
  // [UNESP] 2.4 reports, without a figure, that remote writes suffer much more than reads: half is assumed.
  optane.remote.sequential_write = 0.5 * optane.local.sequential_write;
  optane.remote.random_write = 0.5 * optane.local.random_write;
  return machine;
}

MachineDescription describe_optane_four_sockets() {
  MachineDescription machine;
  machine.name = "optane-4s";
  machine.sockets = 4;                      // [SC21] 4.1: Xeon Platinum 8260
  machine.cores_per_socket = 24;            // [SC21] 4.1
  machine.threads_per_core = 2;             // [SC21] 4.1: 192 hardware threads
  machine.random_lines_in_flight = 12;      // assumed: as above
  machine.sequential_lines_in_flight = 32;  // assumed: queue of Skylake and Cascade Lake

  TierDescription& dram = tier_of(machine, Tier::dram);
  dram.local.latency_seconds = 80.8 * kNs;    // [MLC-cascadelake]
  dram.local.sequential_read = 103.67 * kGB;  // [SC21] Table 2, as the others without a source
  dram.local.random_read = 97.95 * kGB;
  dram.local.sequential_write = 43.14 * kGB;
  dram.local.random_write = 42.16 * kGB;
  dram.remote.latency_seconds = 140.4 * kNs;  // [MLC-cascadelake]
  dram.remote.sequential_read = 34.3 * kGB;
  dram.remote.random_read = 34.27 * kGB;
  dram.remote.sequential_write = 31.42 * kGB;
  dram.remote.random_write = 29.72 * kGB;

  TierDescription& optane = tier_of(machine, Tier::persistent);  // [SC21] Table 2, PMM (fsdax)
  optane.local.latency_seconds = 305 * kNs;                      // [UCSD] random load
  optane.local.sequential_read = 32.42 * kGB;
  optane.local.random_read = 10.44 * kGB;
  optane.local.sequential_write = 2.79 * kGB;
  optane.local.random_write = 3.71 * kGB;
  optane.remote.latency_seconds = (305 + 140.4 - 80.8) * kNs;  // the link adds as much as to DRAM
  optane.remote.sequential_read = 32.02 * kGB;
  optane.remote.random_read = 10.36 * kGB;
  optane.remote.sequential_write = 2.78 * kGB;
  optane.remote.random_write = 3.63 * kGB;
  return machine;
}

MachineDescription describe_cxl_two_sockets() {
  MachineDescription machine;
  machine.name = "cxl-2s";
  machine.sockets = 2;            // [OCP]
  machine.cores_per_socket = 52;  // [OCP]
  machine.threads_per_core = 2;
  machine.random_lines_in_flight = 16;      // assumed: fill buffers of Golden Cove
  machine.sequential_lines_in_flight = 48;  // assumed

  TierDescription& dram = tier_of(machine, Tier::dram);
  dram.local.latency_seconds = 95.4 * kNs;                      // [MLC-sapphirerapids], within a quarter of a socket
  dram.local.sequential_read = 491.9 / 2 * kGB;                 // [MLC-sapphirerapids], all reads, of two sockets
  dram.local.random_read = 0.945 * dram.local.sequential_read;  // ratio of [SC21] Table 2
  dram.local.sequential_write = 0.416 * dram.local.sequential_read;  // ratio of [SC21] Table 2
  dram.local.random_write = 0.407 * dram.local.sequential_read;      // ratio of [SC21] Table 2
  dram.remote.latency_seconds = 188.3 * kNs;                         // [MLC-sapphirerapids]
  // [MLC-sapphirerapids] gives 56.3 for a quarter of a socket's memory (whose local figure is 61.4), so
  // that the memory and not the link sets it; the link of a whole socket: twice that is assumed.
  dram.remote.sequential_read = 2 * 56.3 * kGB;
  dram.remote.random_read = dram.remote.sequential_read;
  dram.remote.sequential_write = 0.916 * dram.remote.sequential_read;  // ratio of [SC21] Table 2
  dram.remote.random_write = 0.866 * dram.remote.sequential_read;      // ratio of [SC21] Table 2

  // [OCP]: one expander reads 17.8 GB/s and, half reading and half writing, 27.2 GB/s; 250 ns.
  constexpr double kExpanders = 3;
  TierDescription& cxl = tier_of(machine, Tier::cxl);
  cxl.local.latency_seconds = 250 * kNs;
  cxl.local.sequential_read = 17.8 * kExpanders * kGB;
  cxl.local.sequential_write = 27.2 / 2 * kExpanders * kGB;  // the writing half of the mixed figure
  cxl.local.random_read = cxl.local.sequential_read;         // the medium is DRAM: as sequential, assumed
  cxl.local.random_write = cxl.local.sequential_write;
  cxl.remote.latency_seconds = (250 + 188.3 - 95.4) * kNs;  // the link adds as much as to DRAM
  cxl.remote.sequential_read = cxl.local.sequential_read;   // the expander is slower than the link
  cxl.remote.sequential_write = cxl.local.sequential_write;
  cxl.remote.random_read = cxl.local.random_read;
  cxl.remote.random_write = cxl.local.random_write;
  return machine;
}

namespace {

constexpr std::array<std::string_view, 3> kNames{"optane-2s", "optane-4s", "cxl-2s"};

}  // namespace

std::span<const std::string_view> machine_names() noexcept { return kNames; }

const MachineDescription* find_machine(std::string_view name) {
  static const std::array<MachineDescription, kNames.size()> machines{
      describe_optane_two_sockets(), describe_optane_four_sockets(), describe_cxl_two_sockets()};
  for (const MachineDescription& machine : machines) {
    if (machine.name == name) return &machine;
  }
  return nullptr;
}

}  // namespace rizoma
