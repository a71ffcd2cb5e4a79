#include <rizoma/lab/predict.h>

#include "base/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace rizoma {
namespace {

using testing::HasSubstr;

/// A machine of round figures: local 100 ns, remote 200 ns; local 100 bytes/s and so on, by hand.
MachineDescription round_machine() {
  MachineDescription machine;
  machine.name = "round";
  machine.sockets = 2;
  machine.cores_per_socket = 4;
  machine.threads_per_core = 2;
  machine.random_lines_in_flight = 10;
  machine.sequential_lines_in_flight = 20;
  const AccessFigures local{100e-9, 64e9, 32e9, 64e9, 32e9};
  const AccessFigures remote{200e-9, 16e9, 8e9, 16e9, 8e9};
  machine.tiers[0] = {true, local, remote};
  return machine;
}

TEST(Predict, NothingTakesNoTime) {
  const Prediction prediction = predict(round_machine(), {});
  EXPECT_EQ(prediction.seconds, 0.0);
  EXPECT_EQ(prediction.home_seconds, (std::vector<double>{0, 0}));
}

TEST(Predict, AFewThreadsWaitForLatency) {
  SweepTraffic traffic;
  traffic.flows = {{.from = 0, .to = 0, .random_reads = 1e6}};
  // One core, ten lines of 100 ns in flight: 10 ns each.
  const Prediction prediction = predict(round_machine(), traffic, {.threads_per_home = 1});
  EXPECT_NEAR(prediction.seconds, 10e-3, 1e-9);
  EXPECT_EQ(prediction.bottleneck, "threads of home 0");
}

TEST(Predict, ManyThreadsWaitForBandwidth) {
  MachineDescription machine = round_machine();
  machine.cores_per_socket = 100;
  SweepTraffic traffic;
  traffic.flows = {{.from = 0, .to = 0, .sequential_read_bytes = 64e9},
                   {.from = 0, .to = 0, .sequential_write_bytes = 32e9}};
  const Prediction prediction = predict(machine, traffic);
  EXPECT_NEAR(prediction.seconds, 2.0, 1e-9);  // one second each, on the same memory
  EXPECT_EQ(prediction.bottleneck, "DRAM of home 0");
}

TEST(Predict, ThreadsBeyondTheCoresAddNothingButAreCapped) {
  SweepTraffic traffic;
  traffic.flows = {{.from = 1, .to = 1, .random_reads = 1e3}};
  traffic.seconds_per_edge = 0;
  const MachineDescription machine = round_machine();
  EXPECT_DOUBLE_EQ(predict(machine, traffic, {.threads_per_home = 4}).home_seconds[1],
                   predict(machine, traffic, {.threads_per_home = 100}).home_seconds[1]);
}

TEST(Predict, TheLinkCarriesAllTiersTogether) {
  MachineDescription machine = describe_optane_two_sockets();
  machine.cores_per_socket = 100000;
  SweepTraffic traffic;
  for (const Tier tier : {Tier::dram, Tier::persistent}) {
    traffic.flows.push_back({.from = 0, .to = 1, .tier = tier, .sequential_read_bytes = 1e9});
  }
  machine.tiers[1].remote.sequential_read = 1e15;
  const Prediction prediction = predict(machine, traffic);
  EXPECT_EQ(prediction.bottleneck, "link 0 -> 1");
  EXPECT_NEAR(prediction.seconds, 2e9 / 55.7e9, 1e-6);
}

TEST(Predict, RefusesHomesAndTiersThatAreNotThere) {
  const MachineDescription machine = round_machine();
  SweepTraffic traffic;
  traffic.flows = {{.from = 2, .to = 0}};
  EXPECT_FALSE(valid_for(machine, traffic));
  EXPECT_THROW((void)predict(machine, traffic), InternalError);
  traffic.flows = {{.from = 0, .to = 0, .tier = Tier::cxl}};
  EXPECT_FALSE(valid_for(machine, traffic));
  traffic.flows.clear();
  traffic.edges = {1, 1, 1};
  EXPECT_FALSE(valid_for(machine, traffic));
}

TEST(PullSweepTraffic, KeepsTheTotals) {
  const PullSweep sweep{.edges_at_home = {600, 200}, .vertices_at_home = {40, 40}, .miss_rate = 0.5, .bound = 0.9};
  const SweepTraffic traffic = pull_sweep_traffic(sweep);
  double targets = 0, states = 0, reads = 0;
  for (const TrafficFlow& flow : traffic.flows) {
    targets += flow.sequential_read_bytes;
    states += flow.sequential_write_bytes;
    reads += flow.random_reads;
  }
  EXPECT_NEAR(targets, 800 * 4, 1e-9);
  EXPECT_NEAR(states, 80 * 8, 1e-9);
  EXPECT_NEAR(reads, 400, 1e-9);
  EXPECT_NEAR(std::accumulate(traffic.edges.begin(), traffic.edges.end(), 0.0), 800, 1e-9);
  EXPECT_NEAR(traffic.edges[0], 0.9 * 600 + 0.05 * 800, 1e-9);
}

// ---- directions that the papers report ------------------------------------------------------------

/// Orkut as the dissertation counted it (sections 4.3 and 5.1): edges in two halves of its 3,145,728 ids.
PullSweep orkut(double first, double second, double bound) {
  return {.edges_at_home = {first, second},
          .vertices_at_home = {1572864, 1572864},
          .miss_rate = 0.3,
          .sections = Tier::persistent,
          .bound = bound};
}

double seconds(const PullSweep& sweep) {
  return predict(describe_optane_two_sockets(), pull_sweep_traffic(sweep)).seconds;
}

TEST(PredictedDirections, BoundThreadsOnHalvesLoseToRoundRobinByTheImbalance) {
  const double halves = seconds(orkut(160276767, 77239127, 1));        // 67% / 33%
  const double round_robin = seconds(orkut(118729840, 118786054, 1));  // 50% / 50%
  EXPECT_NEAR(halves / round_robin, 160276767.0 / 118786054.0, 0.01);
}

TEST(PredictedDirections, BindingTheThreadsMadeHalvesWorse) {  // dissertation, section 4.3
  EXPECT_GT(seconds(orkut(160276767, 77239127, 1)), seconds(orkut(160276767, 77239127, 0)));
}

TEST(PredictedDirections, BoundRoundRobinBeatsEverythingOnOneNode) {  // DGAP RR against DGAP, tables 5.2 and 5.3
  PullSweep one_node = orkut(237515894, 0, 0);
  one_node.vertices_at_home = {3145728, 0};
  EXPECT_LT(seconds(orkut(118729840, 118786054, 1)), seconds(one_node));
}

TEST(PredictedDirections, PersistentMemoryIsSlowerThanDramAndRemoteThanLocal) {  // SC'21, Table 2
  const MachineDescription machine = describe_optane_four_sockets();
  const auto read = [&](Tier tier, unsigned to) {
    SweepTraffic traffic;
    traffic.flows = {{.from = 0, .to = to, .tier = tier, .sequential_read_bytes = 1e10}};
    return predict(machine, traffic).seconds;
  };
  EXPECT_NEAR(read(Tier::dram, 0), 10 / 103.67, 1e-6);
  EXPECT_NEAR(read(Tier::dram, 1), 10 / 34.3, 1e-6);
  EXPECT_NEAR(read(Tier::persistent, 0), 10 / 32.42, 1e-6);
  EXPECT_GT(read(Tier::persistent, 1), read(Tier::persistent, 0));
}

TEST(MachineDescriptions, AreCompleteAndSlowerFromAfar) {
  for (const std::string_view name : machine_names()) {
    const MachineDescription* machine = find_machine(name);
    ASSERT_NE(machine, nullptr) << name;
    EXPECT_TRUE(machine->tier(Tier::dram).present);
    for (const TierDescription& tier : machine->tiers) {
      if (!tier.present) continue;
      EXPECT_GT(tier.local.latency_seconds, 0) << name;
      EXPECT_GT(tier.remote.latency_seconds, tier.local.latency_seconds) << name;
      EXPECT_GE(tier.local.sequential_read, tier.remote.sequential_read) << name;
      EXPECT_GE(tier.local.random_write, tier.remote.random_write) << name;
      EXPECT_GE(tier.local.sequential_read, tier.local.random_read) << name;
    }
  }
  EXPECT_EQ(find_machine("abacus"), nullptr);
}

}  // namespace
}  // namespace rizoma
