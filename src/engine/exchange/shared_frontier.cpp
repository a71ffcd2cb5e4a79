#include <rizoma/detail/ranks.h>
#include <rizoma/detail/shared_frontier.h>
#include <rizoma/vertex_set.h>

#include <algorithm>

namespace rizoma::engine_detail {

Result<bool> SharedFrontier::publish(Engine& engine, VertexId n, const std::uint64_t* mine) {
  Ranks& ranks = *engine.ranks();
  if (!memory_) {
    RIZOMA_ASSIGN(memory_, RankMemory::take(ranks, VertexSet::words_of(n) * sizeof(std::uint64_t)));
  }
  if (!*memory_) return false;
  auto* const all = reinterpret_cast<std::uint64_t*>(memory_->data());
  // Ranks own whole words.
  RIZOMA_TRY(for_vertices_of(engine, Whose::own, [&](VertexRange range, unsigned) {
    std::copy(mine + range.begin / 64, mine + (range.end + 63) / 64, all + range.begin / 64);
  }));
  for (const VertexRange range : ranks.ranges_of(ranks.rank())) ranks.count_packed((range.size() + 7) / 8, false);
  RIZOMA_TRY(ranks.barrier());
  return true;
}

}  // namespace rizoma::engine_detail
