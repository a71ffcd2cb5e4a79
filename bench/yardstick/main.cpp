// rizoma-yardstick KERNEL GRAPH [--trials N] [--sources V,V,...] [--delta D] [--iterations I]
//
// Runs one kernel of the yardstick on a .sg file (.wsg for sssp) and prints a JSON line for each trial:
// {"kernel", "trial", "seconds", "answer"}.  `answer` is a figure that any right run must reproduce: ranks
// summed (pagerank), vertices reached (bfs), components, scores summed (betweenness), finite
// distances summed (sssp), triangles.  Trials of bfs and sssp take the sources in turn,
// betweenness takes all of them at once.
#include "yardstick_kernels.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

namespace rizoma::yardstick {
namespace {

struct Command {
  std::string kernel;
  std::string path;
  int trials = 5;
  int iterations = 20;
  std::int32_t delta = 1;
  std::vector<Vertex> sources;
};

bool parse_number(std::string_view text, std::int32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 0;
}

bool parse_sources(std::string_view text, std::vector<Vertex>& sources) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    Vertex v = 0;
    if (!parse_number(text.substr(0, comma), v)) return false;
    sources.push_back(v);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return !sources.empty();
}

bool parse(int argc, char** argv, Command& command) {
  if (argc < 3 || argc % 2 == 0) return false;
  command.kernel = argv[1];
  command.path = argv[2];
  for (int i = 3; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view value = argv[i + 1];
    const bool good = name == "--trials"       ? parse_number(value, command.trials)
                      : name == "--iterations" ? parse_number(value, command.iterations)
                      : name == "--delta"      ? parse_number(value, command.delta) && command.delta > 0
                      : name == "--sources"    ? parse_sources(value, command.sources)
                                               : false;
    if (!good) return false;
  }
  return true;
}

/// Times `run`, which returns its result, and prints it with what `judge` makes of the result.
template <class Run, class Judge>
void trials(const Command& command, Run run, Judge judge) {
  for (int trial = 0; trial < command.trials; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = run(trial);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("{\"kernel\": \"%s\", \"trial\": %d, \"seconds\": %.6f, \"answer\": %.9g}\n", command.kernel.c_str(),
                trial, seconds.count(), static_cast<double>(judge(result)));
    std::fflush(stdout);
  }
}

template <class T>
double sum(Vertex n, const Array<T>& values, T greatest) {
  double total = 0;
  for (Vertex v = 0; v < n; ++v) total += values[v] <= greatest ? static_cast<double>(values[v]) : 0;
  return total;
}

bool check_sources(const Command& command, Vertex n) {
  return !command.sources.empty() &&
         std::all_of(command.sources.begin(), command.sources.end(), [n](Vertex v) { return v < n; });
}

bool run_unweighted(const Command& command, const Csr& graph) {
  const Vertex n = graph.num_vertices;
  const auto source = [&](int trial) {
    return command.sources[static_cast<std::size_t>(trial) % command.sources.size()];
  };
  const auto scores = [&](const Array<float>& x) { return sum(n, x, 1e9f); };
  if (command.kernel == "pagerank") {
    trials(command, [&](int) { return pagerank_jacobi(graph, command.iterations); }, scores);
  } else if (command.kernel == "pagerank_gauss_seidel") {
    trials(command, [&](int) { return pagerank_gauss_seidel(graph, command.iterations); }, scores);
  } else if (command.kernel == "connected_components") {
    trials(
        command, [&](int) { return connected_components(graph); },
        [&](const Array<Vertex>& x) {
          Vertex roots = 0;
          for (Vertex v = 0; v < n; ++v) roots += x[v] == v;
          return roots;
        });
  } else if (command.kernel == "triangle_count") {
    trials(command, [&](int) { return triangle_count(graph); }, [](std::uint64_t total) { return total; });
  } else if (!check_sources(command, n)) {
    std::fprintf(stderr, "rizoma-yardstick: %s needs --sources below %d\n", command.kernel.c_str(), n);
    return false;
  } else if (command.kernel == "bfs") {
    trials(
        command, [&](int trial) { return bfs(graph, source(trial)); },
        [&](const Array<Vertex>& x) { return std::count_if(x.get(), x.get() + n, [](Vertex p) { return p >= 0; }); });
  } else if (command.kernel == "betweenness_centrality") {
    trials(command, [&](int) { return betweenness_centrality(graph, command.sources); }, scores);
  } else {
    std::fprintf(stderr, "rizoma-yardstick: there is no kernel '%s'\n", command.kernel.c_str());
    return false;
  }
  return true;
}

bool run_sssp(const Command& command, const WeightedCsr& graph) {
  if (!check_sources(command, graph.num_vertices)) {
    std::fprintf(stderr, "rizoma-yardstick: sssp needs --sources below %d\n", graph.num_vertices);
    return false;
  }
  trials(
      command,
      [&](int trial) {
        return sssp(graph, command.sources[static_cast<std::size_t>(trial) % command.sources.size()], command.delta);
      },
      [&](const Array<std::int32_t>& x) { return sum(graph.num_vertices, x, kUnreachable - 1); });
  return true;
}

template <class Graph, class Run>
int load_and_run(const Command& command, Result<Graph> graph, Run run) {
  if (!graph) {
    std::fprintf(stderr, "rizoma-yardstick: %s\n", graph.error().message.c_str());
    return 1;
  }
  return run(command, *graph) ? 0 : 2;
}

}  // namespace
}  // namespace rizoma::yardstick

int main(int argc, char** argv) {
  using namespace rizoma::yardstick;
  Command command;
  if (!parse(argc, argv, command)) {
    std::fprintf(
        stderr, "usage: rizoma-yardstick KERNEL GRAPH [--trials N] [--sources V,V,...] [--delta D] [--iterations I]\n");
    return 2;
  }
  if (command.kernel == "sssp") return load_and_run(command, read_wsg(command.path), run_sssp);
  return load_and_run(command, read_sg(command.path), run_unweighted);
}
