// Torture: real processes that write to a graph on disk and are killed with SIGKILL at random moments,
// again and again on the same graph, beside readers in other processes.
//
// Several writer threads acknowledge each batch through a pipe to the parent, which holds the model: after
// each kill every writer's batches must be a prefix that reaches at least to its last acknowledgement and at
// most one batch further, each whole, and `check` must find nothing.  Another thread of the victim compacts
// and checkpoints.  Imports are killed too: nothing or everything is there afterwards.
// RIZOMA_TORTURE_ROUNDS (default 30) says how often; `make torture` runs thousands of rounds.
#include "platform/thread_pool.h"
#include "testing/environment.h"
#include "testing/ingest_support.h"

#include <rizoma/graph.h>

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kWriters = 3;
constexpr std::int64_t kHubs = 40;

std::uint64_t rounds() { return from_environment("RIZOMA_TORTURE_ROUNDS", 30); }

/// Batch `k` of `writer`: edges from a vertex of its own to some of the hubs.
std::int64_t source_of(unsigned writer, std::uint64_t k) {
  return 1000 + static_cast<std::int64_t>(kWriters * k + writer);
}
std::uint64_t edges_of(unsigned writer, std::uint64_t k) { return 1 + (k * 5 + writer) % 30; }
EdgeBatch batch_of(unsigned writer, std::uint64_t k) {
  std::vector<std::int64_t> sources, targets;
  for (std::uint64_t i = 0; i < edges_of(writer, k); ++i) {
    sources.push_back(source_of(writer, k));
    targets.push_back(static_cast<std::int64_t>((i + k) % kHubs));
  }
  return {std::move(sources), std::move(targets), {}};
}

/// A batch also removes the edges of the one kBehind before it.
constexpr std::uint64_t kBehind = 4;
Batch change_of(unsigned writer, std::uint64_t k) {
  Batch batch;
  batch.add_edges(batch_of(writer, k));
  if (k >= kBehind) batch.remove_edges(batch_of(writer, k - kBehind), Missing::error);
  return batch;
}

using Counts = std::array<std::uint64_t, kWriters>;

/// How many batches of each writer are there; an Error if one is there in part, or out of turn.
/// `removing`: batches removed edges, too.
Result<Counts> count_batches(const Snapshot& snapshot, bool removing) {
  Counts counts{};
  EdgeCount edges = 0;
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    std::vector<std::uint64_t> degrees;
    for (;;) {
      const auto vertex = snapshot.find(source_of(writer, degrees.size()));
      if (!vertex && vertex.error().code == ErrorCode::not_found) break;
      if (!vertex) return vertex.error();
      RIZOMA_ASSIGN(const auto targets, snapshot.neighbors(*vertex));
      degrees.push_back(targets.size());
    }
    counts[writer] = degrees.size();
    for (std::uint64_t k = 0; k < degrees.size(); ++k) {
      const std::uint64_t expected = removing && k + kBehind < degrees.size() ? 0 : edges_of(writer, k);
      edges += expected;
      if (degrees[k] == expected) continue;
      return Error{ErrorCode::invalid_argument, "batch " + std::to_string(k) + " of " + std::to_string(degrees.size()) +
                                                    " of writer " + std::to_string(writer) + " has " +
                                                    std::to_string(degrees[k]) + " edges, not " +
                                                    std::to_string(expected)};
    }
  }
  RIZOMA_ASSIGN(const EdgeCount found, snapshot.num_edges());
  if (found == edges) return counts;
  return Error{ErrorCode::invalid_argument, "there are " + std::to_string(found) + " edges, not " +
                                                std::to_string(edges) + ": a batch is there whose predecessor is not"};
}

struct Acknowledgement {
  std::uint32_t writer;
  std::uint32_t batch;
};

OpenOptions options_of(std::uint64_t round) {
  OpenOptions options;
  options.schema.ids = IdKind::integer;
  options.schema.directed = true;
  options.schema.section_bits = 4;
  options.log_limit = 4096u << (round % 8);
  options.durability = static_cast<Durability>(round % 3);
  return options;
}

