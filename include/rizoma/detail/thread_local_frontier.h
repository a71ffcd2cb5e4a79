// ThreadLocalFrontier: threads claim vertices each for itself, and find out afterwards who was first.  Module: engine.
//
// Why: two threads that claim vertices near one another write to the same lines of the set of those done, and to the
// same lines of what is applied; each then waits for the other's caches, for every entry that it looks at.
// How: each thread has a copy of the set.  What it claims there it puts into parts, by the number of the vertex; of
// each part one thread applies what all have claimed, and only the first claim of a vertex counts.  So nothing is
// written by two threads, and no write has to be atomic.
// Cost: n / 64 words for each thread, to copy; beside that O(claims), of which a vertex has up to one a thread.
#pragma once

#include <rizoma/detail/atomic_frontier.h>
#include <rizoma/engine.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma::engine_detail {

template <class Target, class Accum>
class ThreadLocalFrontier {
 public:
  struct Candidate {
    Target vertex;
    Accum accum;
  };

  /// For one thread.
  class Own {
   public:
    /// The thread's set.
    [[nodiscard]] std::uint64_t* words() noexcept { return set_.words(); }
    void keep(VertexId v, const Accum& accum) {
      parts_[(v >> kTogetherBits) & (parts_.size() - 1)].push_back({static_cast<Target>(v), accum});
    }

   private:
    friend class ThreadLocalFrontier;
    VertexSet set_;
    bool begun_ = false;
    std::vector<std::vector<Candidate>> parts_;
  };

  /// Whether that pays for a step with so many entries to look at.
  [[nodiscard]] static bool pays(EdgeCount entries, VertexId universe, unsigned threads) noexcept {
    return threads > 1 && entries >= kLeastEntries && entries / kLeastShare >= universe / 64;
  }

  /// Begins a step, in which nobody has claimed.
  void begin(Engine& engine, VertexId universe) {
    owns_.resize(engine.threads());
    for (Own& own : owns_) {
      if (own.set_.universe() != universe) own.set_ = engine.make_set(universe);
      own.parts_.resize(std::min(std::bit_ceil(kPartsEach * owns_.size()), kMostParts));  // a power of two
      own.begun_ = false;
    }
  }
  /// A thread's own; nobody adds to `done` meanwhile.
  [[nodiscard]] Own& own(unsigned thread, const std::uint64_t* done) {
    Own& own = owns_[thread];
    if (!own.begun_) std::copy_n(done, VertexSet::words_of(own.set_.universe()), own.set_.words());
    own.begun_ = true;
    return own;
  }

  /// Ends the step: puts into `done` who was claimed, and calls take(candidates, thread) for some of them at a time.
  template <class Take>
  Status join(Engine& engine, std::uint64_t* done, Take&& take) {
    return engine.for_blocks(owns_[0].parts_.size(), 1, [&](VertexRange parts, unsigned thread) {
      for (Own& own : owns_) {
        auto& candidates = own.parts_[parts.begin];
        std::size_t won = 0;
        for (const Candidate one : candidates) {
          std::uint64_t& word = done[one.vertex / 64];
          candidates[won] = one;
          won += ((word >> (one.vertex % 64)) & 1) == 0 ? 1 : 0;
          word |= std::uint64_t{1} << (one.vertex % 64);
        }
        take(std::span(candidates).first(won), thread);
        candidates.clear();
      }
    });
  }

 private:
  static constexpr unsigned kTogetherBits = 9;  // vertices of one line of the set are of one part
  static constexpr std::size_t kPartsEach = 4;
  static constexpr std::size_t kMostParts = 64;
  static constexpr EdgeCount kLeastEntries = 1 << 15;
  static constexpr EdgeCount kLeastShare = 4;  // entries looked at for each word copied

  std::vector<Own> owns_;
};

/// What a thread claims for then (atomic_frontier.h): for its own, who is wanted.
template <class Own, class Cond>
struct Keeper {
  Own& own;
  Cond cond;

  [[nodiscard]] bool may_take(VertexId v) const { return cond(v); }
  void take(VertexId v, const auto& accum) { own.keep(v, accum); }
};

}  // namespace rizoma::engine_detail
