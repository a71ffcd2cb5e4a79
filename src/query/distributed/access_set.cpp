#include "query/distributed/access_set.h"

namespace rizoma::query {
namespace {

class AccessOfSteps {
 public:
  AccessOfSteps(const Query& query, bool directed) : query_(query), directed_(directed), reads_(query.vertices) {}

  void add(const Step& step) {
    for (const ListUse& use : step.lists) reads_[use.other].add(use.side, directed_);
    for (const Probe& probe : step.probes) add_edge(query_.edges[probe.edge], query_.edges[probe.edge].either);
    for (const std::size_t loop : step.loops) reads_[query_.edges[loop].from].out = true;
    for (const std::size_t i : step.absent) add_absent(query_.absent[i]);
    // Both entries of an undirected edge are one edge: that of the smaller end.
    if (step.is_edge) add_edge(query_.edges[step.edge], query_.edges[step.edge].either || !directed_);
  }

  [[nodiscard]] std::vector<AccessSet> take() && { return std::move(reads_); }

 private:
  void add_edge(const QueryEdge& edge, bool either) {
    reads_[edge.from].out = true;
    if (either) reads_[edge.to].out = true;
  }

  void add_absent(const AbsentEdge& edge) {
    if (edge.from && edge.to) {
      reads_[*edge.from].out = true;
      if (edge.either) reads_[*edge.to].out = true;
    } else if (edge.from) {
      reads_[*edge.from].add(edge.either ? Side::both : Side::out, directed_);
    } else {
      reads_[*edge.to].add(edge.either ? Side::both : Side::in, directed_);
    }
  }

  const Query& query_;
  bool directed_;
  std::vector<AccessSet> reads_;
};

}  // namespace

std::vector<AccessSet> access_of(const GraphView& graph, const Query& query, const Tree& tree) {
  AccessOfSteps reads(query, graph.directed());
  if (tree.root != nullptr) reads.add(*tree.root);
  for_each_below(tree, [&](const Step& step) { reads.add(step); });
  return std::move(reads).take();
}

}  // namespace rizoma::query
