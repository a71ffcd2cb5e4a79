// Speed of reading and generating: rizoma-ingest FILE|rmat|uniform|grid [threads [repetitions [scale]]]
//
// Batches are counted and dropped, so that only reading is measured.  Prints each repetition and the
// median: seconds, MB/s of the file as it is on disk, million edges/s.
#include <rizoma/engine.h>
#include <rizoma/ingest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace rizoma;

struct Counter final : BatchSink {
  Status edges(EdgeBatch&& batch) override {
    count += batch.size();
    return {};
  }
  Status vertices(IdColumn&&) override { return {}; }
  std::uint64_t count = 0;
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Status run_once(const std::string& what, unsigned scale, Engine& engine, Counter& counter) {
  GeneratorOptions options{.scale = scale};
  if (what == "rmat") return generate(options, engine, counter);
  options.kind = what == "grid" ? GeneratorKind::grid : GeneratorKind::uniform;
  if (what == "grid" || what == "uniform") return generate(options, engine, counter);
  return read_file(what, {}, engine, counter);
}

void print(const char* label, double time, std::uint64_t bytes, std::uint64_t edges) {
  std::printf("%s %.3f s, %.1f MB/s, %.2f M edges/s (%llu edges)\n", label, time,
              static_cast<double>(bytes) / time / 1e6, static_cast<double>(edges) / time / 1e6,
              static_cast<unsigned long long>(edges));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE|rmat|uniform|grid [threads [repetitions [scale]]]\n", argv[0]);
    return 2;
  }
  const std::string what = argv[1];
  const auto number = [&](int place, int otherwise) { return argc > place ? std::atoi(argv[place]) : otherwise; };
  EngineOptions options;
  options.threads = static_cast<unsigned>(number(2, 2));
  Engine engine(options);
  const Result<FileSummary> summary = inspect(what);
  const std::uint64_t bytes = summary ? summary->bytes : 0;
  std::vector<double> times;
  Counter counter;
  for (int i = 0; i < std::max(1, number(3, 5)); ++i) {
    counter.count = 0;
    const double start = seconds();
    if (const Status status = run_once(what, static_cast<unsigned>(number(4, 20)), engine, counter); !status) {
      std::fprintf(stderr, "%s\n", status.error().message.c_str());
      return 1;
    }
    times.push_back(seconds() - start);
    print("run   ", times.back(), bytes, counter.count);
  }
  std::sort(times.begin(), times.end());
  print("median", times[times.size() / 2], bytes, counter.count);
  return 0;
}