/// A process that runs `body` until it is killed; what it writes into the pipe is read at the end.
class Victim {
 public:
  template <class Body>
  explicit Victim(Body body) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::close(ends[0]);
      body(ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() {
    if (process_ > 0) kill_and_read();
    ::close(pipe_);
  }

  std::string kill_and_read() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status_, 0);
    process_ = 0;
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(pipe_, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(got));
    return text;
  }
  /// Exit status of a victim that ended before it was killed; 0 if it was killed.
  [[nodiscard]] int own_end() const {
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : WTERMSIG(status_) == SIGKILL ? 0 : 255;
  }

 private:
  pid_t process_ = 0;
  int pipe_ = -1;
  int status_ = 0;
};

void say(int pipe, const std::string& text) { static_cast<void>(!::write(pipe, text.data(), text.size())); }

void write_batches(Graph& graph, unsigned writer, std::uint64_t first, int pipe) {
  for (std::uint64_t k = first;; ++k) {
    if (!graph.apply(change_of(writer, k))) ::_exit(3);
    const Acknowledgement done{writer, static_cast<std::uint32_t>(k)};
    if (::write(pipe, &done, sizeof done) != sizeof done) ::_exit(0);
  }
}

void maintain(Graph& graph, std::uint64_t seed) {
  SerialExecutor serial;
  for (std::mt19937_64 random(seed);;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 5));
    Status status;
    switch (random() % 4) {
      case 0: status = graph.compact(serial); break;
      case 1: status = graph.compact(serial, random() % 2 == 0 ? VertexOrder::degree : VertexOrder::given); break;
      case 2: status = graph.checkpoint(); break;
      default: status = graph.flush(); break;
    }
    if (!status) ::_exit(4);
  }
}

/// The life of a writing process.
void write_until_killed(const fs::path& path, std::uint64_t round, const Counts& present, int pipe) {
  auto graph = Graph::open(path, options_of(round));
  if (!graph) {
    say(pipe, graph.error().message);
    ::_exit(2);
  }
  std::vector<std::thread> threads;
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] { write_batches(*graph, writer, present[writer], pipe); });
  }
  if (round % 2 == 1) threads.emplace_back([&] { maintain(*graph, round); });
  for (std::thread& thread : threads) thread.join();
}

/// The life of a reading process: it sees whole prefixes, never fewer than before.
void read_until_killed(const fs::path& path, int pipe) {
  Counts seen{};
  const auto fail = [&](const std::string& message) {
    say(pipe, message);
    ::_exit(5);
  };
  for (;;) {
    const auto graph = Graph::open(path, {.mode = OpenMode::read_only});
    if (!graph && graph.error().code == ErrorCode::not_found) continue;
    if (!graph) fail("cannot open: " + graph.error().message);
    const auto snapshot = graph->snapshot();
    if (!snapshot) fail("no snapshot: " + snapshot.error().message);
    const auto counts = count_batches(*snapshot, true);
    // The writer may have reused what this opening read: it is told so, and opens anew.
    if (!counts && counts.error().code == ErrorCode::corrupt) continue;
    if (!counts) fail(counts.error().message);
    for (unsigned writer = 0; writer < kWriters; ++writer) {
      if ((*counts)[writer] < seen[writer]) fail("what was seen is gone");
    }
    seen = *counts;
  }
}

/// After a kill: whole prefixes that hold what was acknowledged, and nothing to be found by check.
void expect_whole(const fs::path& path, const std::string& acknowledgements, Counts& present, std::uint64_t round) {
  Counts acknowledged = present;
  for (std::size_t at = 0; at + sizeof(Acknowledgement) <= acknowledgements.size(); at += sizeof(Acknowledgement)) {
    Acknowledgement done{};
    std::memcpy(&done, acknowledgements.data() + at, sizeof done);
    acknowledged[done.writer] = done.batch + 1;
  }
  if (!fs::exists(path)) return;
  auto graph = Graph::open(path, options_of(round + 1));
  ASSERT_TRUE(graph) << graph.error().message;
  const auto counts = count_batches(*graph->snapshot(), true);
  ASSERT_TRUE(counts) << counts.error().message;
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    EXPECT_GE((*counts)[writer], acknowledged[writer]) << "writer " << writer << ": an acknowledged batch is lost";
    EXPECT_LE((*counts)[writer], acknowledged[writer] + 1) << "writer " << writer << ": batches that were never begun";
  }
  present = *counts;
  ASSERT_TRUE(graph->close());
  SerialExecutor serial;
  const auto report = Graph::check(path, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty()) << report->findings[0].where << ": " << report->findings[0].what;
}

