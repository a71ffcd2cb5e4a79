// Breadth-first searches from up to 64 vertices at once, shared by all ranks.  Module: engine.
//
// How: the message of a vertex is a word with a bit for each search that has just found it.
// Cost: between one pass over the edges and one for each search; 24 bytes a vertex.
// Source: Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.
#pragma once

#include <rizoma/iteration.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

class SharedSearches {
 public:
  static constexpr VertexId kTogether = 64;

  /// `loop` has not begun.
  SharedSearches(Iteration& loop, Direction along)
      : loop_(loop), seen_(loop, 0), found_(loop, 0), find_{seen_.data(), found_.data()}, along_(along) {}

  /// Searches from at most 64 sources, the same on all ranks: reach(v, searches) for each vertex of a level whose state
  /// is here, with a bit for each search that reaches it there, then next(level), for one level after the other.
  /// Collective.  Errors: cancelled; those of `next`, and of any other rank.
  template <class Reach, class Next>
  Status run(std::span<const VertexId> sources, Reach&& reach, Next&& next) {
    RIZOMA_TRY(begin(sources));
    for (std::uint64_t level = 0; sweep_->active() > 0; ++level) {
      for (const VertexId v : sweep_->active_list()) {
        if (loop_.is_here(v)) reach(v, found_[v]);
      }
      RIZOMA_TRY(next(level));
      RIZOMA_TRY(sweep_->step());
    }
    return {};
  }

 private:
  struct Find {
    using Message = std::uint64_t;
    using Accum = std::uint64_t;

    std::uint64_t* seen;
    std::uint64_t* found;
    std::uint64_t all = 0;  ///< a bit for each search

    [[nodiscard]] Message scatter(VertexId v) const { return found[v]; }
    [[nodiscard]] Accum gather(Accum searches, const auto& entries) const {
      for (std::size_t i = 0; i < entries.size(); ++i) searches |= entries.message(i);
      return searches;
    }
    [[nodiscard]] Accum combine(Accum a, Accum b) const { return a | b; }
    [[nodiscard]] bool cond(VertexId v) const { return seen[v] != all; }
    bool apply(VertexId v, Accum searches) {
      found[v] = searches & ~seen[v];
      seen[v] |= searches;
      return found[v] != 0;
    }
  };

  Status begin(std::span<const VertexId> sources) {
    if (!sweep_) {
      RIZOMA_TRY(loop_.begin());
      sweep_.emplace(loop_.engine(), loop_.graph(), find_, SweepOptions{.along = along_});
    }
    const auto forget = [&](VertexId v) { seen_[v] = found_[v] = 0; };
    loop_.for_own(forget);
    std::ranges::for_each(first_, forget);
    first_.clear();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const VertexId v = sources[i];
      if (found_[v] == 0) first_.push_back(v);
      seen_[v] = found_[v] |= std::uint64_t{1} << i;
    }
    find_.all = ~std::uint64_t{0} >> (kTogether - sources.size());
    return sweep_->start(first_);
  }

  Iteration& loop_;
  VertexState<std::uint64_t> seen_;
  VertexState<std::uint64_t> found_;  ///< in the last step
  Find find_;
  Direction along_;
  std::optional<Sweep<Find>> sweep_;
  std::vector<VertexId> first_;  ///< sources of the searches, each once
};

}  // namespace rizoma
