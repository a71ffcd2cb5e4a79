#include "yardstick_kernels.h"

namespace rizoma::yardstick {
namespace {

constexpr float kAlpha = 0.85f;

float pulled(const Lists<Vertex>& in, const float* share, Vertex v) {
  float sum = 0;
  for (const Vertex u : in[v]) sum += share[u];
  return sum;
}

Array<float> uniform_scores(Vertex n) {
  Array<float> scores = make_array<float>(static_cast<std::uint64_t>(n));
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) scores[v] = 1.0f / static_cast<float>(n);
  return scores;
}

/// What each out-neighbour of v gets of its rank.
float share_of(const Csr& graph, const float* scores, Vertex v) {
  return scores[v] / static_cast<float>(graph.out.degree(v));
}

}  // namespace

Array<float> pagerank_jacobi(const Csr& graph, int iterations) {
  const Vertex n = graph.num_vertices;
  const float base = (1 - kAlpha) / static_cast<float>(n);
  Array<float> scores = uniform_scores(n);
  Array<float> share = make_array<float>(static_cast<std::uint64_t>(n));
  for (int i = 0; i < iterations; ++i) {
#pragma omp parallel for
    for (Vertex v = 0; v < n; ++v) share[v] = share_of(graph, scores.get(), v);
#pragma omp parallel for schedule(dynamic, 16384)
    for (Vertex v = 0; v < n; ++v) scores[v] = base + kAlpha * pulled(graph.in(), share.get(), v);
  }
  return scores;
}

Array<float> pagerank_gauss_seidel(const Csr& graph, int iterations) {
  const Vertex n = graph.num_vertices;
  const float base = (1 - kAlpha) / static_cast<float>(n);
  Array<float> scores = uniform_scores(n);
  Array<float> share = make_array<float>(static_cast<std::uint64_t>(n));
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) share[v] = share_of(graph, scores.get(), v);
  for (int i = 0; i < iterations; ++i) {
#pragma omp parallel for schedule(dynamic, 16384)
    for (Vertex v = 0; v < n; ++v) {
      scores[v] = base + kAlpha * pulled(graph.in(), share.get(), v);
      share[v] = share_of(graph, scores.get(), v);
    }
  }
  return scores;
}

}  // namespace rizoma::yardstick
