#include "shared_queue.h"
#include "yardstick_kernels.h"

namespace rizoma::yardstick {
namespace {

// An unreached vertex holds minus its degree (at least -1), so that a step that claims it also learns
// how many edges the next step will scan.
Vertex unreached(const Csr& graph, Vertex v) {
  const std::int64_t degree = graph.out.degree(v);
  return degree == 0 ? -1 : static_cast<Vertex>(-degree);
}

bool claim(Vertex& parent, Vertex seen, Vertex by) {
  return __atomic_compare_exchange_n(&parent, &seen, by, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// Every vertex of the level claims its unreached out-neighbours; returns their degrees added up.
std::int64_t top_down(const Csr& graph, Vertex* parents, SharedQueue& queue) {
  std::int64_t ahead = 0;
  const std::span<const Vertex> level = queue.level();
#pragma omp parallel
  {
    SharedQueue::Inlet inlet(queue);
#pragma omp for reduction(+ : ahead) nowait
    for (std::size_t i = 0; i < level.size(); ++i) {
      for (const Vertex v : graph.out[level[i]]) {
        const Vertex seen = parents[v];
        if (seen < 0 && claim(parents[v], seen, level[i])) {
          inlet.push(v);
          ahead -= seen;
        }
      }
    }
  }
  return ahead;
}

/// Every unreached vertex looks for one in-neighbour in the level; returns how many found one.
std::int64_t bottom_up(const Csr& graph, Vertex* parents, const Bits& level, Bits& next) {
  std::int64_t found = 0;
  next.clear();
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1024)
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    if (parents[v] >= 0) continue;
    for (const Vertex u : graph.in()[v]) {
      if (!level.has(static_cast<std::uint64_t>(u))) continue;
      parents[v] = u;
      next.set(static_cast<std::uint64_t>(v));
      ++found;
      break;
    }
  }
  return found;
}

void to_bits(const SharedQueue& queue, Bits& bits) {
  const std::span<const Vertex> level = queue.level();
#pragma omp parallel for
  for (std::size_t i = 0; i < level.size(); ++i) bits.set_atomic(static_cast<std::uint64_t>(level[i]));
}

void to_queue(Vertex n, const Bits& bits, SharedQueue& queue) {
#pragma omp parallel
  {
    SharedQueue::Inlet inlet(queue);
#pragma omp for nowait
    for (Vertex v = 0; v < n; ++v) {
      if (bits.has(static_cast<std::uint64_t>(v))) inlet.push(v);
    }
  }
  queue.advance();
}

}  // namespace

Array<Vertex> bfs(const Csr& graph, Vertex source) {
  constexpr std::int64_t kAlpha = 15;  // to bottom-up when the level has 1/15 of the edges left
  constexpr std::int64_t kBeta = 18;   // back when it has less than 1/18 of the vertices
  const Vertex n = graph.num_vertices;
  Array<Vertex> parents = make_array<Vertex>(static_cast<std::uint64_t>(n));
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) parents[v] = unreached(graph, v);
  parents[source] = source;

  SharedQueue queue(n);
  queue.append({&source, 1});
  queue.advance();
  Bits level(static_cast<std::uint64_t>(n));
  Bits next(static_cast<std::uint64_t>(n));
  std::int64_t edges_left = graph.num_entries;
  std::int64_t ahead = graph.out.degree(source);
  while (!queue.level().empty()) {
    if (ahead <= edges_left / kAlpha) {
      edges_left -= ahead;
      ahead = top_down(graph, parents.get(), queue);
      queue.advance();
      continue;
    }
    to_bits(queue, level);
    std::int64_t before = 0;
    auto found = static_cast<std::int64_t>(queue.level().size());
    queue.advance();
    do {
      before = found;
      found = bottom_up(graph, parents.get(), level, next);
      level.swap(next);
    } while (found >= before || found > n / kBeta);
    queue.restart();
    to_queue(n, level, queue);
    ahead = 1;
  }
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) {
    if (parents[v] < -1) parents[v] = -1;
  }
  return parents;
}

}  // namespace rizoma::yardstick
