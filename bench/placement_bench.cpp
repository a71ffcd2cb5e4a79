// What placement does on synthetic homes: rizoma-placement CASE STORE [HOMES]
//
//   trivial    each kernel with placement switched on (chunk, on the nodes that this machine has) and off, in
//              turn; the ratio of the times, median of the rounds and 95% interval (bootstrap)
//   adaptive   sweeps over all lists under the adaptive policy; after each, how far the fullest home is above
//              the mean, by the work that the policy had measured then, and at the end
//   pause      a reader takes snapshots and reads a list of the largest section, alone, while every section
//              is moved between two locations, and while the largest section is rewritten: its longest pauses
//
// STORE is a graph that the case may change; for `pause` it needs two locations (rizoma import --location).
// Prints one figure a line: name, value, unit.
#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/sssp.h>
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/engine.h>
#include <rizoma/graph.h>
#include <rizoma/placement.h>

#include "bench_support.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace rizoma;
using namespace rizoma::bench;

void print(const std::string& name, double value, const char* unit) {
  std::printf("%s\t%.6g\t%s\n", name.c_str(), value, unit);
}

// --- trivial ------------------------------------------------------------------------------------

constexpr double kSecondsOfKernel = 30;
constexpr int kLeastRounds = 15;
constexpr int kTrials = 3;  ///< of each in a round, of which the best counts
constexpr int kResamples = 10000;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Prints exp of the median of logs, and the interval of 95% of its bootstrap.
void print_ratio(const std::string& name, const std::vector<double>& logs) {
  std::mt19937_64 random(1);
  std::vector<double> medians;
  std::vector<double> drawn(logs.size());
  for (int i = 0; i < kResamples; ++i) {
    for (double& one : drawn) one = logs[random() % logs.size()];
    medians.push_back(std::exp(median(drawn)));
  }
  std::sort(medians.begin(), medians.end());
  std::printf("%s\t%.4f\t%.4f to %.4f, %zu rounds\n", name.c_str(), std::exp(median(logs)), medians[kResamples / 40],
              medians[kResamples - kResamples / 40], logs.size());
  std::fflush(stdout);
}

double seconds_of(const std::function<void()>& f) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the other engine's threads have gone to sleep
  const double begin = now();
  f();
  return now() - begin;
}

void run_trivial(const std::string& store, unsigned) {
  const Graph graph = require(Graph::open(store, {.mode = OpenMode::read_only}));
  Engine off;
  Engine on(EngineOptions{.placement = PlacementPolicy::chunk});
  const GraphView view = require(require(graph.snapshot()).view(off));
  (void)require(on.placement(view));
  VertexId source = 0;
  view.with_out([&](const auto& out) {
    for (VertexId v = 0; v < out.num_vertices(); ++v) source = out.degree(v) > out.degree(source) ? v : source;
  });
  const std::vector<VertexId> sources{source};
  const std::pair<const char*, std::function<void(Engine&)>> kernels[] = {
      {"pagerank", [&](Engine& e) { (void)require(pagerank(e, view, {.tol = 0, .max_iter = 10})); }},
      {"bfs", [&](Engine& e) { (void)require(bfs(e, view, source)); }},
      {"connected_components", [&](Engine& e) { (void)require(connected_components(e, view)); }},
      {"betweenness_centrality",
       [&](Engine& e) { (void)require(betweenness_centrality(e, view, {.sources = sources})); }},
      {"sssp", [&](Engine& e) { (void)require(sssp(e, view, source)); }},
      {"triangle_count", [&](Engine& e) { (void)require(triangle_count(e, view, {.per_vertex = false})); }}};
  for (const auto& [name, kernel] : kernels) {
    std::vector<double> logs;
    kernel(off);
    kernel(on);
    const double end = now() + kSecondsOfKernel;
    for (int round = 0; now() < end || round < kLeastRounds; ++round) {
      double with = std::numeric_limits<double>::max();
      double without = with;
      for (int turn = 0; turn < 2 * kTrials; ++turn) {
        if ((round + turn) % 2 == 0) with = std::min(with, seconds_of([&] { kernel(on); }));
        else without = std::min(without, seconds_of([&] { kernel(off); }));
      }
      logs.push_back(std::log(with / without));
    }
    print_ratio(name, logs);
  }
}

// --- adaptive -----------------------------------------------------------------------------------

constexpr int kSweeps = 16;

/// One pull over all lists, as PageRank does it.
void sweep(Engine& engine, const GraphView& graph, const VertexMap<double>& from, VertexMap<double>& to) {
  graph.with_both([&](const auto&, const auto& in) {
    require(engine.for_edges(graph, Direction::in, [&](VertexRange range, unsigned) {
      for (VertexId v = range.begin; v < range.end; ++v) {
        double sum = 0;
        for (const auto u : in.neighbors(v)) sum += from[u];
        to[v] = sum;
      }
    }));
  });
}

/// The fullest home's work by the mean's.
double imbalance(const Placement& placement, const std::vector<double>& work) {
  std::vector<double> homes(placement.homes);
  for (SectionId s = 0; s < work.size(); ++s) homes[placement.home(s)] += work[s];
  const double all = std::accumulate(homes.begin(), homes.end(), 0.0);
  return *std::max_element(homes.begin(), homes.end()) * placement.homes / all;
}

