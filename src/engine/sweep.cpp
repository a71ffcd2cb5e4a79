#include <rizoma/sweep.h>

#include <algorithm>

namespace rizoma::engine_detail {
namespace {

// A search in which one neighbour suffices: pull once the frontier has more than 1/kAlpha of the entries not yet
// explored; back once it shrinks and is below 1/kBeta of the vertices.
constexpr EdgeCount kAlpha = 15;
constexpr VertexId kBeta = 18;
constexpr EdgeCount kPullGain = 2;    // an entry pulled costs about half of one pushed: nothing is shared
constexpr EdgeCount kPullShare = 20;  // other programs pull above this share of all entries

constexpr std::uint64_t kSmallList = 256;
constexpr std::uint64_t kLeastGrain = 32;
constexpr std::uint64_t kMostGrain = 512;

}  // namespace

bool PullRule::pays(const ActiveVertices& active, VertexId previous, EdgeCount unexplored,
                    EdgeCount total) const noexcept {
  if (!can_push || !can_pull) return can_pull;
  if (active.all()) return true;
  const EdgeCount entries = active.entries();
  if (!once) return entries > kFewMessages && entries > total / kPullShare;
  if (active.universe() / 64 >= entries) return active.dense() && active.size() >= previous;
  if (!first_suffices) return unexplored < kPullGain * entries;
  if (active.dense()) return active.size() >= previous || active.size() > active.universe() / kBeta;
  return entries > unexplored / kAlpha;
}

std::uint64_t list_grain(std::uint64_t size, unsigned threads) noexcept {
  return size <= kSmallList ? kSmallList : std::clamp(size / (8 * threads), kLeastGrain, kMostGrain);
}

}  // namespace rizoma::engine_detail