/// Bounds of the longest life, in microseconds.
constexpr std::uint64_t kShortLife = 60'000;
constexpr std::uint64_t kLongLife = 2'000'000;

TEST(Torture, KilledWritersLoseNothingAcknowledged) {
  const testing::TemporaryDirectory directory;
  std::mt19937_64 random(rounds());
  fs::path path;
  Counts present{};
  std::uint64_t batches = 0;
  std::uint64_t longest_life = kShortLife;
  for (std::uint64_t round = 0; round < rounds() && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    if (round % 25 == 0) {
      if (!path.empty()) fs::remove_all(path);
      path = directory / ("graph" + std::to_string(round));
      present = {};
    }
    Victim reader([&](int pipe) { read_until_killed(path, pipe); });
    Victim writer([&](int pipe) { write_until_killed(path, round, present, pipe); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % longest_life));
    const std::string acknowledgements = writer.kill_and_read();
    ASSERT_EQ(writer.own_end(), 0) << "the writer ended by itself: " << acknowledgements;
    // On a slow machine few live long enough to change anything: lives grow until most do.
    longest_life =
        std::clamp(acknowledgements.empty() ? longest_life / 4 * 5 : longest_life / 10 * 9, kShortLife, kLongLife);
    batches += acknowledgements.size() / sizeof(Acknowledgement);
    const std::string complaint = reader.kill_and_read();
    ASSERT_EQ(reader.own_end(), 0) << "the reader: " << complaint;
    ASSERT_NO_FATAL_FAILURE(expect_whole(path, acknowledgements, present, round));
  }
  RecordProperty("batches", static_cast<int>(batches));
  EXPECT_GT(batches, rounds());
}

/// The least limit; edges, which merge, so many times over that they do not fit into it.
constexpr std::uint64_t kSpillingLimit = 12u << 20;
constexpr int kSpillingTimes = 64;

/// The life of an importing process.
void import_until_killed(const fs::path& path, bool spills, int pipe) {
  auto graph = Graph::open(path, options_of(0));
  if (!graph) ::_exit(2);
  auto load = graph->bulk_load({.order = VertexOrder::degree, .memory_limit = spills ? kSpillingLimit : 0});
  if (!load) ::_exit(3);
  for (std::uint64_t k = 0; k < 300; ++k) {
    for (int times = spills ? kSpillingTimes : 1; times > 0; --times) {
      if (!load->add(batch_of(0, k))) ::_exit(4);
    }
  }
  if ((load->spilled_bytes() > 0) != spills) ::_exit(6);
  SerialExecutor serial;
  if (!load->finish(serial)) ::_exit(4);
  say(pipe, "done");
  for (;;) ::pause();
}

TEST(Torture, KilledImportsAreThereWholeOrNotAtAll) {
  const testing::TemporaryDirectory directory;
  std::mt19937_64 random(rounds());
  std::uint64_t whole = 0;
  for (std::uint64_t round = 0; round < rounds() && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const fs::path path = directory / ("import" + std::to_string(round));
    Victim importer([&](int pipe) { import_until_killed(path, round % 2 == 1, pipe); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (round % 2 == 1 ? 160'000 : 40'000)));
    const bool acknowledged = importer.kill_and_read() == "done";
    ASSERT_EQ(importer.own_end(), 0);
    if (fs::exists(path)) {
      auto graph = Graph::open(path, options_of(0));
      ASSERT_TRUE(graph) << graph.error().message;
      const auto counts = count_batches(*graph->snapshot(), false);
      ASSERT_TRUE(counts) << counts.error().message;
      EXPECT_TRUE((*counts)[0] == 300 || ((*counts)[0] == 0 && !acknowledged)) << (*counts)[0] << " of 300 batches";
      whole += (*counts)[0] == 300 ? 1 : 0;
      ASSERT_TRUE(graph->add_edges(batch_of(1, 0)));
    }
    fs::remove_all(path);
  }
  RecordProperty("whole", static_cast<int>(whole));
}

}  // namespace
}  // namespace rizoma
