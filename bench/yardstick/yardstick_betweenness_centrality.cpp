#include "shared_queue.h"
#include "yardstick_kernels.h"

#include <algorithm>

namespace rizoma::yardstick {
namespace {

/// What a search from one source leaves: levels, numbers of shortest paths, and the edges on them.
struct Search {
  explicit Search(const Csr& graph)
      : queue(graph.num_vertices),
        depth(make_array<Vertex>(static_cast<std::uint64_t>(graph.num_vertices))),
        paths(make_array<double>(static_cast<std::uint64_t>(graph.num_vertices))),
        on_path(static_cast<std::uint64_t>(graph.num_entries)) {}
  SharedQueue queue;
  Array<Vertex> depth;
  Array<double> paths;
  Bits on_path;
  std::vector<std::span<const Vertex>> levels;
};

void expand(const Csr& graph, Search& s, Vertex depth) {
  const std::span<const Vertex> level = s.queue.level();
#pragma omp parallel
  {
    SharedQueue::Inlet inlet(s.queue);
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t i = 0; i < level.size(); ++i) {
      const Vertex u = level[i];
      for (std::int64_t e = graph.out.offsets[u]; e < graph.out.offsets[u + 1]; ++e) {
        const Vertex v = graph.out.entries[e];
        Vertex seen = s.depth[v];
        if (seen < 0 &&
            __atomic_compare_exchange_n(&s.depth[v], &seen, depth, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
          inlet.push(v);
          seen = depth;
        }
        if (seen != depth) continue;
        s.on_path.set_atomic(static_cast<std::uint64_t>(e));
#pragma omp atomic
        s.paths[v] += s.paths[u];
      }
    }
  }
}

void search(const Csr& graph, Vertex source, Search& s) {
#pragma omp parallel for
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    s.depth[v] = -1;
    s.paths[v] = 0;
  }
  s.on_path.clear();
  s.levels.clear();
  s.queue.restart();
  s.depth[source] = 0;
  s.paths[source] = 1;
  s.queue.append({&source, 1});
  s.queue.advance();
  for (Vertex depth = 1; !s.queue.level().empty(); ++depth) {
    s.levels.push_back(s.queue.level());
    expand(graph, s, depth);
    s.queue.advance();
  }
}

/// Adds the dependencies of one source to the scores, deepest level first.
void accumulate(const Csr& graph, const Search& s, float* dependency, float* scores) {
  for (auto level = s.levels.rbegin(); level != s.levels.rend(); ++level) {
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < level->size(); ++i) {
      const Vertex u = (*level)[i];
      float sum = 0;
      for (std::int64_t e = graph.out.offsets[u]; e < graph.out.offsets[u + 1]; ++e) {
        if (!s.on_path.has(static_cast<std::uint64_t>(e))) continue;
        const Vertex v = graph.out.entries[e];
        sum += static_cast<float>(s.paths[u] / s.paths[v]) * (1 + dependency[v]);
      }
      dependency[u] = sum;
      scores[u] += sum;
    }
  }
}

}  // namespace

Array<float> betweenness_centrality(const Csr& graph, std::span<const Vertex> sources) {
  const Vertex n = graph.num_vertices;
  Array<float> scores = make_array<float>(static_cast<std::uint64_t>(n));
  Array<float> dependency = make_array<float>(static_cast<std::uint64_t>(n));
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) scores[v] = dependency[v] = 0;
  Search s(graph);
  for (const Vertex source : sources) {
    search(graph, source, s);
    accumulate(graph, s, dependency.get(), scores.get());
  }
  float greatest = 0;
#pragma omp parallel for reduction(max : greatest)
  for (Vertex v = 0; v < n; ++v) greatest = std::max(greatest, scores[v]);
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) scores[v] = greatest > 0 ? scores[v] / greatest : 0;
  return scores;
}

}  // namespace rizoma::yardstick
