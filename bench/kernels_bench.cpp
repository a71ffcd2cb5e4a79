// rizoma-kernels GRAPH.sg [--kernels NAME,...] [--trials N] [--threads N] [--order given|degree]
//                [--seed S] [--section-bits K] [--placement POLICY] [--homes N]
//
// Runs each kernel of Rizoma and of the static CSR yardstick in turn on the same graph, order, threads and
// sources, checks that the two answers agree, and prints a JSON line for each run: {"graph",
// "order", "threads", "kernel", "by", "trial", "seconds", "agrees", "local"}.  sssp reads the weights of
// GRAPH.wsg beside GRAPH.sg.  --homes N runs on N synthetic nodes, and each of our lines tells the share
// of the work that was local.  Exit code 3 if any answer differs.
#include "bench_graph.h"
#include "yardstick/yardstick_kernels.h"

#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/sssp.h>
#include <rizoma/algorithms/triangle_count.h>

#include <omp.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string_view>
#include <thread>

namespace rizoma::bench {
namespace {

using yardstick::Array;
using yardstick::Vertex;

struct Command {
  std::string graph;
  std::string order = "given";
  std::string kernels = "pagerank,bfs,connected_components,betweenness_centrality,sssp,triangle_count";
  int trials = 5;
  int threads = omp_get_num_procs();
  unsigned seed = 1;
  unsigned section_bits = 12;
  PlacementPolicy placement = PlacementPolicy::in_place;
  unsigned homes = 1;
};

bool parse(int argc, char** argv, Command& command) {
  if (argc < 2 || argc % 2 != 0) return false;
  command.graph = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--kernels") command.kernels = value;
    else if (name == "--order") command.order = value;
    else if (name == "--trials") command.trials = std::atoi(value.c_str());
    else if (name == "--threads") command.threads = std::atoi(value.c_str());
    else if (name == "--seed") command.seed = static_cast<unsigned>(std::atoi(value.c_str()));
    else if (name == "--homes") command.homes = static_cast<unsigned>(std::atoi(value.c_str()));
    else if (name == "--placement" && parse_policy(value)) command.placement = *parse_policy(value);
    else if (name == "--section-bits") command.section_bits = static_cast<unsigned>(std::atoi(value.c_str()));
    else return false;
  }
  return command.graph.ends_with(".sg") && (command.order == "given" || command.order == "degree") &&
         command.trials > 0 && command.threads > 0 && command.section_bits < 32;
}

/// One kernel: both ways to run it, for the trial's sources, and whether the last answers agree.
struct Contest {
  std::function<bool(int trial)> ours;  ///< false: the kernel returned an Error
  std::function<void(int trial)> theirs;
  std::function<bool()> agree;
};

EngineOptions engine_options(const Command& command) {
  EngineOptions options{.threads = static_cast<unsigned>(command.threads), .placement = command.placement};
  if (command.homes > 1) {
    options.fixed = Placement{.policy = command.placement, .homes = command.homes};
    for (unsigned i = 0; i < options.threads; ++i) options.fixed->home_of_thread.push_back(i % command.homes);
  }
  return options;
}

/// What all contests share.
struct Arena {
  const Command& command;
  Engine engine;
  BenchGraph<Vertex> graph;
  std::vector<Vertex> sources;
  bool all_agree = true;
};

void print(const Arena& arena, std::string_view kernel, const char* by, int trial, double seconds, bool agrees) {
  std::printf(
      "{\"graph\": \"%s\", \"order\": \"%s\", \"threads\": %d, \"kernel\": \"%.*s\", \"by\": \"%s\", \"trial\": %d, "
      "\"seconds\": %.6f, \"agrees\": %s, \"local\": %.4f}\n",
      arena.command.graph.c_str(), arena.command.order.c_str(), arena.command.threads, static_cast<int>(kernel.size()),
      kernel.data(), by, trial, seconds, agrees ? "true" : "false", arena.engine.traffic().local_share());
  std::fflush(stdout);
}

/// Begins when the waiting threads of the other side have gone to sleep: they spin for a while first.
template <class F>
double seconds_of(F&& f) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The first trial warms both up and is not printed.
void run(Arena& arena, std::string_view kernel, const Contest& contest) {
  for (int trial = -1; trial < arena.command.trials; ++trial) {
    const int number = std::max(trial, 0);
    bool done = false;
    const double theirs = seconds_of([&] { contest.theirs(number); });
    arena.engine.reset_traffic();
    const double ours = seconds_of([&] { done = contest.ours(number); });
    const bool agrees = done && contest.agree();
    arena.all_agree = arena.all_agree && agrees;
    if (trial < 0) continue;
    print(arena, kernel, "yardstick", trial, theirs, true);
    print(arena, kernel, "rizoma", trial, ours, agrees);
  }
}

template <class T>
bool keep(Result<T>&& result, T& out) {
  if (!result) {
    std::fprintf(stderr, "rizoma-kernels: %s\n", result.error().message.c_str());
    return false;
  }
  out = std::move(*result);
  return true;
}

Vertex source_of(const Arena& arena, int trial) {
  return arena.sources[static_cast<std::size_t>(trial) % arena.sources.size()];
}

/// Sum of |a/sum(a) - b/sum(b)|.
template <class A, class B>
double distance_as_shares(Vertex n, const A& a, const B& b) {
  double sum_a = 0;
  double sum_b = 0;
  for (Vertex v = 0; v < n; ++v) {
    sum_a += a[v];
    sum_b += b[v];
  }
  double distance = 0;
  for (Vertex v = 0; v < n; ++v) distance += std::abs(a[v] / sum_a - b[v] / sum_b);
  return distance;
}

/// 20 iterations each.  The yardstick loses the rank of dangling vertices, so compared as shares.
void contest_pagerank(Arena& arena) {
  PageRankResult ours;
  Array<float> theirs;
  run(arena, "pagerank",
      {[&](int) { return keep(pagerank(arena.engine, arena.graph.view, {.tol = 0, .max_iter = 20}), ours); },
       [&](int) { theirs = yardstick::pagerank_jacobi(arena.graph.csr, 20); },
       [&] { return distance_as_shares(arena.graph.csr.num_vertices, ours.scores, theirs) < 0.01; }});
}

void contest_bfs(Arena& arena) {
  BfsResult ours;
  Array<Vertex> theirs;
  const auto agree = [&] {
    for (Vertex v = 0; v < arena.graph.csr.num_vertices; ++v) {
      if ((theirs[v] >= 0) != (ours.levels[v] >= 0)) return false;
      if (theirs[v] >= 0 && theirs[v] != v && ours.levels[theirs[v]] + 1 != ours.levels[v]) return false;
    }
    return true;
  };
  run(arena, "bfs",
      {[&](int trial) {
         return keep(bfs(arena.engine, arena.graph.view, static_cast<VertexId>(source_of(arena, trial))), ours);
       },
       [&](int trial) { theirs = yardstick::bfs(arena.graph.csr, source_of(arena, trial)); }, agree});
}

void contest_components(Arena& arena) {
  ConnectedComponentsResult ours;
  Array<Vertex> theirs;
  run(arena, "connected_components",
      {[&](int) { return keep(connected_components(arena.engine, arena.graph.view), ours); },
       [&](int) { theirs = yardstick::connected_components(arena.graph.csr); },
       [&] {
         return std::equal(theirs.get(), theirs.get() + ours.labels.size(), ours.labels.data(),
                           [](Vertex a, std::uint64_t b) { return static_cast<std::uint64_t>(a) == b; });
       }});
}

void contest_betweenness(Arena& arena) {
  const std::vector<Vertex> some(arena.sources.begin(), arena.sources.begin() + 4);
  const std::vector<VertexId> sources(some.begin(), some.end());
  BetweennessResult ours;
  Array<float> theirs;
  const auto agree = [&] {  // the benchmark's scores of the sources themselves are another quantity
    for (const VertexId s : sources) ours.scores[s] = theirs[s] = 0;
    return distance_as_shares(arena.graph.csr.num_vertices, ours.scores, theirs) < 1e-3;
  };
  run(arena, "betweenness_centrality",
      {[&](int) { return keep(betweenness_centrality(arena.engine, arena.graph.view, {.sources = sources}), ours); },
       [&](int) { theirs = yardstick::betweenness_centrality(arena.graph.csr, some); }, agree});
}

/// The yardstick with the bucket width that suits it best among powers of two on R-MAT graphs.
void contest_sssp(Arena& arena) {
  std::string path = arena.command.graph;
  path.insert(path.size() - 2, "w");
  Result<yardstick::WeightedCsr> csr = yardstick::read_wsg(path);
  if (!csr) {
    std::fprintf(stderr, "rizoma-kernels: sssp is left out: %s\n", csr.error().message.c_str());
    return;
  }
  const BenchGraph<yardstick::WeightedTarget> graph(*std::move(csr), arena.command.section_bits,
                                                    arena.command.order == "degree");
  SsspResult ours;
  Array<std::int32_t> theirs;
  const auto agree = [&] {
    for (Vertex v = 0; v < graph.csr.num_vertices; ++v) {
      const double distance = theirs[v] == yardstick::kUnreachable ? HUGE_VAL : theirs[v];
      if (distance != ours.distances[v]) return false;
    }
    return true;
  };
  run(arena, "sssp",
      {[&](int trial) {
         return keep(sssp(arena.engine, graph.view, static_cast<VertexId>(source_of(arena, trial))), ours);
       },
       [&](int trial) { theirs = yardstick::sssp(graph.csr, source_of(arena, trial), 2); }, agree});
}

void contest_triangles(Arena& arena) {
  TriangleCountResult ours;
  std::uint64_t theirs = 0;
  run(arena, "triangle_count",
      {[&](int) { return keep(triangle_count(arena.engine, arena.graph.view, {.per_vertex = false}), ours); },
       [&](int) { theirs = yardstick::triangle_count(arena.graph.csr); }, [&] { return theirs == ours.total; }});
}

/// Vertices with edges, drawn at random.
std::vector<Vertex> draw_sources(const yardstick::Csr& graph, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Vertex> sources;
  while (sources.size() < 64) {
    const auto v = static_cast<Vertex>(random() % static_cast<std::uint64_t>(graph.num_vertices));
    if (graph.out.degree(v) > 0) sources.push_back(v);
  }
  return sources;
}

int run_all(const Command& command) {
  Result<yardstick::Csr> csr = yardstick::read_sg(command.graph);
  if (!csr || csr->num_entries == 0) {
    std::fprintf(stderr, "rizoma-kernels: %s\n", csr ? "the graph has no edges" : csr.error().message.c_str());
    return 1;
  }
  omp_set_num_threads(command.threads);
  Arena arena{command,
              Engine(engine_options(command)),
              BenchGraph<Vertex>(*std::move(csr), command.section_bits, command.order == "degree"),
              {}};
  arena.sources = draw_sources(arena.graph.csr, command.seed);
  const std::pair<std::string_view, void (*)(Arena&)> contests[] = {{"pagerank", contest_pagerank},
                                                                    {"bfs", contest_bfs},
                                                                    {"connected_components", contest_components},
                                                                    {"betweenness_centrality", contest_betweenness},
                                                                    {"sssp", contest_sssp},
                                                                    {"triangle_count", contest_triangles}};
  for (const auto& [name, contest] : contests) {
    if (("," + command.kernels + ",").find("," + std::string(name) + ",") != std::string::npos) contest(arena);
  }
  return arena.all_agree ? 0 : 3;
}

}  // namespace
}  // namespace rizoma::bench

int main(int argc, char** argv) {
  rizoma::bench::Command command;
  if (!rizoma::bench::parse(argc, argv, command)) {
    std::fprintf(stderr,
                 "usage: rizoma-kernels GRAPH.sg [--kernels NAME,...] [--trials N] [--threads N]\n"
                 "                      [--order given|degree] [--seed S] [--section-bits K]\n");
    return 2;
  }
  return rizoma::bench::run_all(command);
}
