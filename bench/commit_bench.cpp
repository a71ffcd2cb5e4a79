// What durable changes cost: rizoma-commit CASE DIRECTORY [SCALE [THREADS [LEVEL]]]
//
//   insert    R-MAT edges in batches of 4,096, from all threads, at the durability LEVEL; then the same bytes
//             appended to a file, with fdatasync after each batch
//   single    commits of one edge for two seconds, then syncs of one record to a preallocated file
//   recover   a log full of edges, on a store of that scale; the time that opening takes
//   reader    PageRank on a snapshot, alone and beside a writer at full rate; the answers must be the same
//   space     ten times the graph's edges as random updates: bytes written, bytes on disk
//
// Prints one figure a line: name, value, unit.
#include "random_batches.h"

#include <rizoma/algorithms/pagerank.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace rizoma;
using namespace rizoma::bench;

constexpr std::size_t kHeaders = 48 + 24;  // of a record of the log, and of its operation

struct Settings {
  std::filesystem::path directory;
  unsigned scale = 20;
  unsigned threads = 1;
  Durability level = Durability::always;
  [[nodiscard]] std::filesystem::path store() const { return directory / "commit_bench.rz"; }
};

void print(const char* name, double value, const char* unit) { std::printf("%s\t%.6g\t%s\n", name, value, unit); }

Graph fresh(const Settings& settings, std::uint64_t log_limit = std::uint64_t{256} << 20) {
  std::filesystem::remove_all(settings.store());
  OpenOptions options;
  options.mode = OpenMode::create;
  options.schema.ids = IdKind::dense;
  options.durability = settings.level;
  options.log_limit = log_limit;
  return require(Graph::open(settings.store(), options));
}

/// Seconds until all threads have run body(thread).
double on_threads(unsigned threads, const std::function<void(unsigned)>& body) {
  const double begin = now();
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t) running.emplace_back(body, t);
  for (std::thread& thread : running) thread.join();
  return now() - begin;
}

/// Appends records of `bytes` to a new file, each followed by fdatasync; returns their number a second.
double append_and_sync(const std::filesystem::path& file, std::size_t bytes, std::size_t count, double limit,
                       bool preallocated) {
  const int number = ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
  std::vector<char> record(bytes, 1);
  if (preallocated) {
    const std::vector<char> zeros(std::size_t{16} << 20);
    if (::pwrite(number, zeros.data(), zeros.size(), 0) < 0 || ::fdatasync(number) != 0) std::exit(1);
  }
  const double begin = now();
  std::size_t done = 0;
  for (off_t at = 0; done < count && now() - begin < limit; ++done, at += static_cast<off_t>(bytes)) {
    if (preallocated && at + bytes > (std::size_t{16} << 20)) at = 0;
    if (::pwrite(number, record.data(), bytes, at) < 0 || ::fdatasync(number) != 0) std::exit(1);
  }
  const double seconds = now() - begin;
  ::close(number);
  std::filesystem::remove(file);
  return static_cast<double>(done) / seconds;
}

/// All batches, assigned to the threads round-robin; returns the seconds.  `waits`, which may be null, gets those of
/// each batch.
double insert_all(Graph& graph, const std::vector<EdgeBatch>& batches, unsigned threads,
                  std::vector<double>* waits = nullptr) {
  std::atomic<std::size_t> next{0};
  if (waits != nullptr) waits->resize(batches.size());
  return on_threads(threads, [&](unsigned) {
    for (std::size_t i; (i = next.fetch_add(1)) < batches.size();) {
      const double begin = now();
      require(graph.add_edges(batches[i]));
      if (waits != nullptr) (*waits)[i] = now() - begin;
    }
  });
}

