#include "engine/intersection/wedge_cycles.h"

#include <rizoma/gather.h>

#include "engine/intersection/degree_order.h"
#include "engine/intersection/distinct_neighbors.h"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kGrain = 16;
constexpr std::uint64_t kGrainOfLists = 1024;

/// The neighbours of lower rank of each vertex, ascending.  Ranks fall with the degree, rounded down to a power of two,
/// and follow the numbers of vertices within such a class: where neighbours have near numbers, their ranks and lists
/// are near each other, too.
class LowerRanks {
 public:
  using Rank = std::uint32_t;

  explicit LowerRanks(const GraphView& graph)
      : ranks_(graph.num_vertices()), classes_(graph.num_vertices()), begins_(graph.num_vertices() + 1) {
    const Degrees degrees(graph);
    for_each_by_degree(
        ranks_.size(), std::numeric_limits<EdgeCount>::max(), [&](VertexId v) { return std::bit_floor(degrees[v]); },
        [&](VertexId v, Rank rank) {
          ranks_[v] = rank;
          classes_[v] = static_cast<std::uint8_t>(std::bit_width(degrees[v]));
        });
  }

  template <bool kSimple, class Lists>
  Status fill(Engine& engine, Lists& lists);

  [[nodiscard]] Rank operator[](VertexId v) const noexcept { return ranks_[v]; }
  /// The list of a rank; a value above all ranks ends it.
  [[nodiscard]] const Rank* list(Rank rank) const noexcept { return entries_.data() + begins_[rank]; }

  /// f(u) for the neighbours u of v.  `kSimple`: no list names its own vertex, or another twice.
  template <bool kSimple, class F>
  static void for_each_neighbor(const auto& entries, VertexId v, F&& f) {
    if constexpr (kSimple) {
      for (const auto u : entries.sources()) f(u);
    } else {
      for_each_distinct_neighbor(entries, v, f);
    }
  }

 private:
  static constexpr std::size_t kClasses = std::numeric_limits<EdgeCount>::digits + 1;

  template <bool kSimple>
  void sort_into_place(const auto& entries, VertexId v);

  std::vector<Rank> ranks_;            ///< of each vertex
  std::vector<std::uint8_t> classes_;  ///< of each vertex
  std::vector<EdgeCount> begins_;      ///< of the list of each rank
  VertexMap<Rank> entries_;
};

/// Puts the list of v down by classes: within one, it is in order as it is.
template <bool kSimple>
void LowerRanks::sort_into_place(const auto& entries, VertexId v) {
  const Rank rank = ranks_[v];
  std::array<EdgeCount, kClasses> next{};
  for_each_neighbor<kSimple>(entries, v, [&](auto u) { next[classes_[u]] += ranks_[u] < rank ? 1 : 0; });
  EdgeCount end = begins_[rank];
  for (std::size_t i = kClasses; i-- > 0;) end += std::exchange(next[i], end);
  for_each_neighbor<kSimple>(entries, v, [&](auto u) {
    if (ranks_[u] < rank) entries_[next[classes_[u]]++] = ranks_[u];
  });
  entries_[end] = std::numeric_limits<Rank>::max();
}

template <bool kSimple, class Lists>
Status LowerRanks::fill(Engine& engine, Lists& lists) {
  const VertexId n = ranks_.size();
  RIZOMA_TRY(engine.for_blocks(n, kGrainOfLists, [&](VertexRange block, unsigned thread) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      EdgeCount lower = 0;
      for_each_neighbor<kSimple>(lists.read(v, thread), v, [&](auto u) { lower += ranks_[u] < ranks_[v] ? 1 : 0; });
      begins_[ranks_[v] + 1] = lower + 1;
    }
  }));
  for (VertexId r = 0; r < n; ++r) begins_[r + 1] += begins_[r];
  entries_ = engine.make_unset_map<Rank>(begins_[n]);
  return engine.for_blocks(n, kGrainOfLists, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) sort_into_place<kSimple>(lists.again(v), v);
  });
}

/// Counts wedges for one vertex after the other.
class WedgeCounter {
  using Rank = LowerRanks::Rank;

 public:
  WedgeCounter(const LowerRanks& lower, VertexId n) : lower_(lower), wedges_(n), touched_(n + 1) {}

  /// The cycles in which v is across from a vertex of lower rank than the three others.
  template <bool kSimple>
  std::uint64_t cycles(const auto& entries, VertexId v) {
    lists_.clear();
    LowerRanks::for_each_neighbor<kSimple>(entries, v, [&](auto u) { lists_.push_back(lower_.list(lower_[u])); });
    const Rank rank = lower_[v];
    std::uint64_t found = 0;
    std::size_t touched = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      if (i + kAhead < lists_.size()) __builtin_prefetch(lists_[i + kAhead]);
      for (const Rank* end = lists_[i]; *end < rank; ++end) {
        const std::uint32_t before = wedges_[*end]++;
        found += before;
        touched_[touched] = *end;  // which stays if it is the first wedge, without a branch
        touched += before == 0 ? 1 : 0;
      }
    }
    for (std::size_t i = 0; i < touched; ++i) wedges_[touched_[i]] = 0;
    return found;
  }

 private:
  static constexpr std::size_t kAhead = 8;

  const LowerRanks& lower_;
  std::vector<std::uint32_t> wedges_;  ///< from v to each rank
  std::vector<Rank> touched_;          ///< ranks with wedges; one place more, as the last may not stay
  std::vector<const Rank*> lists_;     ///< of the neighbours of v
};

template <bool kSimple, class Lists>
Result<std::uint64_t> count(Engine& engine, const GraphView& graph, Lists& lists) {
  LowerRanks lower(graph);
  RIZOMA_TRY(lower.fill<kSimple>(engine, lists));
  std::vector<std::unique_ptr<WedgeCounter>> counters(engine.threads());
  std::vector<PerThread<Wide>> totals(engine.threads(), {0});
  RIZOMA_TRY(engine.for_blocks(graph.num_vertices(), kGrain, [&](VertexRange block, unsigned thread) {
    auto& counter = counters[thread];
    if (counter == nullptr) counter = std::make_unique<WedgeCounter>(lower, graph.num_vertices());
    for (VertexId v = block.begin; v < block.end; ++v) {
      totals[thread].value += counter->cycles<kSimple>(lists.again(v), v);
    }
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
