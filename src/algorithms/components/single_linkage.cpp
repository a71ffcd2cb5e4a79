#include <rizoma/algorithms/single_linkage.h>
#include <rizoma/algorithms/spanning_forest.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/state/concurrent_union_find.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace rizoma {

Result<SingleLinkage> single_linkage(Engine& engine, const GraphView& graph, bool nearest) {
  RIZOMA_TRY(single_process_only(engine, "single_linkage"));
  RIZOMA_TRY(check_undirected(graph, "single_linkage"));
  RIZOMA_ASSIGN(SpanningForest forest, spanning_forest(engine, graph, !nearest));
  const VertexId n = graph.num_vertices();
  const std::size_t merges = forest.weights.size();
  SingleLinkage found;
  found.first.reserve(merges);
  found.second.reserve(merges);
  found.sizes.reserve(merges);
  RIZOMA_ASSIGN(auto sets, ConcurrentUnionFind<VertexId>::make(engine, n));
  std::vector<VertexId> cluster(n);  // of each set, by its root
  std::iota(cluster.begin(), cluster.end(), VertexId{0});
  const auto size_of = [&](VertexId c) { return c < n ? 1 : found.sizes[c - n]; };
  for (std::size_t i = 0; i < merges; ++i) {
    const VertexId a = cluster[sets.find(forest.sources[i])];
    const VertexId b = cluster[sets.find(forest.targets[i])];
    sets.unite(forest.sources[i], forest.targets[i]);
    cluster[sets.find(forest.sources[i])] = n + i;
    found.first.push_back(std::min(a, b));
    found.second.push_back(std::max(a, b));
    found.sizes.push_back(size_of(a) + size_of(b));
  }
  found.weights = std::move(forest.weights);
  return found;
}

Result<std::vector<VertexId>> linkage_components(const SingleLinkage& linkage, VertexId n, VertexId merges) {
  const auto refuse = [](const std::string& what) {
    return Error{ErrorCode::invalid_argument, "linkage_components: " + what};
  };
  if (merges > linkage.first.size() || merges > linkage.second.size())
    return refuse(std::to_string(merges) + " merges of " + std::to_string(linkage.first.size()));
  std::vector<VertexId> name(n + merges);
  std::iota(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(n), VertexId{0});
  for (VertexId i = 0; i < merges; ++i) {
    const auto [a, b] = std::pair(linkage.first[i], linkage.second[i]);
    if (a >= n + i || b >= n + i) return refuse("merge " + std::to_string(i) + " names a later cluster");
    name[n + i] = std::min(name[a], name[b]);
  }
  for (VertexId i = merges; i-- > 0;) name[linkage.first[i]] = name[linkage.second[i]] = name[n + i];
  name.resize(n);
  return name;
}

}  // namespace rizoma