void run_adaptive(const std::string& store, unsigned homes) {
  const Graph graph = require(Graph::open(store, {.mode = OpenMode::read_only}));
  // More threads than processors would measure each other.
  const unsigned threads = std::min(homes, std::max(1U, std::thread::hardware_concurrency()));
  EngineOptions options{.threads = threads};
  options.fixed = Placement{.policy = PlacementPolicy::adaptive, .homes = homes};
  for (unsigned thread = 0; thread < threads; ++thread)
    options.fixed->home_of_thread.push_back(thread * homes / threads);
  Engine engine(options);
  const GraphView view = require(require(graph.snapshot()).view(engine));
  const SectionId sections = view.with_out([](const auto& out) { return out.num_sections(); });
  const auto from = engine.make_map<double>(view.num_vertices(), 1);
  auto to = engine.make_map<double>(view.num_vertices(), 0);
  std::vector<Placement> placements{require(engine.placement(view))};
  std::vector<std::vector<double>> work;  // as measured so far, after each sweep
  for (int i = 0; i < kSweeps; ++i) {
    sweep(engine, view, from, to);
    placements.push_back(require(engine.placement(view)));
    work.push_back(engine.measured_work(view));
  }
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const std::string after = "_after_" + std::to_string(i) + "_sweeps";
    if (i > 0) print("by_work_so_far" + after, imbalance(placements[i], work[i - 1]), "x");
    print("by_work_at_the_end" + after, imbalance(placements[i], work.back()), "x");
  }
  print("local_share", engine.traffic().local_share(), "");
  print("sections", static_cast<double>(sections), "");
}

// --- pause --------------------------------------------------------------------------------------

constexpr double kSeconds = 4;

/// A vertex with edges in the largest section.
VertexId vertex_of_largest(const Snapshot& snapshot) {
  const std::vector<SectionInfo> sections = snapshot.sections();
  const auto largest = std::max_element(sections.begin(), sections.end(),
                                        [](const auto& a, const auto& b) { return a.image_entries < b.image_entries; });
  const auto section = static_cast<VertexId>(largest - sections.begin());
  print("largest_section", static_cast<double>(largest->image_bytes), "bytes");
  const unsigned bits = snapshot.schema().section_bits;
  VertexId best = section << bits;
  EdgeCount most = 0;
  for (VertexId v = section << bits; v < std::min((section + 1) << bits, snapshot.num_vertices()); v += 97) {
    const EdgeCount degree = require(snapshot.degree(v));
    if (degree > most && degree < 1000) {
      best = v;
      most = degree;
    }
  }
  return best;
}

void print_pauses(const std::string& name, std::vector<double> pauses) {
  std::sort(pauses.begin(), pauses.end());
  print(name + "_count", static_cast<double>(pauses.size()), "");
  print(name + "_median", pauses[pauses.size() / 2] * 1e6, "us");
  print(name + "_p999", pauses[pauses.size() - 1 - pauses.size() / 1000] * 1e6, "us");
  print(name + "_longest", pauses.back() * 1e6, "us");
}

/// Reads for kSeconds while `disturb` runs again and again; prints the reader's pauses in order.
void read_beside(const char* name, const Graph& graph, VertexId v, const std::function<void()>& disturb) {
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over && disturb) disturb();
  });
  std::vector<double> snapshots;
  std::vector<double> reads;
  for (const double end = now() + kSeconds; now() < end;) {
    const double begin = now();
    const Snapshot snapshot = require(graph.snapshot());
    snapshots.push_back(now() - begin);
    if (require(snapshot.neighbors(v)).empty()) std::exit(1);
    reads.push_back(now() - begin - snapshots.back());
  }
  over = true;
  other.join();
  print_pauses(std::string(name) + "_snapshot", std::move(snapshots));
  print_pauses(std::string(name) + "_read", std::move(reads));
}

void run_pause(const std::string& store, unsigned) {
  Graph graph = require(Graph::open(store));
  const Snapshot first = require(graph.snapshot());
  const VertexId v = vertex_of_largest(first);
  const std::size_t sections = first.sections().size();
  const EdgeCount edges = require(first.num_edges());
  read_beside("alone", graph, v, {});
  unsigned turn = 0;
  unsigned moves = 0;
  read_beside("moving", graph, v, [&] {
    std::vector<unsigned> homes(sections);
    for (std::size_t s = 0; s < sections; ++s) homes[s] = static_cast<unsigned>(s + turn) % 2;
    ++turn;
    require(graph.place(homes));
    ++moves;
  });
  print("moving_rounds", moves, "");
  unsigned rewrites = 0;
  read_beside("rewriting", graph, v, [&] {  // an edge within the section, and the section written again
    EdgeBatch one;
    one.sources = require(first.ids(VertexRange{v, v + 1}));
    one.targets = require(first.ids(VertexRange{v + 1, v + 2}));
    require(graph.add_edges(one));
    require(graph.checkpoint());
    ++rewrites;
  });
  print("rewriting_rounds", rewrites, "");
  print("edges_changed", static_cast<double>(require(require(graph.snapshot()).num_edges()) - edges), "");
  require(graph.close());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  const unsigned homes = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 2;
  if (what == "trivial") run_trivial(argv[2], homes);
  else if (what == "adaptive") run_adaptive(argv[2], homes);
  else if (what == "pause") run_pause(argv[2], homes);
  else {
    std::fprintf(stderr, "usage: rizoma-placement trivial|adaptive|pause STORE [HOMES]\n");
    return 2;
  }
  return 0;
}
