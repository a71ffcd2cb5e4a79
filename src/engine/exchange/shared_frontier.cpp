#include <rizoma/detail/shared_frontier.h>
#include <rizoma/vertex_set.h>

#include <algorithm>

namespace rizoma::engine_detail {

Result<bool> SharedFrontier::publish(Ranks& ranks, VertexId n, const std::uint64_t* mine) {
  if (!memory_) {
    RIZOMA_ASSIGN(memory_, RankMemory::take(ranks, VertexSet::words_of(n) * sizeof(std::uint64_t)));
  }
  if (!*memory_) return false;
  auto* const all = reinterpret_cast<std::uint64_t*>(memory_->data());
  // Ranks own whole words.
  for (const VertexRange range : ranks.ranges_of(ranks.rank()))
    std::copy(mine + range.begin / 64, mine + (range.end + 63) / 64, all + range.begin / 64);
  RIZOMA_TRY(ranks.barrier());
  return true;
}

}  // namespace rizoma::engine_detail
