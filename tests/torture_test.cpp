// Torture: real processes that write to a graph on disk and are killed with SIGKILL at random moments,
// again and again on the same graph, beside readers in other processes.
//
// Several writer threads acknowledge each batch through a pipe to the parent, which holds the model: after
// each kill every writer's batches must be a prefix that reaches at least to its last acknowledgement and at
// most one batch further, each whole, and `check` must find nothing.  Another thread of the victim compacts
// and checkpoints.  Imports are killed too: nothing or everything is there afterwards.  In a graph with columns the
// values must be those of the batches, and states that are tagged meanwhile stay what they were.
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
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <utility>

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

/// How many batches of each writer are there; an Error if one is partly there, or out of turn.
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

  /// Waits until `enough` of what it has written, or for its end.
  void wait_for(FunctionRef<bool(const std::string&)> enough) {
    while (!enough(text_) && read()) {
    }
  }
  std::string kill_and_read() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status_, 0);
    process_ = 0;
    while (read()) {
    }
    return std::move(text_);
  }
  /// Exit status of a victim that ended before it was killed; 0 if it was killed.
  [[nodiscard]] int own_end() const {
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : WTERMSIG(status_) == SIGKILL ? 0 : 255;
  }

 private:
  bool read() {
    char buffer[4096];
    const ssize_t got = ::read(pipe_, buffer, sizeof buffer);
    if (got > 0) text_.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t process_ = 0;
  int pipe_ = -1;
  int status_ = 0;
  std::string text_;
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
    // The writer may have reused what this opening read: it gets an error for that, and opens again.
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

/// Of a life that ends at any moment, and of one that goes on once it has done what was waited for.
constexpr std::uint64_t kLongestLife = 60'000;  // microseconds
void wait_some_time(std::mt19937_64& random, std::uint64_t most = kLongestLife) {
  std::this_thread::sleep_for(std::chrono::microseconds(random() % most));
}

/// The one whose acknowledgement a round waits for.
std::uint32_t writer_of(std::uint64_t round) { return static_cast<std::uint32_t>(round % kWriters); }

/// Whether `who` has told of anything.
bool has_acknowledged(const std::string& text, std::uint32_t who) {
  for (std::size_t at = 0; at + sizeof(Acknowledgement) <= text.size(); at += sizeof(Acknowledgement)) {
    Acknowledgement done{};
    std::memcpy(&done, text.data() + at, sizeof done);
    if (done.writer == who) return true;
  }
  return false;
}

TEST(Torture, KilledWritersLoseNothingAcknowledged) {
  const testing::TemporaryDirectory directory;
  std::mt19937_64 random(rounds());
  fs::path path;
  Counts present{};
  std::uint64_t batches = 0;
  for (std::uint64_t round = 0; round < rounds() && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    if (round % 25 == 0) {
      if (!path.empty()) fs::remove_all(path);
      path = directory / ("graph" + std::to_string(round));
      present = {};
    }
    Victim reader([&](int pipe) { read_until_killed(path, pipe); });
    Victim writer([&](int pipe) { write_until_killed(path, round, present, pipe); });
    // Some are killed while they open the graph, however slow the machine; most once they have changed something.
    if (round % 4 != 0) {
      writer.wait_for([&](const std::string& text) { return has_acknowledged(text, writer_of(round)); });
    }
    wait_some_time(random);
    const std::string acknowledgements = writer.kill_and_read();
    ASSERT_EQ(writer.own_end(), 0) << "the writer ended by itself: " << acknowledgements;
    batches += acknowledgements.size() / sizeof(Acknowledgement);
    const std::string complaint = reader.kill_and_read();
    ASSERT_EQ(reader.own_end(), 0) << "the reader: " << complaint;
    ASSERT_NO_FATAL_FAILURE(expect_whole(path, acknowledgements, present, round));
  }
  RecordProperty("batches", static_cast<int>(batches));
  EXPECT_GE(batches, rounds() / 4 * 3);
}

// ---- columns and tags ----

/// An amount that edges of batch `k` have: the first one, or what a later batch sets.
std::int64_t amount_of(unsigned writer, std::uint64_t k, bool set) {
  return static_cast<std::int64_t>((k * kWriters + writer) * 2 + (set ? 1 : 0));
}

ColumnTable numbers(const char* name, std::size_t rows, std::int64_t value) {
  ColumnValues column{name, ColumnType::int64, {}, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) column.push(std::as_bytes(std::span(&value, 1)));
  return {{std::move(column)}};
}

/// A batch with values, which gives the edges of the one kBehind before it another amount.
Batch valued_change_of(unsigned writer, std::uint64_t k) {
  Batch batch;
  EdgeBatch edges = batch_of(writer, k);
  edges.columns = numbers("amount", edges.size(), amount_of(writer, k, false));
  batch.add_edges(std::move(edges));
  batch.add_vertices(std::vector{source_of(writer, k)}, numbers("age", 1, static_cast<std::int64_t>(k)));
  if (k < kBehind) return batch;
  EdgeBatch earlier = batch_of(writer, k - kBehind);
  earlier.columns = numbers("amount", earlier.size(), amount_of(writer, k - kBehind, true));
  batch.set_edges(std::move(earlier), Missing::error);
  return batch;
}

bool all_are(const ColumnValues& values, std::size_t rows, std::int64_t expected) {
  if (values.size() != rows) return false;
  for (std::size_t row = 0; row < rows; ++row) {
    std::int64_t value = 0;
    std::memcpy(&value, values.values.data() + row * sizeof value, sizeof value);
    if (!values.is_valid(row) || value != expected) return false;
  }
  return true;
}

/// How many batches of each writer are there; an Error if one is partly there, or with other values.
Result<Counts> count_valued_batches(const Snapshot& snapshot) {
  SerialExecutor serial;
  RIZOMA_ASSIGN(const GraphView rows, snapshot.rows_view(serial));
  Counts counts{};
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    std::vector<VertexId> sources;
    for (;;) {
      const auto vertex = snapshot.find(source_of(writer, sources.size()));
      if (!vertex && vertex.error().code == ErrorCode::not_found) break;
      if (!vertex) return vertex.error();
      sources.push_back(*vertex);
    }
    counts[writer] = sources.size();
    for (std::uint64_t k = 0; k < sources.size(); ++k) {
      const auto of_edges = std::visit(
          [&](const auto& edges) {
            const auto list = edges.template weights<double>(sources[k]);
            return std::vector<double>(list.begin(), list.end());
          },
          rows.parts().out);
      RIZOMA_ASSIGN(const ColumnValues amounts, snapshot.edge_values("amount", of_edges));
      RIZOMA_ASSIGN(const ColumnValues age, snapshot.vertex_values("age", {&sources[k], 1}));
      const std::int64_t amount = amount_of(writer, k, k + kBehind < sources.size());
      if (all_are(amounts, edges_of(writer, k), amount) && all_are(age, 1, static_cast<std::int64_t>(k))) continue;
      return Error{ErrorCode::invalid_argument, "batch " + std::to_string(k) + " of " + std::to_string(sources.size()) +
                                                    " of writer " + std::to_string(writer) +
                                                    " lacks edges or has other values"};
    }
  }
  return counts;
}

