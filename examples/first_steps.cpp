// First steps: create a store, change it, analyse it, and see what an error looks like.
#include <rizoma/rizoma.h>

#include <filesystem>
#include <iostream>

namespace {

/// Edges by name.
rizoma::EdgeBatch edges(std::initializer_list<std::pair<const char*, const char*>> pairs) {
  rizoma::StringColumn sources;
  rizoma::StringColumn targets;
  for (const auto& [source, target] : pairs) {
    sources.push_back(source);
    targets.push_back(target);
  }
  rizoma::EdgeBatch batch;
  batch.sources = std::move(sources);
  batch.targets = std::move(targets);
  return batch;
}

rizoma::Status run(const std::filesystem::path& path) {
  // Create the store, or open it if it exists.
  rizoma::OpenOptions options;
  options.schema.directed = true;
  options.schema.ids = rizoma::IdKind::string;
  RIZOMA_ASSIGN(rizoma::Graph graph, rizoma::Graph::open(path, options));

  // Durable when it returns.
  RIZOMA_TRY(graph.add_edges(edges({{"ann", "bob"}, {"bob", "cem"}, {"cem", "ann"}, {"cem", "dia"}})));

  // Several changes, one commit: all of it or nothing.
  rizoma::Batch batch;
  batch.remove_edges(edges({{"cem", "dia"}})).add_edges(edges({{"ann", "dia"}}));
  RIZOMA_ASSIGN(const rizoma::ChangeCounts counts, graph.apply(batch));
  std::cout << counts.edges_removed << " edge removed\n";

  // Analyse a state that stays as it is, whatever others change meanwhile.
  rizoma::Engine engine;
  RIZOMA_ASSIGN(const rizoma::Snapshot snapshot, graph.snapshot());
  RIZOMA_ASSIGN(const rizoma::GraphView view, snapshot.view(engine));
  RIZOMA_ASSIGN(const rizoma::PageRankResult found, rizoma::pagerank(engine, view));

  // Results are by internal id; `find` and `ids` translate.
  RIZOMA_ASSIGN(const rizoma::VertexId dia, snapshot.find("dia"));
  RIZOMA_ASSIGN(const rizoma::IdColumn ids, snapshot.ids({0, snapshot.num_vertices()}));
  const auto& names = std::get<rizoma::StringColumn>(ids);
  for (rizoma::VertexId v = 0; v < names.size(); ++v) {
    std::cout << names[v] << (found.scores[v] > found.scores[dia] ? " ranks above dia\n" : "\n");
  }

  // What can go wrong is a value, not an exception.
  const rizoma::Result<rizoma::VertexId> missing = snapshot.find("eve");
  if (!missing) std::cout << "no eve: " << missing.error().message << "\n";
  return graph.close();
}

}  // namespace

int main() {
  const auto path = std::filesystem::temp_directory_path() / "rizoma-first-steps.rz";
  std::filesystem::remove_all(path);
  const rizoma::Status status = run(path);
  std::filesystem::remove_all(path);
  if (!status) std::cerr << "first_steps: " << status.error().message << "\n";
  return status ? 0 : 1;
}
