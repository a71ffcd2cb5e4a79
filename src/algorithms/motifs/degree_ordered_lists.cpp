#include "algorithms/motifs/degree_ordered_lists.h"

#include <rizoma/gather.h>

#include "engine/intersection/degree_order.h"
#include "engine/intersection/distinct_neighbors.h"

#include <algorithm>
#include <limits>
#include <string>

namespace rizoma {

Result<DegreeOrderedLists> DegreeOrderedLists::make(Engine& engine, const GraphView& graph) {
  const VertexId n = graph.num_vertices();
  if (n >= std::numeric_limits<Number>::max()) {
    return Error{ErrorCode::unsupported,
                 "motifs are counted in graphs of fewer than 2^32 - 1 vertices, not " + std::to_string(n)};
  }
  std::vector<std::uint32_t> degrees(n, 0);
  RIZOMA_TRY(gather(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
    for_each_distinct_neighbor(entries, v, [&](VertexId) { ++degrees[v]; });
  }));
  std::vector<Number> order(n);
  std::vector<Number> number_of(n);
  for_each_by_degree(
      n, n, [&](VertexId v) { return degrees[v]; },
      [&](VertexId v, Number r) {
        order[r] = static_cast<Number>(v);
        number_of[v] = r;
      });
  DegreeOrderedLists lists;
  lists.first_.assign(n + 1, 0);
  lists.above_.resize(n);
  lists.without_leaves_.resize(n);
  for (Number r = 0; r < n; ++r) lists.first_[r + 1] = lists.first_[r] + degrees[order[r]];
  const auto leaves = static_cast<Number>(
      std::ranges::partition_point(order, [&](Number v) { return degrees[v] > 1; }) - order.begin());
  lists.targets_.resize(lists.first_.back());
  RIZOMA_TRY(gather(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
    const Number r = number_of[v];
    Number* const begin = lists.targets_.data() + lists.first_[r];
    Number* to = begin;
    for_each_distinct_neighbor(entries, v, [&](VertexId u) { *to++ = number_of[u]; });
    std::sort(begin, to);
    lists.above_[r] = static_cast<std::uint32_t>(std::lower_bound(begin, to, r) - begin);
    lists.without_leaves_[r] = static_cast<std::uint32_t>(std::lower_bound(begin, to, leaves) - begin);
  }));
  return lists;
}

}  // namespace rizoma
