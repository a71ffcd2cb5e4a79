#include "yardstick_kernels.h"

#include <omp.h>

#include <algorithm>
#include <limits>

namespace rizoma::yardstick {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kFusionLimit = 1000;  // a greater bucket is shared out instead

/// The buckets of one thread.
class Buckets {
 public:
  void push(std::size_t bucket, Vertex v) {
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back(v);
  }
  [[nodiscard]] std::size_t first_from(std::size_t bucket) const {
    for (; bucket < buckets_.size(); ++bucket) {
      if (!buckets_[bucket].empty()) return bucket;
    }
    return kNone;
  }
  [[nodiscard]] std::size_t size(std::size_t bucket) const {
    return bucket < buckets_.size() ? buckets_[bucket].size() : 0;
  }
  [[nodiscard]] std::vector<Vertex>& operator[](std::size_t bucket) { return buckets_[bucket]; }

 private:
  std::vector<std::vector<Vertex>> buckets_;
};

void relax(const WeightedCsr& graph, Vertex u, std::int32_t delta, std::int32_t* distance, Buckets& buckets) {
  for (const WeightedTarget& edge : graph.out[u]) {
    std::int32_t seen = distance[edge.target];
    const std::int32_t reached = distance[u] + edge.weight;
    while (reached < seen) {
      if (__atomic_compare_exchange_n(&distance[edge.target], &seen, reached, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        buckets.push(static_cast<std::size_t>(reached / delta), edge.target);
        break;
      }
    }
  }
}

}  // namespace

Array<std::int32_t> sssp(const WeightedCsr& graph, Vertex source, std::int32_t delta) {
  const Vertex n = graph.num_vertices;
  Array<std::int32_t> distance = make_array<std::int32_t>(static_cast<std::uint64_t>(n));
#pragma omp parallel for
  for (Vertex v = 0; v < n; ++v) distance[v] = kUnreachable;
  distance[source] = 0;
  Array<Vertex> frontier = make_array<Vertex>(static_cast<std::uint64_t>(graph.num_entries) + 1);
  frontier[0] = source;
  std::size_t size = 1;
  std::size_t current = 0;
  std::size_t next = kNone;
  std::size_t filled = 0;
#pragma omp parallel
  {
    Buckets mine;
    std::vector<Vertex> fused;
    while (current != kNone) {
      const std::int64_t settled_below = static_cast<std::int64_t>(current) * delta;
#pragma omp for nowait schedule(dynamic, 64)
      for (std::size_t i = 0; i < size; ++i) {
        if (distance[frontier[i]] >= settled_below) relax(graph, frontier[i], delta, distance.get(), mine);
      }
      while (mine.size(current) > 0 && mine.size(current) < kFusionLimit) {
        fused = mine[current];
        mine[current].clear();
        for (const Vertex u : fused) relax(graph, u, delta, distance.get(), mine);
      }
      const std::size_t wanted = mine.first_from(current);
#pragma omp critical
      next = std::min(next, wanted);
#pragma omp barrier
      if (next != kNone && mine.size(next) > 0) {
        std::vector<Vertex>& bucket = mine[next];
        std::copy(bucket.begin(), bucket.end(),
                  frontier.get() + __atomic_fetch_add(&filled, bucket.size(), __ATOMIC_RELAXED));
        bucket.clear();
      }
#pragma omp barrier
#pragma omp single
      {
        size = filled;
        current = next;
        filled = 0;
        next = kNone;
      }
    }
  }
  return distance;
}

}  // namespace rizoma::yardstick
