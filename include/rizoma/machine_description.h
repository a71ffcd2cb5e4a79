// MachineDescription: what a machine's memories can do, as plain figures.
//
// Used by predict() to estimate sweep times on machines that are not at hand.  The built-in
// descriptions give each figure with its source; a figure that nobody has published is marked
// "assumed" there.  A description of the present machine can be made from the probe's results.
// Module: placement.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {

/// What a structure may lie in.
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

}  // namespace rizoma
