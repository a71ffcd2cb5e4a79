// PageRank in a page: a sweep over all vertices, iterated.
#include <rizoma/rizoma.h>

#include <cmath>
#include <iostream>

namespace {

/// Every vertex sends its score divided by its degree; its new score comes from the sum of the messages to it.
struct Iteration {
  using Message = double;
  using Accum = double;
  static constexpr bool update_all = true;  // also a vertex without in-edges gets a score
  struct Tally {
    double change = 0;
    void add(const Tally& other) { change += other.change; }
  };

  double* scores;
  const rizoma::Degrees& degrees;
  double n;

  double scatter(rizoma::VertexId v) const { return scores[v] / static_cast<double>(degrees[v]); }
  double gather(double sum, const auto& entries) const { return sum + rizoma::sum_messages(entries); }
  double combine(double a, double b) const { return a + b; }
  void apply(rizoma::VertexId v, double received, Tally& tally) {
    const double score = 0.15 / n + 0.85 * received;
    tally.change += std::abs(score - scores[v]);
    scores[v] = score;
  }
};

rizoma::Result<rizoma::VertexMap<double>> scores_of(rizoma::Engine& engine, const rizoma::GraphView& graph) {
  const auto n = static_cast<double>(graph.num_vertices());
  auto scores = engine.make_map<double>(graph.num_vertices(), 1 / n);
  const rizoma::Degrees degrees(graph);
  Iteration iteration{scores.data(), degrees, n};
  rizoma::Sweep<Iteration> sweep(engine, graph, iteration);
  RIZOMA_TRY(sweep.start_all());
  do {
    RIZOMA_TRY(sweep.step());
  } while (sweep.tally().change > 1e-9);
  return scores;
}

/// Passes generated edges on to a graph.
struct Loader final : rizoma::BatchSink {
  explicit Loader(rizoma::BulkLoad& into) : load(into) {}
  rizoma::Status edges(rizoma::EdgeBatch&& batch) override { return load.add(batch); }
  rizoma::Status vertices(rizoma::IdColumn&& ids) override { return load.add_vertices(ids); }
  rizoma::BulkLoad& load;
};

rizoma::Status run() {
  rizoma::Engine engine;
  RIZOMA_ASSIGN(rizoma::Graph graph, rizoma::Graph::in_memory());
  RIZOMA_ASSIGN(rizoma::BulkLoad load, graph.bulk_load());
  Loader loader(load);
  RIZOMA_TRY(rizoma::generate({.kind = rizoma::GeneratorKind::grid, .scale = 10}, engine, loader));
  RIZOMA_TRY(load.finish(engine));
  RIZOMA_ASSIGN(const rizoma::Snapshot snapshot, graph.snapshot());
  RIZOMA_ASSIGN(const rizoma::GraphView view, snapshot.view(engine));
  RIZOMA_ASSIGN(const rizoma::VertexMap<double> scores, scores_of(engine, view));
  double sum = 0;
  for (const double score : scores.span()) sum += score;
  std::cout << "the scores of " << scores.size() << " vertices add up to " << std::round(sum * 1e6) / 1e6 << "\n";
  return {};
}

}  // namespace

int main() {
  const rizoma::Status status = run();
  if (!status) std::cerr << "pagerank: " << status.error().message << "\n";
  return status ? 0 : 1;
}
