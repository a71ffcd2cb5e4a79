#include "testing/oracles.h"

#include <algorithm>
#include <numeric>

namespace rizoma::testing {

std::vector<std::int32_t> oracle_levels(VertexId n, const std::vector<TestEdge>& entries, VertexId source) {
  std::vector<std::vector<VertexId>> lists(n);
  for (const TestEdge& e : entries) lists[e.source].push_back(e.target);
  std::vector<std::int32_t> levels(n, -1);
  levels[source] = 0;
  std::vector<VertexId> queue{source};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const VertexId v : lists[queue[i]]) {
      if (levels[v] >= 0) continue;
      levels[v] = levels[queue[i]] + 1;
      queue.push_back(v);
    }
  }
  return levels;
}

namespace {

using Vector = std::vector<long double>;

/// `values` (or all ones) on live vertices, made to sum to 1.
Vector distribution(VertexId n, const std::vector<double>& values, const std::vector<VertexId>& removed) {
  Vector p(n, 1);
  if (!values.empty()) p.assign(values.begin(), values.end());
  for (const VertexId v : removed) p[v] = 0;
  const long double sum = std::accumulate(p.begin(), p.end(), 0.0L);
  for (long double& x : p) x /= sum;
  return p;
}

}  // namespace

std::vector<double> oracle_pagerank(VertexId n, const std::vector<TestEdge>& entries, const OraclePageRank& options) {
  const Vector jump = distribution(n, options.personalization, options.removed);
  Vector x = distribution(n, options.start, options.removed);
  Vector out_weight(n, 0);
  for (const TestEdge& e : entries) out_weight[e.source] += options.weighted ? e.weight : 1;
  for (int i = 0; i < options.iterations; ++i) {
    Vector next(n, 0);
    long double jumping = 1 - static_cast<long double>(options.alpha);
    for (VertexId v = 0; v < n; ++v) jumping += out_weight[v] == 0 ? options.alpha * x[v] : 0;
    for (const TestEdge& e : entries) {
      if (out_weight[e.source] == 0) continue;
      next[e.target] += options.alpha * x[e.source] * (options.weighted ? e.weight : 1) / out_weight[e.source];
    }
    for (VertexId v = 0; v < n; ++v) next[v] += jumping * jump[v];
    x = std::move(next);
  }
  return {x.begin(), x.end()};
}

}  // namespace rizoma::testing
