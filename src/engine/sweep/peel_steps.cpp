#include <rizoma/detail/outbox.h>
#include <rizoma/detail/peel_steps.h>
#include <rizoma/process_vertices.h>

namespace rizoma::engine_detail {
namespace {

constexpr std::uint64_t kLookedAt = 1 << 14;   // vertices that a thread looks at in one go
constexpr std::uint64_t kTakenOff = 1 << 9;    // vertices that a thread begins to take off at once
constexpr std::uint64_t kFollowing = 1 << 12;  // the most with those that follow; the rest is shared again

struct Left {
  std::uint64_t vertices;
  std::uint64_t off;  ///< of those, to be taken off at this level
  static Left add(const Left& a, const Left& b) { return {a.vertices + b.vertices, a.off + b.off}; }
};

template <class Degree>
struct Next {
  std::uint64_t off;
  Degree least;  ///< above the level
  static Next add(const Next& a, const Next& b) { return {a.off + b.off, std::min(a.least, b.least)}; }
};

}  // namespace

template <class Degree, class Vertex>
PeelSteps<Degree, Vertex>::PeelSteps(Iteration& loop, PeelBlocks<Degree, Vertex>& blocks, VertexState<Degree>& degrees)
    : engine_(loop.engine()),
      loop_(loop),
      blocks_(blocks),
      state_(degrees),
      degrees_(degrees.values()),
      threads_(engine_.threads()) {}

template <class Degree, class Vertex>
Status PeelSteps<Degree, Vertex>::start(Degree level) {
  level_ = level;
  RIZOMA_TRY(state_.set_mirrors(kAbroad));
  loop_.for_own([&](VertexId v) {
    if (degrees_[v] > level_) there_.push_back(static_cast<Vertex>(v));
  });
  left_ = there_.size();
  RIZOMA_ASSIGN(left_of_all_, loop_.total(left_));
  return {};
}

template <class Degree, class Vertex>
Status PeelSteps<Degree, Vertex>::step() {
  RIZOMA_TRY(find_next());
  for (bool ended = false; !ended;) {
    while (!off_.empty()) RIZOMA_TRY(take_off());
    RIZOMA_TRY(notify_owners());
    RIZOMA_ASSIGN(const Left of_all, loop_.total(Left{left_, off_.size()}, Left::add));
    left_of_all_ = of_all.vertices;
    ended = of_all.off == 0;
  }
  return {};
}

/// Goes on to the smallest degree left, and finds all vertices that have it.
template <class Degree, class Vertex>
Status PeelSteps<Degree, Vertex>::find_next() {
  if (left_ < there_.size() - there_.size() / 4) std::erase_if(there_, [&](Vertex v) { return degrees_[v] <= level_; });
  for (++level_;;) {
    RIZOMA_TRY(look_through());
    const Next<Degree> mine{off_.size(), least_};
    RIZOMA_ASSIGN(const Next<Degree> next, loop_.total(mine, Next<Degree>::add));
    if (next.off > 0) return {};
    level_ = next.least;
  }
}

/// Finds who has the degree of the level, and the smallest degree above it.
template <class Degree, class Vertex>
Status PeelSteps<Degree, Vertex>::look_through() {
  constexpr Degree kNone = std::numeric_limits<Degree>::max();
  for (auto& mine : threads_) mine.least = kNone;
  RIZOMA_TRY(engine_.for_blocks(there_.size(), kLookedAt, [&](VertexRange block, unsigned thread) {
    PeelThread<Degree, Vertex>& mine = threads_[thread];
    const Degree level = level_;
    Degree least = mine.least;
    mine.make_room(block.size());
    for (VertexId i = block.begin; i < block.end; ++i) {
      const Vertex v = there_[i];
      const Degree degree = degrees_[v];
      if (degree == level) mine.off[mine.waiting++] = v;
      least = std::min(least, degree > level ? degree : kNone);
    }
    mine.least = least;
  }));
  least_ = kNone;
  for (const auto& mine : threads_) least_ = std::min(least_, mine.least);
  collect();
  return {};
}

template <class Degree, class Vertex>
Status PeelSteps<Degree, Vertex>::take_off() {
  const bool shared = off_.size() > kTakenOff && threads_.size() > 1;
  RIZOMA_TRY(engine_.for_blocks(off_.size(), kTakenOff, [&](VertexRange block, unsigned thread) {
    PeelThread<Degree, Vertex>& mine = threads_[thread];
    mine.make_room(block.size());
    for (VertexId i = block.begin; i < block.end; ++i) mine.off[mine.waiting++] = off_[i];
    blocks_.take_off(kFollowing, level_, mine, thread, shared);
  }));
  for (auto& mine : threads_) left_ -= std::exchange(mine.taken_off, 0);
  collect();
  return {};
}

/// Tells other ranks by how much their vertices decrease, and decreases those of this rank.
template <class Degree, class Vertex>
Status PeelSteps<Degree, Vertex>::notify_owners() {
  if (loop_.is_alone()) return {};
  constexpr std::size_t kFew = 2048;  // vertices, not worth waking a thread
  std::size_t all = 0;
  for (const auto& mine : threads_) all += mine.abroad.size();
  Outbox<Degree> outbox(engine_);
  const std::uint64_t grain = all < kFew ? threads_.size() : 1;
  RIZOMA_TRY(engine_.for_blocks(threads_.size(), grain, [&](VertexRange some, unsigned thread) {
    for (VertexId i = some.begin; i < some.end; ++i) {
      for (const Vertex w : threads_[i].abroad)
        outbox.add(w, static_cast<Degree>(kAbroad - std::exchange(degrees_[w], kAbroad)), thread);
      threads_[i].abroad.clear();
    }
  }));
  std::vector<PerThread<std::vector<Vertex>>> found(threads_.size());
  RIZOMA_TRY(outbox.exchange_by_all([&](unsigned thread) {
    return [&, thread](VertexId v, Degree by) {
      if (degrees_[v] <= level_) return;
      degrees_[v] = std::max(level_, static_cast<Degree>(degrees_[v] - by));
      if (degrees_[v] == level_) found[thread].value.push_back(static_cast<Vertex>(v));
    };
  }));
  for (const auto& mine : found) off_.insert(off_.end(), mine.value.begin(), mine.value.end());
  return {};
}

template <class Degree, class Vertex>
void PeelSteps<Degree, Vertex>::collect() {
  off_.clear();
  for (auto& mine : threads_) {
    const auto begin = mine.off.begin();
    off_.insert(off_.end(), begin, begin + static_cast<std::ptrdiff_t>(std::exchange(mine.waiting, 0)));
  }
}

template class PeelSteps<std::int32_t, std::uint32_t>;
template class PeelSteps<std::int32_t, std::uint64_t>;
template class PeelSteps<std::int64_t, std::uint32_t>;
template class PeelSteps<std::int64_t, std::uint64_t>;

}  // namespace rizoma::engine_detail