void insert(const Settings& settings) {
  const auto batches = random_batches(settings.scale, 1);
  Graph graph = fresh(settings);
  std::vector<double> waits;
  const double seconds = insert_all(graph, batches, settings.threads, &waits);
  const double edges = static_cast<double>(batches.size()) * kBatch;
  const double closing = now();
  require(graph.close());
  print("close", now() - closing, "s");
  std::sort(waits.begin(), waits.end());
  print("median batch", waits[waits.size() / 2] * 1e3, "ms");
  print("99th percentile", waits[waits.size() * 99 / 100] * 1e3, "ms");
  print("longest batch", waits.back() * 1e3, "ms");
  print("insert", edges / seconds / 1e6, "M edges/s");
  print("insert entries", 2 * edges / seconds / 1e6, "M entries/s");
  const std::size_t bytes = kBatch * 2 * sizeof(std::uint64_t) + kHeaders;
  if (settings.level != Durability::always) return;
  const double rate = append_and_sync(settings.directory / "append.bin", bytes, batches.size(), 20, false);
  print("append and fdatasync", rate * kBatch / 1e6, "M edges/s");
  const double ready = append_and_sync(settings.directory / "append.bin", bytes, batches.size(), 20, true);
  print("overwrite and fdatasync", ready * kBatch / 1e6, "M edges/s");
}

void single(const Settings& settings) {
  Graph graph = fresh(settings);
  std::atomic<std::uint64_t> commits{0};
  const double seconds = on_threads(settings.threads, [&](unsigned thread) {
    std::mt19937_64 random(thread);
    const double end = now() + 2;
    for (; now() < end; ++commits) {
      const auto v = [&] { return static_cast<std::int64_t>(random() >> (64 - settings.scale)); };
      require(graph.add_edges({std::vector<std::int64_t>{v()}, std::vector<std::int64_t>{v()}, {}}));
    }
  });
  require(graph.close());
  print("single-edge commits", static_cast<double>(commits) / seconds, "1/s");
  const std::size_t bytes = 2 * sizeof(std::uint64_t) + kHeaders;
  print("append and fdatasync", append_and_sync(settings.directory / "append.bin", bytes, SIZE_MAX, 2, false), "1/s");
  print("overwrite and fdatasync", append_and_sync(settings.directory / "append.bin", bytes, SIZE_MAX, 2, true), "1/s");
}

/// The time of opening a copy of a store that was in use, so that its log is not moved by closing it.
void recover(const Settings& settings) {
  constexpr std::uint64_t kLog = std::uint64_t{256} << 20;
  Settings fast = settings;
  fast.level = Durability::none;
  Graph graph = fresh(fast, 4 * kLog);
  {
    Engine engine;
    BulkLoad load = require(graph.bulk_load());
    for (const EdgeBatch& batch : random_batches(settings.scale, 1)) require(load.add(batch));
    require(load.finish(engine));
  }
  std::uint64_t logged = 0;
  for (std::uint64_t seed = 2; logged < kLog; ++seed) {
    for (const EdgeBatch& batch : random_batches(settings.scale, seed)) {
      if (logged >= kLog) break;
      require(graph.add_edges(batch));
      logged += batch.size() * 2 * sizeof(std::uint64_t) + kHeaders;
    }
  }
  require(graph.flush());
  const std::filesystem::path copy = settings.directory / "commit_bench_copy.rz";
  std::filesystem::remove_all(copy);
  std::filesystem::copy(settings.store(), copy, std::filesystem::copy_options::recursive);
  print("log", static_cast<double>(logged) / (1 << 20), "MiB");
  require(graph.close());
  OpenOptions options;
  options.mode = OpenMode::open;
  options.log_limit = 8 * kLog;
  const double begin = now();
  Graph opened = require(Graph::open(copy, options));
  print("recovery", now() - begin, "s");
  require(opened.close());
  std::filesystem::remove_all(copy);
}

