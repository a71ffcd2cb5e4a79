#include <rizoma/lab/predict.h>

#include "base/check.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace rizoma {
namespace {

constexpr double kLine = 64;
constexpr std::array<const char*, kTiers> kKindsOfMemory{"DRAM", "persistent memory", "CXL memory"};

const AccessFigures& figures_of(const MachineDescription& machine, const TrafficFlow& flow) {
  const TierDescription& tier = machine.tier(flow.tier);
  return flow.from == flow.to ? tier.local : tier.remote;
}

double bytes_of(const TrafficFlow& flow) {
  return flow.sequential_read_bytes + flow.sequential_write_bytes + kLine * (flow.random_reads + flow.random_writes);
}

/// Seconds for which `cores` cores wait for the flow's lines.
double waiting_seconds(const MachineDescription& machine, const TrafficFlow& flow, double cores) {
  const double latency = figures_of(machine, flow).latency_seconds;
  const double sequential = (flow.sequential_read_bytes + flow.sequential_write_bytes) / kLine;
  const double random = flow.random_reads + flow.random_writes;
  return latency / cores * (sequential / machine.sequential_lines_in_flight + random / machine.random_lines_in_flight);
}

/// Seconds for which the memory that the flow goes to is busy with it.
double serving_seconds(const MachineDescription& machine, const TrafficFlow& flow) {
  const AccessFigures& figures = figures_of(machine, flow);
  return flow.sequential_read_bytes / figures.sequential_read + flow.sequential_write_bytes / figures.sequential_write +
         kLine * flow.random_reads / figures.random_read + kLine * flow.random_writes / figures.random_write;
}

/// Keeps the longest of several times.
class Slowest {
 public:
  explicit Slowest(Prediction& prediction) : prediction_(prediction) {}
  void tell(double seconds, std::string name) {
    if (seconds <= prediction_.seconds) return;
    prediction_.seconds = seconds;
    prediction_.bottleneck = std::move(name);
  }

 private:
  Prediction& prediction_;
};

std::vector<double> thread_seconds(const MachineDescription& machine, const SweepTraffic& traffic, unsigned threads) {
  // Hyperthreads share their core's buffers, so that cores, not threads, set what is in flight.
  const double cores = std::min(threads, machine.cores_per_socket);
  std::vector<double> seconds(machine.sockets, 0.0);
  for (const TrafficFlow& flow : traffic.flows) seconds[flow.from] += waiting_seconds(machine, flow, cores);
  for (std::size_t home = 0; home < traffic.edges.size(); ++home) {
    seconds[home] += traffic.edges[home] * traffic.seconds_per_edge / cores;
  }
  return seconds;
}

void tell_memories(const MachineDescription& machine, const SweepTraffic& traffic, Slowest& slowest) {
  std::vector<std::array<double, kTiers>> busy(machine.sockets);
  for (const TrafficFlow& flow : traffic.flows) {
    busy[flow.to][static_cast<std::size_t>(flow.tier)] += serving_seconds(machine, flow);
  }
  for (unsigned home = 0; home < machine.sockets; ++home) {
    for (std::size_t tier = 0; tier < kTiers; ++tier) {
      slowest.tell(busy[home][tier], std::string(kKindsOfMemory[tier]) + " of home " + std::to_string(home));
    }
  }
}

void tell_links(const MachineDescription& machine, const SweepTraffic& traffic, Slowest& slowest) {
  const double rate = machine.tier(Tier::dram).remote.sequential_read;
  std::vector<double> bytes(std::size_t{machine.sockets} * machine.sockets, 0.0);
  for (const TrafficFlow& flow : traffic.flows) {
    if (flow.from != flow.to) bytes[flow.from * machine.sockets + flow.to] += bytes_of(flow);
  }
  for (unsigned from = 0; from < machine.sockets; ++from) {
    for (unsigned to = 0; to < machine.sockets; ++to) {
      slowest.tell(bytes[from * machine.sockets + to] / rate,
                   "link " + std::to_string(from) + " -> " + std::to_string(to));
    }
  }
}

}  // namespace

bool valid_for(const MachineDescription& machine, const SweepTraffic& traffic) noexcept {
  return machine.tier(Tier::dram).present && traffic.edges.size() <= machine.sockets &&
         std::all_of(traffic.flows.begin(), traffic.flows.end(), [&](const TrafficFlow& flow) {
           return flow.from < machine.sockets && flow.to < machine.sockets && machine.tier(flow.tier).present;
         });
}

Prediction predict(const MachineDescription& machine, const SweepTraffic& traffic, const PredictOptions& options) {
  RIZOMA_CHECK(valid_for(machine, traffic));
  const unsigned all = machine.cores_per_socket * machine.threads_per_core;
  Prediction prediction;
  prediction.home_seconds =
      thread_seconds(machine, traffic, options.threads_per_home == 0 ? all : std::min(options.threads_per_home, all));
  Slowest slowest(prediction);
  for (unsigned home = 0; home < machine.sockets; ++home) {
    slowest.tell(prediction.home_seconds[home], "threads of home " + std::to_string(home));
  }
  tell_memories(machine, traffic, slowest);
  tell_links(machine, traffic, slowest);
  return prediction;
}

SweepTraffic pull_sweep_traffic(const PullSweep& sweep) {
  RIZOMA_CHECK(sweep.edges_at_home.size() == sweep.vertices_at_home.size());
  const auto homes = static_cast<unsigned>(sweep.edges_at_home.size());
  SweepTraffic traffic;
  traffic.edges.assign(homes, 0.0);
  for (unsigned from = 0; from < homes; ++from) {
    for (unsigned to = 0; to < homes; ++to) {
      // Threads of `from` do their share of the sections at `to` ..
      const double share = (from == to ? sweep.bound : 0.0) + (1 - sweep.bound) / homes;
      const double edges = share * sweep.edges_at_home[to];
      if (edges == 0) continue;
      traffic.edges[from] += edges;
      traffic.flows.push_back(
          {.from = from, .to = to, .tier = sweep.sections, .sequential_read_bytes = edges * sweep.bytes_per_target});
      traffic.flows.push_back({.from = from,
                               .to = to,
                               .tier = sweep.state,
                               .sequential_write_bytes = share * sweep.vertices_at_home[to] * sweep.bytes_per_vertex});
      // .. and find the neighbours' state wherever it lies.
      const unsigned places = sweep.spread == StateSpread::evenly ? homes : 1;
      for (unsigned place = 0; place < places; ++place) {
        traffic.flows.push_back(
            {.from = from, .to = place, .tier = sweep.state, .random_reads = edges * sweep.miss_rate / places});
      }
    }
  }
  return traffic;
}

}  // namespace rizoma
