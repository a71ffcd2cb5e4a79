// Repairs that are killed with SIGKILL, halfway or at random moments: the next one goes on by itself, and nothing is
// lost.  RIZOMA_TORTURE_ROUNDS (default 30) says how often.
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
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kVertices = 2'000;
constexpr std::int64_t kDegree = 8;
constexpr std::streamoff kPage = 4096;

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
  data.seekp(kPage + 100);  // the first page holds the manifest once more
  data.put('!');
}

bool is_begun(const fs::path& path) { return fs::exists(path.string() + ".repaired"); }

/// Stays in one of its calls permanently, once a repaired store has been begun, and says so by a byte in a pipe.
class Halting final : public Executor {
 public:
  Halting(const fs::path& path, std::uint64_t call, int pipe) : path_(path), call_(call), pipe_(pipe) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view phase, double done, double total) override {
    count();
    return serial_.report(phase, done, total);
  }
  void parallel(FunctionRef<void(unsigned thread)> body) override {
    count();
    serial_.parallel(body);
  }
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override {
    count();
    return serial_.for_blocks(size, grain, body);
  }

 private:
  void count() {
    if (!is_begun(path_) || ++calls_ < call_) return;
    static_cast<void>(!::write(pipe_, "!", 1));
    for (;;) ::pause();
  }

  SerialExecutor serial_;
  fs::path path_;
  std::uint64_t call_;
  std::uint64_t calls_ = 0;
  int pipe_;
};

void kill_and_wait(pid_t victim) {
  ::kill(victim, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(victim, &status, 0), victim);
  ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0) << "a repair failed";
}

/// Of a process that repairs the graph and is killed after `wait`.
void repair_and_be_killed(const fs::path& path, Clock::duration wait) {
  const pid_t victim = ::fork();
  if (victim == 0) {
    SerialExecutor serial;
    ::_exit(Graph::repair(path, serial) ? 0 : 1);
  }
  std::this_thread::sleep_for(wait);
  kill_and_wait(victim);
}

/// Of a process that is killed in the `call`-th call of its executor after it has begun the repaired store; false if
/// it has made fewer, and has ended.
bool repair_and_be_killed_in(const fs::path& path, std::uint64_t call) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t victim = ::fork();
  if (victim == 0) {
    ::close(ends[0]);
    Halting halting(path, call, ends[1]);
    ::_exit(Graph::repair(path, halting) ? 0 : 1);
  }
  ::close(ends[1]);
  char halted = 0;
  const bool halfway = ::read(ends[0], &halted, 1) == 1;
  ::close(ends[0]);
  kill_and_wait(victim);
  return halfway;
}

TEST(RepairKilled, GoesOnByItself) {
  const testing::TemporaryDirectory directory;
  const fs::path damaged = directory / "damaged";
  const fs::path path = directory / "place/g.rz";
  make_damaged(damaged);
  SerialExecutor serial;
  std::mt19937_64 random(1);
  Clock::duration usual{};
  int left = 0, halfway = 0;
  const std::uint64_t rounds = from_environment("RIZOMA_TORTURE_ROUNDS", 30);
  for (std::uint64_t round = 0; round <= rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    fs::create_directory(directory / "place");
    fs::copy(damaged, path);
    if (round % 2 == 1) {
      const std::uint64_t call = 1 + round / 2 % 8;
      const bool killed = repair_and_be_killed_in(path, call);
      EXPECT_TRUE(killed || call > 1) << "no executor was called halfway";
      EXPECT_EQ(is_begun(path), killed);
      halfway += killed ? 1 : 0;
    }
    for (std::uint64_t kills = round == 0 ? 0 : (1 + round) % 3; kills > 0 && !HasFailure(); --kills) {
      repair_and_be_killed(
          path, std::chrono::duration_cast<Clock::duration>(usual * std::uniform_real_distribution<>(0, 1.2)(random)));
    }
    left += is_begun(path) || fs::exists(directory / "place/g.rz.replaced") ? 1 : 0;
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
  RecordProperty("killed_halfway", halfway);
  RecordProperty("left_by_a_kill", left);  // how often is chance: most kills come at any moment
}

}  // namespace
}  // namespace rizoma
