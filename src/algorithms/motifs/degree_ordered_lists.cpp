#include "algorithms/motifs/degree_ordered_lists.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace rizoma {
namespace {

/// f(u) for the neighbours of v but v itself, each once: parallel edges lie side by side.
template <class F>
void for_each_neighbor(VertexId v, const auto& entries, F&& f) {
  VertexId before = v;
  for (const VertexId u : entries.sources()) {
    if (u != v && u != before) f(u);
    before = u;
  }
}

/// The vertices by falling degree, of equal ones by number.
std::vector<std::uint32_t> by_degree(std::span<const std::uint32_t> degrees) {
  const std::uint32_t largest = degrees.empty() ? 0 : *std::ranges::max_element(degrees);
  std::vector<std::uint32_t> begins(std::size_t{largest} + 2, 0);
  for (const std::uint32_t degree : degrees) ++begins[largest - degree + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> order(degrees.size());
  for (std::uint32_t v = 0; v < degrees.size(); ++v) order[begins[largest - degrees[v]]++] = v;
  return order;
}

}  // namespace

Result<DegreeOrderedLists> DegreeOrderedLists::make(Engine& engine, const GraphView& graph) {
  const VertexId n = graph.num_vertices();
  if (n >= std::numeric_limits<Number>::max()) {
    return Error{ErrorCode::unsupported,
                 "motifs are counted in graphs of fewer than 2^32 - 1 vertices, not " + std::to_string(n)};
  }
  std::vector<std::uint32_t> degrees(n, 0);
  RIZOMA_TRY(gather(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
    for_each_neighbor(v, entries, [&](VertexId) { ++degrees[v]; });
  }));
  const std::vector<std::uint32_t> order = by_degree(degrees);
  std::vector<Number> number_of(n);
  DegreeOrderedLists lists;
  lists.first_.assign(n + 1, 0);
  lists.above_.resize(n);
  for (Number r = 0; r < n; ++r) {
    number_of[order[r]] = r;
    lists.first_[r + 1] = lists.first_[r] + degrees[order[r]];
  }
  lists.targets_.resize(lists.first_.back());
  RIZOMA_TRY(gather(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
    const Number r = number_of[v];
    Number* const begin = lists.targets_.data() + lists.first_[r];
    Number* to = begin;
    for_each_neighbor(v, entries, [&](VertexId u) { *to++ = number_of[u]; });
    std::sort(begin, to);
    lists.above_[r] = static_cast<std::uint32_t>(std::lower_bound(begin, to, r) - begin);
  }));
  return lists;
}

}  // namespace rizoma
