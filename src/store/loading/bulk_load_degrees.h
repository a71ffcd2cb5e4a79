// The degrees of the edges of a load, counted before they are sorted: by all threads where edges are in memory,
// piece by piece where they are spilled.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/result.h>

#include "store/loading/bulk_load_edges.h"
#include "store/sections/order.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rizoma::bulk {

/// Degrees by provisional number; undirected: all entries count in `out`.
struct DegreeCounts {
  std::vector<std::uint32_t> out;
  std::vector<std::uint32_t> in;
  DistanceHistogram distances;

  void reach(VertexId size, bool directed) {
    if (out.size() < size) out.resize(size);
    if (directed && in.size() < size) in.resize(size);
  }
};

template <bool Shared>
void increment(std::uint32_t& counter) {
  if constexpr (Shared) {
    std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
  } else {
    ++counter;
  }
}

/// Shared: several threads count in the same arrays.
template <bool Shared, class Record>
void count_edges(std::span<const Record> edges, bool directed, std::span<std::uint32_t> out,
                 std::span<std::uint32_t> in, DistanceHistogram& distances) {
  for (const Record& edge : edges) {
    const VertexId u = edge.source, v = edge.target;
    ++distances.counts[static_cast<unsigned>(std::bit_width(u > v ? u - v : v - u))];
    increment<Shared>(out[u]);
    if (directed) {
      increment<Shared>(in[v]);
    } else if (u != v) {
      increment<Shared>(out[v]);
    }
  }
}

inline void add_distances(DistanceHistogram& to, const DistanceHistogram& from) {
  for (std::size_t b = 0; b < to.counts.size(); ++b) to.counts[b] += from.counts[b];
}

/// Adds the edges in memory to `counts`, each thread in arrays of its own if there is room for that.
template <class Record>
Status count_in_memory(EdgeBuffer<Record>& edges, VertexId size, bool directed, Executor& executor,
                       DegreeCounts& counts) {
  const unsigned threads = executor.threads();
  const std::uint64_t own = std::uint64_t{threads} * size * 4 * (directed ? 2 : 1);
  const bool shared = threads > 1 && own > std::max<std::uint64_t>(std::uint64_t{64} << 20, edges.memory_bytes() / 4);
  std::vector<DegreeCounts> parts(threads);
  std::vector<EdgeChunk<Record>>& chunks = edges.chunks();
  std::atomic<std::size_t> next{0};
  executor.parallel([&](unsigned thread) {
    DegreeCounts& part = parts[thread];
    DegreeCounts& arrays = shared || thread == 0 ? counts : part;
    arrays.reach(shared || thread == 0 ? 0 : size, directed);
    for (std::size_t c; (c = next.fetch_add(1)) < chunks.size();) {
      const std::span<const Record> records = chunks[c].edges();
      shared ? count_edges<true>(records, directed, arrays.out, arrays.in, part.distances)
             : count_edges<false>(records, directed, arrays.out, arrays.in, part.distances);
    }
  });
  for (const DegreeCounts& part : parts) add_distances(counts.distances, part.distances);
  return executor.for_blocks(size, 1 << 16, [&](VertexRange block, unsigned) {
    for (const DegreeCounts& part : parts) {
      for (VertexId v = block.begin; v < block.end && !part.out.empty(); ++v) counts.out[v] += part.out[v];
      for (VertexId v = block.begin; v < block.end && !part.in.empty(); ++v) counts.in[v] += part.in[v];
    }
  });
}

/// Out- and in-degree together, saturated at 32 bits.
inline std::vector<std::uint32_t> total_degrees(const DegreeCounts& counts) {
  std::vector<std::uint32_t> total = counts.out;
  for (std::size_t v = 0; v < counts.in.size(); ++v) {
    const std::uint64_t sum = std::uint64_t{total[v]} + counts.in[v];
    total[v] = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
  }
  return total;
}

inline EdgeCount sum(std::span<const std::uint32_t> degrees) {
  EdgeCount total = 0;
  for (const std::uint32_t degree : degrees) total += degree;
  return total;
}

}  // namespace rizoma::bulk
