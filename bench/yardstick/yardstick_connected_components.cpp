#include "yardstick_kernels.h"

#include <algorithm>
#include <random>

namespace rizoma::yardstick {
namespace {

constexpr std::int64_t kSampledNeighbours = 2;

/// Joins the trees of u and v, the greater root below the smaller.
void link(Vertex u, Vertex v, Vertex* label) {
  Vertex a = label[u];
  Vertex b = label[v];
  while (a != b) {
    if (a < b) std::swap(a, b);
    Vertex above = label[a];
    if (above == b) return;
    if (above == a) {
      if (__atomic_compare_exchange_n(&label[a], &above, b, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
    }
    a = label[label[a]];
    b = label[b];
  }
}

/// Makes every vertex point at its root.
void compress(Vertex n, Vertex* label) {
#pragma omp parallel for schedule(dynamic, 16384)
  for (Vertex v = 0; v < n; ++v) {
    while (label[v] != label[label[v]]) label[v] = label[label[v]];
  }
}

/// The label met most often among 1024 vertices drawn at random.
Vertex frequent_label(Vertex n, const Vertex* label) {
  std::mt19937 random;
  std::uniform_int_distribution<Vertex> any(0, n - 1);
  std::vector<Vertex> drawn(1024);
  for (Vertex& d : drawn) d = label[any(random)];
  std::sort(drawn.begin(), drawn.end());
  Vertex best = drawn[0];
  std::ptrdiff_t most = 0;
  for (auto run = drawn.begin(); run != drawn.end();) {
    const auto end = std::upper_bound(run, drawn.end(), *run);
    if (end - run > most) {
      most = end - run;
      best = *run;
    }
    run = end;
  }
  return best;
}

}  // namespace

Array<Vertex> connected_components(const Csr& graph) {
  const Vertex n = graph.num_vertices;
  Array<Vertex> label = make_array<Vertex>(static_cast<std::uint64_t>(n));
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) label[v] = v;
  if (n == 0) return label;
  for (std::int64_t round = 0; round < kSampledNeighbours; ++round) {
#pragma omp parallel for schedule(dynamic, 16384)
    for (Vertex v = 0; v < n; ++v) {
      if (round < graph.out.degree(v)) link(v, graph.out[v][static_cast<std::size_t>(round)], label.get());
    }
    compress(n, label.get());
  }
  const Vertex giant = frequent_label(n, label.get());
#pragma omp parallel for schedule(dynamic, 16384)
  for (Vertex v = 0; v < n; ++v) {
    if (label[v] == giant) continue;
    const std::span<const Vertex> list = graph.out[v];
    for (std::size_t i = kSampledNeighbours; i < list.size(); ++i) link(v, list[i], label.get());
    if (graph.directed) {
      for (const Vertex u : graph.transpose[v]) link(v, u, label.get());
    }
  }
  compress(n, label.get());
  return label;
}

}  // namespace rizoma::yardstick
