// Breadth-first searches from up to 64 vertices at once, by one thread.  Module: engine.
//
// How: a word for each vertex has a bit for each search; a list is read once for all searches that have its vertex in
// their frontier.
// Cost: between one pass over the edges and one for each search; 24 bytes a vertex.
// Source: Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.
#pragma once

#include <rizoma/gather.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

inline constexpr VertexId kSearchesTogether = 64;  ///< in one word

/// Calls search(block, thread) for blocks of that many sources, or of fewer, if that gives every thread one.
template <class F>
Status for_blocks_of_sources(Engine& engine, std::size_t sources, F&& search) {
  const VertexId of_each = (sources + engine.threads() - 1) / engine.threads();
  return engine.for_blocks(sources, std::clamp<VertexId>(of_each, 1, kSearchesTogether), search);
}

template <class Lists>
class MultiSourceSearch {
  using Target = typename Lists::target_type;

 public:
  /// `phase`: what the engine is asked for when it is asked whether to go on.
  MultiSourceSearch(Lists& lists, unsigned thread, std::string_view phase)
      : lists_(lists),
        thread_(thread),
        phase_(phase),
        seen_(lists.num_vertices()),
        active_(lists.num_vertices()),
        found_(lists.num_vertices()) {}

  /// Searches from at most 64 sources: reach(v, searches) for each vertex of a level, with a bit for each search that
  /// reaches it there, then next(level), for one level after the other.  Returns early if the call must stop.
  template <class Reach, class Next>
  void run(Engine& engine, std::span<const VertexId> sources, Reach&& reach, Next&& next) {
    std::fill(seen_.begin(), seen_.end(), 0);
    for (std::size_t i = 0; i < sources.size(); ++i) find(static_cast<Target>(sources[i]), std::uint64_t{1} << i);
    for (std::uint64_t level = 0; !next_.empty() && !engine.stopping(); ++level) {
      settle(reach);
      next(level);
      advance(engine);
    }
    frontier_.clear();
    next_.clear();
  }

 private:
  static constexpr std::uint64_t kAskEntries = 1 << 18;  // read between two checks whether to continue

  void find(Target v, std::uint64_t searches) {
    if (found_[v] == 0) next_.push_back(v);
    found_[v] |= searches;
  }

  /// What was found becomes the frontier.
  template <class Reach>
  void settle(Reach& reach) {
    std::swap(frontier_, next_);
    next_.clear();
    for (const Target v : frontier_) {
      active_[v] = found_[v];
      seen_[v] |= found_[v];
      reach(v, found_[v]);
      found_[v] = 0;
    }
  }

  /// Returns early, with a part of the next frontier, if the call must stop.
  void advance(Engine& engine) {
    for (const Target u : frontier_) {
      const std::uint64_t searches = active_[u];
      const auto targets = lists_.read(u, thread_).sources();
      entries_ += targets.size();
      if (entries_ >= kAskEntries) {
        entries_ = 0;
        if (!engine.report(phase_, 0, 0)) return;
      }
      for (const Target v : targets) {
        const std::uint64_t fresh = searches & ~seen_[v];
        if (fresh != 0) find(v, fresh);
      }
    }
  }

  Lists& lists_;
  unsigned thread_;
  std::string_view phase_;
  std::uint64_t entries_ = 0;          ///< read since the engine was last asked
  std::vector<std::uint64_t> seen_;    ///< which searches have been at a vertex
  std::vector<std::uint64_t> active_;  ///< which have it in their frontier
  std::vector<std::uint64_t> found_;   ///< which will
  std::vector<Target> frontier_;
  std::vector<Target> next_;
};

}  // namespace rizoma
