#include "yardstick_kernels.h"

#include <algorithm>
#include <numeric>
#include <parallel/algorithm>
#include <random>

namespace rizoma::yardstick {
namespace {

/// Common neighbours below v of every edge u > v: each triangle once.
std::uint64_t count_ordered(Vertex n, const Lists<Vertex>& lists) {
  std::uint64_t total = 0;
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 64)
  for (Vertex u = 0; u < n; ++u) {
    const std::span<const Vertex> of_u = lists[u];
    for (const Vertex v : of_u) {
      if (v > u) break;
      const Vertex* other = lists.entries.get() + lists.offsets[v];
      for (const Vertex w : of_u) {
        if (w > v) break;
        while (*other < w) ++other;  // ends: u itself is in the list of v, and u > w
        if (*other == w) ++total;
      }
    }
  }
  return total;
}

/// Dense enough, and the mean degree of drawn vertices well above their median.
bool skewed(const Csr& graph) {
  constexpr std::size_t kDraws = 1000;
  const Vertex n = graph.num_vertices;
  if (graph.num_entries / 2 < 10 * static_cast<std::int64_t>(n)) return false;
  std::mt19937_64 random(1);
  std::uniform_int_distribution<Vertex> any(0, n - 1);
  std::vector<std::int64_t> degrees;
  while (degrees.size() < kDraws) {
    const std::int64_t degree = graph.out.degree(any(random));
    if (degree > 0) degrees.push_back(degree);
  }
  std::sort(degrees.begin(), degrees.end());
  const double mean = static_cast<double>(std::accumulate(degrees.begin(), degrees.end(), std::int64_t{0})) / kDraws;
  return mean / 1.3 > static_cast<double>(degrees[kDraws / 2]);
}

/// The same graph with vertices numbered by decreasing degree.
Lists<Vertex> renumbered(const Csr& graph) {
  const Vertex n = graph.num_vertices;
  const auto places = static_cast<std::uint64_t>(n);
  std::vector<std::pair<std::int64_t, Vertex>> order(places);
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) order[static_cast<std::size_t>(v)] = {graph.out.degree(v), v};
  __gnu_parallel::sort(order.begin(), order.end(), std::greater<>());
  Array<Vertex> rank = make_array<Vertex>(places);
  Lists<Vertex> lists{make_array<std::int64_t>(places + 1),
                      make_array<Vertex>(static_cast<std::uint64_t>(graph.num_entries))};
  lists.offsets[0] = 0;
  for (Vertex r = 0; r < n; ++r) {
    const auto& [degree, v] = order[static_cast<std::size_t>(r)];
    lists.offsets[r + 1] = lists.offsets[r] + degree;
    rank[v] = r;
  }
#pragma omp parallel for schedule(dynamic, 1024)
  for (Vertex r = 0; r < n; ++r) {
    Vertex* out = lists.entries.get() + lists.offsets[r];
    Vertex* end = out;
    for (const Vertex w : graph.out[order[static_cast<std::size_t>(r)].second]) *end++ = rank[w];
    std::sort(out, end);
  }
  return lists;
}

}  // namespace

std::uint64_t triangle_count(const Csr& graph) {
  if (!skewed(graph)) return count_ordered(graph.num_vertices, graph.out);
  return count_ordered(graph.num_vertices, renumbered(graph));
}

}  // namespace rizoma::yardstick
