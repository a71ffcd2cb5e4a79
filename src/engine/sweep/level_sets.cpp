#include <rizoma/detail/level_sets.h>

#include <atomic>
#include <bit>

namespace rizoma::engine_detail {

template <class Target>
LevelSets<Target>::LevelSets(Engine& engine, VertexId n)
    : engine_(engine),
      n_(n),
      order_(engine.make_map<Target>(n, 0, Structure::frontiers)),
      seen_(engine.make_set(n)),
      marked_(engine.make_set(n)),
      found_(engine.make_set(n)),
      queues_(engine.threads()) {}

template <class Target>
void LevelSets<Target>::begin_with(VertexId v) {
  order_[0] = static_cast<Target>(v);
  seen_.words()[v / 64] |= bit(v);
  found_.words()[v / 64] |= bit(v);
}

template <class Target>
VertexId LevelSets<Target>::append_queued(VertexId end) {
  for (Queue& queue : queues_) {
    for (const Target v : queue.vertices) {
      order_[end++] = v;
      seen_.words()[v / 64] |= bit(v);
    }
    queue.vertices.clear();
  }
  return end;
}

template <class Target>
VertexId LevelSets<Target>::append_found(VertexId end) {
  for (VertexId word = 0; word * 64 < n_; ++word) {
    seen_.words()[word] |= found_.word(word);
    for (std::uint64_t bits = found_.word(word); bits != 0; bits &= bits - 1) {
      order_[end++] = static_cast<Target>(word * 64 + static_cast<VertexId>(std::countr_zero(bits)));
    }
  }
  return end;
}

/// Vertices that follow each other in a level often share a word: one atomic write for all of them.
template <class Target>
Status LevelSets<Target>::mark(const SearchLevel& level) {
  return engine_.for_blocks(level.size(), 4096, [&](VertexRange block, unsigned) {
    const std::span<const Target> some = vertices(level.begin + block.begin, level.begin + block.end);
    for (std::size_t i = 0; i < some.size();) {
      const VertexId word = some[i] / 64;
      std::uint64_t bits = 0;
      for (; i < some.size() && some[i] / 64 == word; ++i) bits |= bit(some[i]);
      std::atomic_ref(marked_.words()[word]).fetch_or(bits, std::memory_order_relaxed);
    }
  });
}

template <class Target>
void LevelSets<Target>::forget(const SearchLevel& last) {
  clear(seen_, {0, last.end, 0, 0, 0});
  clear(found_, last);
}

/// On ranks a set has vertices of others, too.
template <class Target>
void LevelSets<Target>::clear(VertexSet& set, const SearchLevel& level) {
  if (engine_.ranks() != nullptr || level.size() >= n_ / 64) return set.clear();
  for (const Target v : vertices(level)) set.words()[v / 64] = 0;
}

template class LevelSets<std::uint32_t>;
template class LevelSets<std::uint64_t>;

}  // namespace rizoma::engine_detail