/// Who tells of a tag that is begun, or there, in the place of a writer.
constexpr std::uint32_t kTagBegun = kWriters, kTagged = kWriters + 1;
constexpr std::uint32_t kTagsKept = 3;

std::uint32_t number_in(const std::string& name) {
  std::uint32_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

/// Tags states 1, 2, 3, .., and lets the older ones go.
void tag_states(Graph& graph, std::uint32_t first, int pipe) {
  for (std::uint32_t number = first;; ++number) {
    const Acknowledgement begun{kTagBegun, number}, done{kTagged, number};
    if (::write(pipe, &begun, sizeof begun) != sizeof begun) ::_exit(0);
    if (!graph.tag(std::to_string(number))) ::_exit(6);
    if (::write(pipe, &done, sizeof done) != sizeof done) ::_exit(0);
    for (const TagInfo& tag : graph.tags()) {
      if (number_in(tag.name) + kTagsKept <= number && !graph.untag(tag.name)) ::_exit(7);
    }
  }
}

OpenOptions options_with_columns(std::uint64_t round) {
  OpenOptions options = options_of(round);
  options.schema.edge_columns = {{0, ColumnType::int64, true, "amount"}};
  options.schema.vertex_columns = {{0, ColumnType::int64, true, "age"}};
  return options;
}

/// What the parent knows of the tagged states.
struct KnownTags {
  std::uint32_t last = 0;                ///< the largest number that was acknowledged or found
  std::map<std::uint32_t, Counts> seen;  ///< what they were when they were seen first
};

/// The life of a process that writes values and tags states.
void write_values_until_killed(const fs::path& path, std::uint64_t round, const Counts& present, std::uint32_t last_tag,
                               int pipe) {
  auto graph = Graph::open(path, options_with_columns(round));
  if (!graph) {
    say(pipe, graph.error().message);
    ::_exit(2);
  }
  std::vector<std::thread> threads;
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (std::uint64_t k = present[writer];; ++k) {
        if (!graph->apply(valued_change_of(writer, k))) ::_exit(3);
        const Acknowledgement done{writer, static_cast<std::uint32_t>(k)};
        if (::write(pipe, &done, sizeof done) != sizeof done) ::_exit(0);
      }
    });
  }
  threads.emplace_back([&] { tag_states(*graph, last_tag + 1, pipe); });
  if (round % 2 == 1) threads.emplace_back([&] { maintain(*graph, round); });
  for (std::thread& thread : threads) thread.join();
}

/// What a life acknowledged: batches, and for each tag that was begun how many of them were before it.
struct Acknowledged {
  Counts batches{};
  std::map<std::uint32_t, Counts> before_tags;
  std::uint32_t last_tag = 0;
};