double pagerank_seconds(Engine& engine, const Snapshot& snapshot, unsigned runs, std::vector<double>& scores) {
  const GraphView view = require(snapshot.view(engine));
  PageRankOptions options;
  options.tol = 0;
  options.max_iter = 20;
  std::vector<double> times;
  for (unsigned i = 0; i < runs; ++i) {
    const double begin = now();
    const PageRankResult result = require(pagerank(engine, view, options));
    times.push_back(now() - begin);
    scores.assign(result.scores.data(), result.scores.data() + result.scores.size());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void reader(const Settings& settings) {
  const auto batches = random_batches(settings.scale, 1);
  Graph graph = fresh(settings);
  insert_all(graph, batches, settings.threads);
  Engine engine({.threads = 1});
  require(graph.checkpoint());  // so that nothing goes on in the background
  const Snapshot snapshot = require(graph.snapshot());
  std::vector<double> scores, again;
  const double alone = pagerank_seconds(engine, snapshot, 5, scores);
  std::atomic<bool> stop{false};
  std::uint64_t written = 0;
  const auto more = random_batches(settings.scale, 3);
  const double begin = now();
  std::thread writer([&] {
    for (std::size_t i = 0; !stop; i = (i + 1) % more.size(), ++written) require(graph.add_edges(more[i]));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const double beside = pagerank_seconds(engine, snapshot, 5, again);
  stop = true;
  writer.join();
  const double seconds = now() - begin;
  if (scores != again) {
    std::fprintf(stderr, "PageRank beside a writer differs from PageRank alone on the same snapshot\n");
    std::exit(1);
  }
  print("pagerank alone", alone, "s");
  print("pagerank beside a writer", beside, "s");
  print("ratio", beside / alone, "");
  print("writer meanwhile", static_cast<double>(written) * kBatch / seconds / 1e6, "M edges/s");
}

/// Bytes that this process has caused to be written, as the kernel counts them.
double bytes_written() {
  std::FILE* file = std::fopen("/proc/self/io", "r");
  char name[64];
  unsigned long long value = 0, found = 0;
  while (file != nullptr && std::fscanf(file, "%63s %llu", name, &value) == 2) {
    if (std::string(name) == "wchar:") found = value;
  }
  if (file != nullptr) std::fclose(file);
  return static_cast<double>(found);
}

void space(const Settings& settings) {
  Graph graph = fresh(settings);
  insert_all(graph, random_batches(settings.scale, 1), settings.threads);
  require(graph.checkpoint());
  const double before = bytes_written();
  double edges = 0;
  for (std::uint64_t round = 0; round < 10; ++round) {
    const auto updates = random_batches(settings.scale, 1);  // the same edges: the graph stays as large
    insert_all(graph, updates, settings.threads);
    edges += static_cast<double>(updates.size()) * kBatch;
  }
  const double written = bytes_written() - before;
  const double peak = static_cast<double>(require(graph.info()).bytes_on_disk);
  require(graph.close());
  Graph opened = require(Graph::open(settings.store()));
  const GraphInfo info = require(opened.info());
  print("write amplification", written / (edges * 16), "x of 16 bytes an edge");
  print("bytes written an edge", written / edges, "bytes");
  Engine engine;
  require(opened.compact(engine));
  require(opened.close());
  opened = require(Graph::open(settings.store()));
  const double least =
      static_cast<double>(require(opened.info()).num_entries) * 4 + static_cast<double>(info.num_vertices) * 4;
  double sizes = 0;
  for (const GraphInfo::File& file : info.files) sizes += static_cast<double>(file.bytes);
  print("space while written", peak / least, "x of a CSR, allocated");
  print("space afterwards", static_cast<double>(info.bytes_on_disk) / least, "x of a CSR, allocated");
  print("sizes of files afterwards", sizes / least, "x of a CSR");
}

}  // namespace

int main(int count, char** arguments) {
  const std::map<std::string, void (*)(const Settings&)> cases{
      {"insert", insert}, {"single", single}, {"recover", recover}, {"reader", reader}, {"space", space}};
  const std::map<std::string, Durability> levels{
      {"always", Durability::always}, {"group", Durability::group}, {"none", Durability::none}};
  const auto found = count > 2 ? cases.find(arguments[1]) : cases.end();
  const auto level = levels.find(count > 5 ? arguments[5] : "always");
  if (found == cases.end() || level == levels.end()) {
    std::fprintf(
        stderr,
        "usage: rizoma-commit insert|single|recover|reader|space DIRECTORY [SCALE [THREADS [always|group|none]]]\n");
    return 2;
  }
  Settings settings;
  settings.directory = arguments[2];
  if (count > 3) settings.scale = static_cast<unsigned>(std::atoi(arguments[3]));
  if (count > 4) settings.threads = static_cast<unsigned>(std::atoi(arguments[4]));
  settings.level = level->second;
  found->second(settings);
  std::filesystem::remove_all(settings.store());
  return 0;
}
