// Communities by label propagation: a gather of your own, in a page.
//
// Every vertex takes the label that most of its neighbours have, the smallest of them on ties, until nothing changes.
#include <rizoma/rizoma.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <vector>

namespace {

using Label = std::uint64_t;

/// The most frequent label among the neighbours, the smallest on ties.
Label most_frequent(const auto& entries, std::vector<Label>& seen) {
  seen.clear();
  for (std::size_t i = 0; i < entries.size(); ++i) seen.push_back(entries.message(i));
  std::sort(seen.begin(), seen.end());
  Label best = 0;
  std::ptrdiff_t most = 0;
  for (auto run = seen.begin(); run != seen.end();) {
    const auto end = std::upper_bound(run, seen.end(), *run);
    if (end - run > most) {
      most = end - run;
      best = *run;
    }
    run = end;
  }
  return best;
}

rizoma::Result<rizoma::VertexMap<Label>> propagate(rizoma::Engine& engine, const rizoma::GraphView& graph) {
  auto labels = engine.make_map<Label>(graph.num_vertices(), 0);
  auto next = engine.make_map<Label>(graph.num_vertices(), 0);
  for (rizoma::VertexId v = 0; v < labels.size(); ++v) labels[v] = next[v] = v;
  std::vector<rizoma::PerThread<std::vector<Label>>> scratch(engine.threads());
  for (int round = 0; round < 20; ++round) {
    const auto vote = [&](rizoma::VertexId v, const auto& entries, unsigned thread) {
      if (!entries.empty()) next[v] = most_frequent(entries, scratch[thread].value);
    };
    RIZOMA_TRY(rizoma::gather(engine, graph, {}, labels.data(), vote));
    if (std::equal(labels.span().begin(), labels.span().end(), next.span().begin())) break;
    std::swap(labels, next);
  }
  return labels;
}

/// `count` cliques of eight, each joined to the next by an edge.
rizoma::EdgeBatch ring_of_cliques(std::int64_t count) {
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> targets;
  const auto join = [&](std::int64_t u, std::int64_t v) {
    sources.push_back(u);
    targets.push_back(v);
  };
  for (std::int64_t first = 0; first < 8 * count; first += 8) {
    for (std::int64_t u = first; u < first + 8; ++u) {
      for (std::int64_t v = u + 1; v < first + 8; ++v) join(u, v);
    }
    join(first + 7, (first + 8) % (8 * count));
  }
  return {std::move(sources), std::move(targets), {}};
}

rizoma::Status run() {
  rizoma::Engine engine;
  RIZOMA_ASSIGN(rizoma::Graph graph, rizoma::Graph::in_memory());
  RIZOMA_TRY(graph.add_edges(ring_of_cliques(5)));
  RIZOMA_ASSIGN(const rizoma::Snapshot snapshot, graph.snapshot());
  RIZOMA_ASSIGN(const rizoma::GraphView view, snapshot.view(engine));
  RIZOMA_ASSIGN(const rizoma::VertexMap<Label> labels, propagate(engine, view));
  std::cout << std::set<Label>(labels.span().begin(), labels.span().end()).size() << " communities\n";
  return {};
}

}  // namespace

int main() {
  const rizoma::Status status = run();
  if (!status) std::cerr << "label_propagation: " << status.error().message << "\n";
  return status ? 0 : 1;
}
