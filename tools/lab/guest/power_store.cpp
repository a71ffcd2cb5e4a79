// Power cut under the store: adds the edges of one path, batch by batch, to a graph in each
// directory, and says when a batch is durable in all; after the power cut `check` reopens the graphs
// and compares them with the path, edge for edge.
//
//   lab_power_store write DIR...       prints "acknowledged N" after each batch, without end
//   lab_power_store check N DIR...     exit code 0 if each graph is a whole prefix of at least N batches
#include <rizoma/engine.h>
#include <rizoma/graph.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kBatchEdges = 100;

int fail(const Error& error) {
  std::fprintf(stderr, "lab_power_store: %s\n", error.message.c_str());
  return 1;
}

std::filesystem::path store_in(const char* directory) { return std::filesystem::path(directory) / "path.rz"; }

/// Edges v -> v + 1 for the vertices of batch `number`, which counts from 1.
EdgeBatch batch_of(std::uint64_t number) {
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> targets;
  for (std::uint64_t i = 0; i < kBatchEdges; ++i) {
    sources.push_back(static_cast<std::int64_t>((number - 1) * kBatchEdges + i));
    targets.push_back(sources.back() + 1);
  }
  return {.sources = std::move(sources), .targets = std::move(targets)};
}

int write(std::span<char*> directories) {
  std::vector<Graph> graphs;
  for (const char* directory : directories) {
    Result<Graph> graph = Graph::open(store_in(directory), {.schema = {.directed = true}});
    if (!graph) return fail(graph.error());
    graphs.push_back(*std::move(graph));
  }
  for (std::uint64_t number = 1;; ++number) {
    for (Graph& graph : graphs) {
      if (const Status status = graph.add_edges(batch_of(number)); !status) return fail(status.error());
    }
    std::printf("acknowledged %llu\n", static_cast<unsigned long long>(number));
    std::fflush(stdout);
  }
}

Status wrong(const std::string& what) { return Error{ErrorCode::corrupt, what}; }

Status check_graph(const std::filesystem::path& path, std::uint64_t acknowledged) {
  SerialExecutor executor;
  RIZOMA_ASSIGN(const CheckReport report, Graph::check(path, executor));
  if (!report.findings.empty()) return wrong("check: " + report.findings.front().where + ": " + report.findings.front().what);
  RIZOMA_ASSIGN(Graph graph, Graph::open(path));
  RIZOMA_ASSIGN(const Snapshot snapshot, graph.snapshot());
  const std::uint64_t edges = snapshot.num_edges();
  if (edges < acknowledged * kBatchEdges) {
    return wrong(std::to_string(edges) + " edges, but " + std::to_string(acknowledged * kBatchEdges) +
                 " were acknowledged");
  }
  if (edges % kBatchEdges != 0) return wrong("part of a batch is there: " + std::to_string(edges) + " edges");
  for (std::uint64_t v = 0; v < edges; ++v) {
    RIZOMA_ASSIGN(const VertexId vertex, snapshot.find(static_cast<std::int64_t>(v)));
    RIZOMA_ASSIGN(const VertexId next, snapshot.find(static_cast<std::int64_t>(v + 1)));
    RIZOMA_ASSIGN(const std::vector<VertexId> neighbors, snapshot.neighbors(vertex));
    if (neighbors != std::vector<VertexId>{next}) return wrong("vertex " + std::to_string(v) + " has wrong neighbours");
  }
  RIZOMA_TRY(graph.add_edges(batch_of(edges / kBatchEdges + 1)));  // and it goes on from there
  return graph.close();
}

int check(std::uint64_t acknowledged, std::span<char*> directories) {
  for (const char* directory : directories) {
    if (const Status status = check_graph(store_in(directory), acknowledged); !status) {
      std::fprintf(stderr, "%s: ", directory);
      return fail(status.error());
    }
  }
  std::printf("all graphs are whole\n");
  return 0;
}

}  // namespace
}  // namespace rizoma

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::string_view what = argc > 1 ? words[1] : "";
  if (what == "write" && argc > 2) return rizoma::write(words.subspan(2));
  if (what == "check" && argc > 3) return rizoma::check(std::strtoull(words[2], nullptr, 10), words.subspan(3));
  std::fprintf(stderr, "usage: %s write DIR... | check BATCHES DIR...\n", words[0]);
  return 2;
}
