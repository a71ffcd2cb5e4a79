#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/program_traits.h>

#include <algorithm>

namespace rizoma::engine_detail {
namespace {

// A search in which one neighbour suffices: pull for the first time once the frontier has more than 1/kAlpha of the
// entries not yet explored.  After that it is known what a pull looks at in vain, which is what the next one costs at
// least: many graphs have parts that a search never reaches, and each pull goes through their lists.
constexpr EdgeCount kAlpha = 15;
constexpr EdgeCount kSearchGain = 2;  // some find an active neighbour before the end of their lists
constexpr EdgeCount kPullGain = 2;    // an entry pulled costs about half of one pushed: nothing is shared
constexpr EdgeCount kPullShare = 20;  // other programs pull above this share of all entries

// Whom a thread has found is together in a list, and near one another in memory: each thread gets one stretch of a
// short list, so that two do not write to the same lines.  Many entries come in portions: the other threads may wake
// late, and lists differ in length.
constexpr std::uint64_t kSmallList = 256;
constexpr EdgeCount kFewEntries = 1 << 14;
constexpr EdgeCount kPortion = 1 << 13;
constexpr std::uint64_t kLeastGrain = 8;
constexpr std::uint64_t kMostGrain = 4096;

// thread_local_frontier.h.
constexpr EdgeCount kLeastEntriesApart = 1 << 15;
constexpr EdgeCount kLeastShareApart = 4;  // entries read for each word copied

}  // namespace

PullRule::Choice PullRule::choose(const ActiveVertices& active, EdgeCount unexplored, EdgeCount total) const noexcept {
  const auto pull_if = [](bool pull) { return pull ? Choice::pull : Choice::push; };
  if (!can_push || !can_pull) return pull_if(can_pull);
  if (active.all()) return Choice::pull;
  const EdgeCount entries = active.entries();
  if (!visit_once) return pull_if(entries > kSparsePush && entries > total / kPullShare);
  if (active.universe() / 64 >= entries) return Choice::push;
  if (!early_exit) return pull_if(unexplored < kPullGain * entries);
  if (symmetric && pays(active, unexplored)) return Choice::pull;
  if (active.in_vain()) return pull_if(pays(active, *active.in_vain()));
  return entries > unexplored / kAlpha ? Choice::look : Choice::push;
}

bool PullRule::pays(const ActiveVertices& active, EdgeCount in_vain) noexcept {
  return in_vain + active.universe() / 64 < kSearchGain * active.entries();
}

std::uint64_t list_grain(std::uint64_t size, EdgeCount entries, unsigned threads) noexcept {
  if (size <= kSmallList && entries <= kFewEntries) return kSmallList;
  const std::uint64_t each = (size + threads - 1) / threads;
  return std::clamp(std::min(each, size * kPortion / std::max<EdgeCount>(entries, 1)), kLeastGrain, kMostGrain);
}

bool claims_apart_pay(EdgeCount entries, VertexId universe, unsigned threads) noexcept {
  return threads > 1 && entries >= kLeastEntriesApart && entries / kLeastShareApart >= universe / 64;
}

namespace {

template <class Target>
bool any_active(const Adjacency<Target>& lists, VertexId v, EdgeCount most, const std::uint64_t* front) {
  bool any = false;
  lists.for_runs(v, 0, std::min(lists.degree(v), most), [&](const auto& run) {
    for (std::uint32_t i = run.begin; i < run.end && !any; ++i) {
      const VertexId u = run.targets[i];
      any = ((front[u / 64] >> (u % 64)) & 1) != 0;
    }
    return !any;
  });
  return any;
}

}  // namespace

EdgeCount about_in_vain(const GraphView& graph, Direction direction, const std::uint64_t* front,
                        FunctionRef<bool(VertexId)> may_apply) {
  constexpr VertexId kDraws = 512;  // vertices sampled,
  constexpr unsigned kLists = 128;  // lists read,
  constexpr EdgeCount kEach = 128;  // entries of each
  return with_lists_of(graph, direction, [&](const auto& lists) {
    const VertexId n = lists.num_vertices();
    EdgeCount in_vain = 0;
    VertexId drawn = 0;
    for (unsigned looked = 0; drawn < kDraws && looked < kLists; ++drawn) {
      const VertexId v = n * drawn / kDraws;
      const EdgeCount size = lists.degree(v);
      if (size == 0 || !may_apply(v)) continue;
      ++looked;
      if (!any_active(lists, v, kEach, front)) in_vain += size;
    }
    return in_vain * (n / std::max<VertexId>(drawn, 1));
  });
}

}  // namespace rizoma::engine_detail
