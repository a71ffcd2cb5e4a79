// Kernels on a graph that has just been inserted, against a fresh static CSR of the same edges:
// rizoma-changed DIRECTORY [SCALE [THREADS [TRIALS]]]
//
// Inserts R-MAT edges in random order, in durable batches of 4,096, and does not compact.  Then runs each
// kernel in turn on a snapshot of the graph, on a static CSR of the same entries in the same order (both
// by Rizoma's kernels), and as the yardstick on that CSR.  Prints the seconds of the first view (which
// merges pending changes beside the images), and for each kernel the median of the trials and its ratios to the
// medians of the other two; one figure a line: name, value, unit.  Ends with an error if the kernels' answers
// on the two views differ.
#include "bench_graph.h"
#include "random_batches.h"
#include "yardstick/yardstick_kernels.h"

#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>

#include <omp.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

namespace rizoma::bench {
namespace {

/// Both entries of each edge as the view has them, in one CSR.
yardstick::Csr static_csr(const GraphView& view) {
  yardstick::Csr csr;
  csr.num_vertices = static_cast<yardstick::Vertex>(view.num_vertices());
  csr.num_entries = static_cast<std::int64_t>(view.num_entries());
  csr.out.offsets = yardstick::make_array<std::int64_t>(view.num_vertices() + 1);
  csr.out.entries = yardstick::make_array<yardstick::Vertex>(view.num_entries());
  view.with_out([&](const auto& out) {
    std::int64_t at = 0;
    for (VertexId v = 0; v < view.num_vertices(); ++v) {
      csr.out.offsets[v] = at;
      for (const auto target : out.neighbors(v)) csr.out.entries[at++] = static_cast<yardstick::Vertex>(target);
    }
    csr.out.offsets[view.num_vertices()] = at;
  });
  return csr;
}

void print(const std::string& name, double value, const char* unit) {
  std::printf("%s\t%.4f\t%s\n", name.c_str(), value, unit);
}

double seconds_of(const std::function<void()>& f) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until waiting threads have gone to sleep
  const double begin = now();
  f();
  return now() - begin;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// One kernel, on a view and as the yardstick; `trial` chooses the source.
struct Contest {
  const char* name;
  std::function<std::vector<double>(const GraphView&, int trial)> ours;  ///< returns a value for each vertex
  std::function<void(int trial)> yardstick;
};

/// Ends the program if two answers differ by more than the order of additions can make them.
void require_same(const char* kernel, const std::vector<double>& a, const std::vector<double>& b) {
  const auto close = [](double x, double y) { return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y)); };
  if (std::equal(a.begin(), a.end(), b.begin(), b.end(), close)) return;
  std::fprintf(stderr, "%s differs between the changed graph and the fresh one\n", kernel);
  std::exit(1);
}

template <class Map>
std::vector<double> values_of(const Map& map) {
  return {map.data(), map.data() + map.size()};
}

void run(const Contest& contest, const GraphView& changed, const GraphView& fresh, int trials) {
  require_same(contest.name, contest.ours(changed, 0), contest.ours(fresh, 0));  // and warms up
  contest.yardstick(0);
  std::vector<double> on_changed, on_fresh, yardstick;
  for (int number = 0; number < trials; ++number) {
    const double a = seconds_of([&] { contest.ours(changed, number); });
    const double b = seconds_of([&] { contest.ours(fresh, number); });
    const double c = seconds_of([&] { contest.yardstick(number); });
    on_changed.push_back(a);
    on_fresh.push_back(b);
    yardstick.push_back(c);
  }
  const double a = median(on_changed), b = median(on_fresh), c = median(yardstick);
  print(contest.name, a, "s");
  print(std::string(contest.name) + " by a fresh CSR", a / b, "x");
  print(std::string(contest.name) + " by the yardstick", a / c, "x");
  std::fflush(stdout);
}

std::vector<VertexId> draw_sources(const GraphView& view) {
  std::mt19937_64 random(1);
  std::vector<VertexId> sources;
  while (sources.size() < 64) {
    const VertexId v = random() % view.num_vertices();
    view.with_out([&](const auto& out) {
      if (!out.neighbors(v).empty()) sources.push_back(v);
    });
  }
  return sources;
}

void compare(const GraphView& changed, Engine& engine, int trials) {
  const BenchGraph<yardstick::Vertex> fresh(static_csr(changed), 12, false);
  const std::vector<VertexId> sources = draw_sources(changed);
  const std::vector<VertexId> four(sources.begin(), sources.begin() + 4);
  const std::vector<yardstick::Vertex> their_four(four.begin(), four.end());
  const auto source = [&](int trial) { return sources[static_cast<std::size_t>(trial) % sources.size()]; };
  const Contest contests[] = {
      {"pagerank",
       [&](const GraphView& view, int) {
         return values_of(require(pagerank(engine, view, {.tol = 0, .max_iter = 20})).scores);
       },
       [&](int) { yardstick::pagerank_jacobi(fresh.csr, 20); }},
      {"bfs",
       [&](const GraphView& view, int trial) {
         return values_of(require(bfs(engine, view, source(trial))).levels.all());
       },
       [&](int trial) { yardstick::bfs(fresh.csr, static_cast<yardstick::Vertex>(source(trial))); }},
      {"connected components",
       [&](const GraphView& view, int) { return values_of(require(connected_components(engine, view)).labels); },
       [&](int) { yardstick::connected_components(fresh.csr); }},
      {"betweenness",
       [&](const GraphView& view, int) {
         return values_of(require(betweenness_centrality(engine, view, {.sources = four})).scores);
       },
       [&](int) { yardstick::betweenness_centrality(fresh.csr, their_four); }}};
  for (const Contest& contest : contests) run(contest, changed, fresh.view, trials);
}

int run_all(const std::filesystem::path& directory, unsigned scale, unsigned threads, int trials) {
  omp_set_num_threads(static_cast<int>(threads));
  const std::filesystem::path store = directory / "changed_bench.rz";
  std::filesystem::remove_all(store);
  OpenOptions options;
  options.mode = OpenMode::create;
  options.schema.ids = IdKind::dense;
  Graph graph = require(Graph::open(store, options));
  for (const EdgeBatch& batch : random_batches(scale, 1)) require(graph.add_edges(batch));
  Engine engine({.threads = threads});
  const Snapshot snapshot = require(graph.snapshot());
  const double begin = now();
  const GraphView changed = require(snapshot.view(engine));
  print("first view", now() - begin, "s");
  compare(changed, engine, trials);
  require(graph.close());
  std::filesystem::remove_all(store);
  return 0;
}

}  // namespace
}  // namespace rizoma::bench

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: rizoma-changed DIRECTORY [SCALE [THREADS [TRIALS]]]\n");
    return 2;
  }
  const auto argument = [&](int i, int fallback) { return count > i ? std::atoi(arguments[i]) : fallback; };
  return rizoma::bench::run_all(arguments[1], static_cast<unsigned>(argument(2, 20)),
                                static_cast<unsigned>(argument(3, 2)), argument(4, 9));
}
