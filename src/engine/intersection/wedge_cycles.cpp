#include "engine/intersection/wedge_cycles.h"

#include <rizoma/gather.h>

#include "engine/intersection/degree_order.h"
#include "engine/intersection/distinct_neighbors.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kGrain = 16;

/// Counts wedges for one vertex after the other.  `kSimple`: no list names its own vertex, or another twice.
template <class Lists, bool kSimple>
class WedgeCounter {
  using Target = typename Lists::target_type;

 public:
  WedgeCounter(Lists& lists, std::span<const std::uint32_t> ranks, unsigned thread)
      : lists_(lists), ranks_(ranks), thread_(thread), wedges_(ranks.size()) {}

  /// The cycles in which v has the first rank.
  std::uint64_t cycles(VertexId v) {
    const std::uint32_t rank = ranks_[v];
    VertexRange ends{ranks_.size(), 0};
    EdgeCount count = 0;
    for_each_middle(lists_.read(v, thread_), v, [&](Target middle) {
      const auto list = lists_.read(middle, thread_);
      count += list.size();
      ends = {std::min<VertexId>(ends.begin, list.source(0)),
              std::max<VertexId>(ends.end, list.source(list.size() - 1) + 1)};
      for_each_neighbor(list, middle, [&](Target u) { ++wedges_[u]; });
    });
    if (count == 0) return 0;
    // Where the ends lie close together, one pass over all between them takes less than going to each once more.
    if (ends.size() / kClose < count) return take_range(ends, rank);
    std::uint64_t found = 0;
    for_each_middle(lists_.again(v), v, [&](Target middle) {
      for (const Target u : lists_.again(middle).sources()) found += cycles_to(u, rank);
    });
    return found;
  }

 private:
  static constexpr VertexId kClose = 2;

  std::uint64_t take_range(VertexRange ends, std::uint32_t rank) {
    std::uint64_t found = 0;
    for (VertexId u = ends.begin; u < ends.end; ++u) found += cycles_to(u, rank);
    return found;
  }
  /// Those of k wedges that end in u, which it forgets.
  [[gnu::always_inline]] std::uint64_t cycles_to(VertexId u, std::uint32_t rank) {
    const std::uint64_t wedges = wedges_[u];
    wedges_[u] = 0;
    return ranks_[u] > rank ? wedges * (wedges - 1) / 2 : 0;
  }

  template <class F>
  static void for_each_neighbor(const auto& entries, VertexId v, F&& f) {
    if constexpr (kSimple) {
      for (const Target u : entries.sources()) f(u);
    } else {
      for_each_distinct_neighbor(entries, v, f);
    }
  }
  /// The neighbours of v of a lower rank.
  template <class F>
  void for_each_middle(const auto& entries, VertexId v, F&& f) const {
    const std::uint32_t rank = ranks_[v];
    for_each_neighbor(entries, v, [&](Target u) {
      if (ranks_[u] > rank) f(u);
    });
  }

  Lists& lists_;
  std::span<const std::uint32_t> ranks_;
  unsigned thread_;
  std::vector<std::uint32_t> wedges_;  ///< that end in each vertex
};

/// The place of each vertex by falling degree.
std::vector<std::uint32_t> degree_ranks(const GraphView& graph) {
  const Degrees degrees(graph);
  const VertexId n = graph.num_vertices();
  std::vector<std::uint32_t> ranks(n);
  for_each_by_degree(
      n, graph.num_entries(), [&](VertexId v) { return degrees[v]; },
      [&](VertexId v, std::uint32_t place) { ranks[v] = place; });
  return ranks;
}

template <bool kSimple, class Lists>
Result<std::uint64_t> count(Engine& engine, const GraphView& graph, Lists& lists) {
  const std::vector<std::uint32_t> ranks = degree_ranks(graph);
  std::vector<std::unique_ptr<WedgeCounter<Lists, kSimple>>> counters(engine.threads());
  std::vector<PerThread<Wide>> totals(engine.threads(), {0});
  RIZOMA_TRY(engine.for_blocks(graph.num_vertices(), kGrain, [&](VertexRange block, unsigned thread) {
    auto& counter = counters[thread];
    if (counter == nullptr) counter = std::make_unique<WedgeCounter<Lists, kSimple>>(lists, ranks, thread);
    for (VertexId v = block.begin; v < block.end; ++v) totals[thread].value += counter->cycles(v);
  }));
  Wide total = 0;
  for (const PerThread<Wide>& each : totals) total += each.value;
  if (total > std::numeric_limits<std::uint64_t>::max()) {
    return Error{ErrorCode::unsupported, "2^64 cycles of four vertices or more; count in a part of the graph"};
  }
  return static_cast<std::uint64_t>(total);
}

}  // namespace

Result<std::uint64_t> count_wedge_cycles(Engine& engine, const GraphView& graph) {
  const bool simple = graph.num_self_loops() == 0 && !graph.may_have_parallel_edges();
  return read_lists(engine, graph, Direction::out, [&](auto& lists) {
    return simple ? count<true>(engine, graph, lists) : count<false>(engine, graph, lists);
  });
}

}  // namespace rizoma
