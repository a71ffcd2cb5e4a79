// A user's program: a small graph is made, changed, and asked.
#include <rizoma/rizoma.h>

#include <cmath>
#include <iostream>

namespace {

rizoma::Status run() {
  rizoma::Engine engine;
  RIZOMA_ASSIGN(rizoma::Graph graph, rizoma::Graph::in_memory());
  rizoma::EdgeBatch edges;
  edges.sources = std::vector<std::int64_t>{0, 1, 2, 3};
  edges.targets = std::vector<std::int64_t>{1, 2, 0, 0};
  RIZOMA_TRY(graph.add_edges(edges));
  RIZOMA_ASSIGN(const rizoma::Snapshot snapshot, graph.snapshot());
  RIZOMA_ASSIGN(const rizoma::GraphView view, snapshot.view(engine));
  RIZOMA_ASSIGN(const rizoma::PageRankResult found, rizoma::pagerank(engine, view));
  double sum = 0;
  for (const double score : found.scores.span()) sum += score;
  std::cout << "scores add up to " << std::round(sum * 1e6) / 1e6 << "\n";
  return {};
}

}  // namespace

int main() {
  const rizoma::Status status = run();
  if (!status) std::cerr << status.error().message << "\n";
  return status ? 0 : 1;
}
