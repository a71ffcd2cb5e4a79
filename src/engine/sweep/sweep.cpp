#include <rizoma/sweep.h>

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

}  // namespace rizoma::engine_detail
