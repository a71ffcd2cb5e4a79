// Power cut under the store: adds the edges of one path, batch by batch, and compares what is left with
// the path, edge for edge; see power_program.h.  The medium is chosen by itself: DAX on DAX mounts.
// Layouts: "each" (a graph in each directory), "spanning" (one graph over all of them, whose sections
// move to other homes every few rounds).
#include "power_program.h"

#include <rizoma/engine.h>
#include <rizoma/graph.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kBatchEdges = 100;
constexpr std::uint64_t kRoundsBetweenMoves = 20;

using Paths = std::vector<std::filesystem::path>;

std::filesystem::path store_in(const std::filesystem::path& directory) { return directory / "path.rz"; }

/// The directories that get a graph of their own.
Paths stores(std::string_view layout, std::span<char*> directories) {
  Paths paths(directories.begin(), directories.end());
  if (layout == "spanning") paths.resize(1);
  return paths;
}

Paths locations(std::string_view layout, std::span<char*> directories) {
  return layout == "spanning" ? Paths(directories.begin(), directories.end()) : Paths();
}

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

/// Gives each section another home than the last time.
Status move_sections(Graph& graph, std::uint64_t round) {
  RIZOMA_ASSIGN(const GraphInfo info, graph.info());
  std::vector<unsigned> homes(info.num_sections);
  for (std::size_t s = 0; s < homes.size(); ++s) homes[s] = static_cast<unsigned>(s + round / kRoundsBetweenMoves);
  return graph.place(homes);
}

Result<std::function<Status(std::uint64_t)>> write(std::string_view layout, std::span<char*> directories) {
  const auto graphs = std::make_shared<std::vector<Graph>>();
  const bool spanning = layout == "spanning";
  for (const auto& directory : stores(layout, directories)) {
    OpenOptions options;
    options.schema.directed = true;
    options.schema.section_bits = 8;
    options.locations = locations(layout, directories);
    RIZOMA_ASSIGN(Graph graph, Graph::open(store_in(directory), options));
    graphs->push_back(std::move(graph));
  }
  return std::function<Status(std::uint64_t)>([graphs, spanning](std::uint64_t round) -> Status {
    for (Graph& graph : *graphs) {
      RIZOMA_TRY(graph.add_edges(batch_of(round)));
      if (spanning && round % kRoundsBetweenMoves == 0) RIZOMA_TRY(move_sections(graph, round));
    }
    return {};
  });
}

Error wrong(const std::string& what) { return Error{ErrorCode::corrupt, what}; }

Status check_graph(const std::filesystem::path& path, std::uint64_t acknowledged) {
  SerialExecutor executor;
  RIZOMA_ASSIGN(const CheckReport report, Graph::check(path, executor));
  if (!report.findings.empty())
    return wrong("check: " + report.findings.front().where + ": " + report.findings.front().what);
  RIZOMA_ASSIGN(Graph graph, Graph::open(path));
  RIZOMA_ASSIGN(const Snapshot snapshot, graph.snapshot());
  RIZOMA_ASSIGN(const std::uint64_t edges, snapshot.num_edges());
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

Status check(std::uint64_t rounds, std::string_view layout, std::span<char*> directories) {
  for (const auto& directory : stores(layout, directories)) RIZOMA_TRY(check_graph(store_in(directory), rounds));
  return {};
}

}  // namespace
}  // namespace rizoma

int main(int argc, char** argv) {
  return rizoma::lab::run_power_program({"lab_power_store", "each, spanning", rizoma::write, rizoma::check}, argc,
                                        argv);
}