Acknowledged read_acknowledgements(const std::string& text, const Counts& present) {
  Acknowledged read{present, {}, 0};
  for (std::size_t at = 0; at + sizeof(Acknowledgement) <= text.size(); at += sizeof(Acknowledgement)) {
    Acknowledgement done{};
    std::memcpy(&done, text.data() + at, sizeof done);
    if (done.writer < kWriters) read.batches[done.writer] = done.batch + 1;
    if (done.writer == kTagBegun) read.before_tags[done.batch] = read.batches;
    if (done.writer == kTagged) read.last_tag = done.batch;
  }
  return read;
}

/// Each tagged state is whole and what it was; none is gone that was not let go.
void expect_tags(const fs::path& path, const std::vector<TagInfo>& tags, const Acknowledged& read, KnownTags& known) {
  std::map<std::uint32_t, Counts> found;
  for (const TagInfo& tag : tags) {
    const std::uint32_t number = number_in(tag.name);
    SCOPED_TRACE("tag " + tag.name);
    const auto graph = Graph::open(path, {.mode = OpenMode::read_only, .at = tag.name});
    ASSERT_TRUE(graph) << graph.error().message;
    const auto counts = count_valued_batches(*graph->snapshot());
    ASSERT_TRUE(counts) << counts.error().message;
    if (const auto begun = read.before_tags.find(number); begun != read.before_tags.end()) {
      for (unsigned writer = 0; writer < kWriters; ++writer) EXPECT_GE((*counts)[writer], begun->second[writer]);
    }
    if (const auto before = known.seen.find(number); before != known.seen.end()) {
      EXPECT_EQ(*counts, before->second);
    }
    found[number] = *counts;
  }
  const std::uint32_t last = std::max(known.last, read.last_tag);
  for (std::uint32_t number = last < kTagsKept ? 1 : last - kTagsKept + 1; number <= last; ++number) {
    EXPECT_TRUE(found.contains(number)) << "tag " << number << " is lost";
  }
  known.last = found.empty() ? last : std::max(last, found.rbegin()->first);
  known.seen = std::move(found);
}

void expect_values(const fs::path& path, const std::string& text, Counts& present, KnownTags& known,
                   std::uint64_t round) {
  const Acknowledged read = read_acknowledgements(text, present);
  if (!fs::exists(path)) return;
  auto graph = Graph::open(path, options_with_columns(round + 1));
  ASSERT_TRUE(graph) << graph.error().message;
  const auto counts = count_valued_batches(*graph->snapshot());
  ASSERT_TRUE(counts) << counts.error().message;
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    EXPECT_GE((*counts)[writer], read.batches[writer]) << "writer " << writer << ": an acknowledged batch is lost";
    EXPECT_LE((*counts)[writer], read.batches[writer] + 1) << "writer " << writer << ": what was never begun";
  }
  present = *counts;
  const std::vector<TagInfo> tags = graph->tags();
  ASSERT_TRUE(graph->close());
  ASSERT_NO_FATAL_FAILURE(expect_tags(path, tags, read, known));
  SerialExecutor serial;
  const auto report = Graph::check(path, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->findings.empty()) << report->findings[0].where << ": " << report->findings[0].what;
}

TEST(Torture, KilledWritersLoseNoValuesAndNoTags) {
  const testing::TemporaryDirectory directory;
  std::mt19937_64 random(rounds() + 1);
  fs::path path;
  Counts present{};
  KnownTags known;
  std::uint64_t notes = 0, tags = 0;
  for (std::uint64_t round = 0; round < rounds() && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    if (round % 25 == 0) {
      if (!path.empty()) fs::remove_all(path);
      path = directory / ("graph" + std::to_string(round));
      present = {};
      known = {};
    }
    Victim writer([&](int pipe) { write_values_until_killed(path, round, present, known.last, pipe); });
    if (round % 4 != 0) {
      const std::uint32_t who = round % 4 == 1 ? kTagged : round % 4 == 2 ? kTagBegun : writer_of(round);
      writer.wait_for([&](const std::string& told) { return has_acknowledged(told, who); });
    }
    wait_some_time(random);
    const std::string text = writer.kill_and_read();
    ASSERT_EQ(writer.own_end(), 0) << "the writer ended by itself: " << text;
    const std::uint32_t last = known.last;
    ASSERT_NO_FATAL_FAILURE(expect_values(path, text, present, known, round));
    notes += text.size() / sizeof(Acknowledgement);
    tags += known.last - last;
  }
  RecordProperty("acknowledgements", static_cast<int>(notes));
  RecordProperty("tags", static_cast<int>(tags));
  EXPECT_GE(tags, (rounds() + 2) / 4);
}

/// The least limit; edges, which merge, often enough that they do not fit into it.
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
  say(pipe, "all is written, ");
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
    if (round % 4 > 1) importer.wait_for([](const std::string& told) { return !told.empty(); });
    wait_some_time(random, round % 4 == 1 ? 160'000 : 40'000);
    const bool acknowledged = importer.kill_and_read().ends_with("done");
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
