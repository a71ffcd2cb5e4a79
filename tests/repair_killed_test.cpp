// Repairs that are killed with SIGKILL at random moments: the next one goes on by itself, and nothing is lost.
// RIZOMA_TORTURE_ROUNDS (default 30) says how often.
#include "testing/environment.h"
#include "testing/temporary_directory.h"

#include <rizoma/executor.h>
#include <rizoma/graph.h>

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kVertices = 2'000;
constexpr std::int64_t kDegree = 8;

/// A directed graph, closed, of which one byte of an out-section is damaged: its edges are there from the other end.
void make_damaged(const fs::path& path) {
  {
    OpenOptions options{.mode = OpenMode::create};
    options.schema.directed = true;
    options.schema.section_bits = 6;
    auto graph = Graph::open(path, options);
    ASSERT_TRUE(graph) << graph.error().message;
    std::vector<std::int64_t> sources, targets;
    for (std::int64_t i = 0; i < kVertices * kDegree; ++i) {
      sources.push_back(i % kVertices);
      targets.push_back((i * 7 + i / kVertices) % kVertices);
    }
    ASSERT_TRUE(graph->add_edges({sources, targets, {}}));
    ASSERT_TRUE(graph->checkpoint());
  }
  std::fstream data(path / "data", std::ios::in | std::ios::out | std::ios::binary);
  data.seekp(100);
  data.put('!');
}

/// Of a process that repairs the graph and is killed after `wait`.
void repair_and_be_killed(const fs::path& path, Clock::duration wait) {
  const pid_t victim = ::fork();
  if (victim == 0) {
    SerialExecutor serial;
    ::_exit(Graph::repair(path, serial) ? 0 : 1);
  }
  std::this_thread::sleep_for(wait);
  ::kill(victim, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(victim, &status, 0), victim);
  ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0) << "a repair failed";
}

TEST(RepairKilled, GoesOnByItself) {
  const testing::TemporaryDirectory directory;
  const fs::path damaged = directory / "damaged";
  const fs::path path = directory / "place/g.rz";
  make_damaged(damaged);
  SerialExecutor serial;
  std::mt19937_64 random(1);
  Clock::duration usual{};
  std::uint64_t cut_off = 0;
  const std::uint64_t rounds = from_environment("RIZOMA_TORTURE_ROUNDS", 30);
  for (std::uint64_t round = 0; round <= rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    fs::create_directory(directory / "place");
    fs::copy(damaged, path);
    for (std::uint64_t kills = round == 0 ? 0 : 1 + round % 3; kills > 0 && !HasFailure(); --kills) {
      repair_and_be_killed(
          path, std::chrono::duration_cast<Clock::duration>(usual * std::uniform_real_distribution<>(0, 1.2)(random)));
    }
    cut_off += fs::exists(directory / "place/g.rz.repaired") || fs::exists(directory / "place/g.rz.replaced") ? 1 : 0;
    const auto begun = Clock::now();
    const auto report = Graph::repair(path, serial);
    ASSERT_TRUE(report) << report.error().message;
    usual = round == 0 ? Clock::now() - begun : usual;
    for (const auto& entry : fs::directory_iterator(directory / "place")) {
      const std::string name = entry.path().filename();
      EXPECT_TRUE(name == "g.rz" || name.starts_with("g.rz.damaged")) << name;
    }
    const auto graph = Graph::open(path, {.mode = OpenMode::read_only});
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_EQ(*graph->snapshot()->num_edges(), static_cast<EdgeCount>(kVertices * kDegree));
    EXPECT_TRUE(Graph::check(path, serial)->findings.empty());
    fs::remove_all(directory / "place");
  }
  RecordProperty("left_by_a_kill", static_cast<int>(cut_off));
  if (rounds >= 30) {
    EXPECT_GT(cut_off, rounds / 10);
  }
}

}  // namespace
}  // namespace rizoma
