// ThreadLocalFrontier: each thread claims vertices in a set of its own; one thread a range decides.  Module: engine.
//
// Why: threads that claim neighbouring vertices contend for the cache lines of the shared set and of the vertex state.
// How: each thread has a copy of the set.  It puts its claims into parts by vertex number; afterwards one thread a part
// applies the first claim of each vertex and drops the others.  No two threads write the same line; nothing is atomic.
// Cost: n / 64 words a thread to copy, and O(claims), at most one a vertex and thread.
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

template <class Accum>
class ThreadLocalFrontier {
 public:
  struct Candidate {
    VertexId vertex;
    Accum accum;
  };

  /// For one thread.
  class Own {
   public:
    /// This thread's copy of the set.
    [[nodiscard]] std::uint64_t* words() noexcept { return set_.words(); }
    void keep(VertexId v, const Accum& accum) {
      parts_[(v >> kTogetherBits) & (parts_.size() - 1)].push_back({v, accum});
    }

   private:
    friend class ThreadLocalFrontier;
    VertexSet set_;
    bool begun_ = false;
    std::vector<std::vector<Candidate>> parts_;
  };

  /// Begins a step.
  void begin(Engine& engine, VertexId universe) {
    owns_.resize(engine.threads());
    for (Own& own : owns_) {
      if (own.set_.universe() != universe) own.set_ = engine.make_set(universe);
      own.parts_.resize(std::min(std::bit_ceil(kPartsEach * owns_.size()), kMostParts));  // a power of two
      own.begun_ = false;
    }
  }
  /// The claims of one thread; `done` must not change meanwhile.
  [[nodiscard]] Own& own(unsigned thread, const std::uint64_t* done) {
    Own& own = owns_[thread];
    if (!own.begun_) std::copy_n(done, VertexSet::words_of(own.set_.universe()), own.set_.words());
    own.begun_ = true;
    return own;
  }

  /// Ends the step: adds the claimed vertices to `done`, and calls take(candidates, thread) for batches of them.
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
  static constexpr unsigned kTogetherBits = 9;  // the vertices of one cache line belong to one part
  static constexpr std::size_t kPartsEach = 4;
  static constexpr std::size_t kMostParts = 64;

  std::vector<Own> owns_;
};

/// The Taker of AtomicFrontier for these claims.
template <class Own, class Cond>
struct Keeper {
  Own& own;
  Cond cond;

  [[nodiscard]] bool may_take(VertexId v) const { return cond(v); }
  void take(VertexId v, const auto& accum) { own.keep(v, accum); }
};

}  // namespace rizoma::engine_detail
