// Bulk load of an R-MAT graph into a durable store: rizoma-bulk-load [scale [repetitions [memory-limit [directory]]]]
//
// Edges are generated beforehand, then given in batches of 2^18, as a front end does.  Prints for each
// repetition seconds of add and finish, and at last the median of both together (until durable).
#include <rizoma/engine.h>
#include <rizoma/graph.h>
#include <rizoma/ingest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace rizoma;

struct Collect final : BatchSink {
  Status edges(EdgeBatch&& batch) override {
    batches.push_back(std::move(batch));
    return {};
  }
  Status vertices(IdColumn&&) override { return {}; }
  std::vector<EdgeBatch> batches;
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Seconds from the first edge until the graph is durable.
Result<double> load_once(const std::filesystem::path& path, const std::vector<EdgeBatch>& batches, std::uint64_t limit,
                         Engine& engine) {
  std::filesystem::remove_all(path);
  RIZOMA_ASSIGN(Graph graph, Graph::open(path));
  BulkLoadOptions options;
  options.memory_limit = limit;
  const double start = seconds();
  RIZOMA_ASSIGN(BulkLoad load, graph.bulk_load(options));
  for (const EdgeBatch& batch : batches) RIZOMA_TRY(load.add(batch));
  const double added = seconds();
  RIZOMA_TRY(load.finish(engine));
  const double end = seconds();
  RIZOMA_ASSIGN(const GraphInfo info, graph.info());
  std::printf("add %.3f s, finish %.3f s; %llu vertices, %llu entries, %.2f bytes an entry on disk\n", added - start,
              end - added, static_cast<unsigned long long>(info.num_vertices),
              static_cast<unsigned long long>(info.num_entries),
              static_cast<double>(info.bytes_on_disk) / static_cast<double>(std::max<EdgeCount>(info.num_entries, 1)));
  RIZOMA_TRY(graph.close());
  return end - start;
}

}  // namespace

int main(int count, char** arguments) {
  GeneratorOptions options;
  options.scale = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 20;
  const int repetitions = count > 2 ? std::max(1, std::atoi(arguments[2])) : 5;
  const std::uint64_t limit = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 0;
  const std::filesystem::path path = std::filesystem::path(count > 4 ? arguments[4] : ".") / "bulk_load_bench.rz";
  Engine engine;
  Collect collected;
  if (const Status status = generate(options, engine, collected); !status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const Result<double> time = load_once(path, collected.batches, limit, engine);
    if (!time) {
      std::fprintf(stderr, "%s\n", time.error().message.c_str());
      return 1;
    }
    times.push_back(*time);
  }
  std::filesystem::remove_all(path);
  std::sort(times.begin(), times.end());
  std::printf("median of %d: %.3f s with %u threads\n", repetitions, times[times.size() / 2], engine.threads());
  return 0;
}
