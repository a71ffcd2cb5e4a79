#include "testing/oracles.h"

#include <algorithm>
#include <limits>
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

std::vector<VertexId> oracle_components(VertexId n, const std::vector<TestEdge>& entries) {
  std::vector<VertexId> label(n);
  std::iota(label.begin(), label.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const TestEdge& e : entries) {
      const VertexId least = std::min(label[e.source], label[e.target]);
      changed = changed || label[e.source] != label[e.target];
      label[e.source] = label[e.target] = least;
    }
  }
  return label;
}

std::vector<double> oracle_distances(VertexId n, const std::vector<TestEdge>& entries, VertexId source) {
  std::vector<double> distance(n, std::numeric_limits<double>::infinity());
  distance[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const TestEdge& e : entries) {
      if (distance[e.source] + e.weight < distance[e.target]) {
        distance[e.target] = distance[e.source] + e.weight;
        changed = true;
      }
    }
  }
  return distance;
}

std::vector<double> oracle_dependencies(VertexId n, const std::vector<TestEdge>& entries,
                                        const std::vector<VertexId>& sources) {
  std::vector<std::vector<VertexId>> targets(n);
  for (const TestEdge& e : entries) targets[e.source].push_back(e.target);
  for (auto& list : targets) {  // parallel edges are one way, not two
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::vector<std::vector<std::int32_t>> far;
  std::vector<std::vector<double>> ways(n, std::vector<double>(n));
  for (VertexId s = 0; s < n; ++s) {
    far.push_back(oracle_levels(n, entries, s));
    ways[s][s] = 1;
    for (std::int32_t level = 0; level < static_cast<std::int32_t>(n); ++level) {
      for (VertexId u = 0; u < n; ++u) {
        if (far[s][u] != level) continue;
        for (const VertexId v : targets[u]) ways[s][v] += far[s][v] == level + 1 ? ways[s][u] : 0;
      }
    }
  }
  std::vector<double> sums(n);
  for (const VertexId s : sources) {
    for (VertexId t = 0; t < n; ++t) {
      for (VertexId v = 0; v < n; ++v) {
        if (s == t || v == s || v == t || far[s][v] < 0 || far[v][t] < 0) continue;
        if (far[s][v] + far[v][t] == far[s][t]) sums[v] += ways[s][v] * ways[v][t] / ways[s][t];
      }
    }
  }
  return sums;
}

std::vector<std::uint64_t> oracle_triangles(VertexId n, const std::vector<TestEdge>& entries) {
  std::vector<std::vector<bool>> adjacent(n, std::vector<bool>(n));
  for (const TestEdge& e : entries) adjacent[e.source][e.target] = adjacent[e.target][e.source] = true;
  std::vector<std::uint64_t> counts(n);
  for (VertexId a = 0; a < n; ++a) {
    for (VertexId b = a + 1; b < n; ++b) {
      for (VertexId c = b + 1; adjacent[a][b] && c < n; ++c) {
        if (!adjacent[a][c] || !adjacent[b][c]) continue;
        ++counts[a];
        ++counts[b];
        ++counts[c];
      }
    }
  }
  return counts;
}

}  // namespace rizoma::testing
