#include <rizoma/algorithms/distance_sums.h>

#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <algorithm>
#include <array>
#include <memory>

namespace rizoma {
namespace {

constexpr VertexId kTogether = 64;              // searches in one word
constexpr std::uint64_t kAskEntries = 1 << 18;  // entries read between two checks whether to continue

/// Counts, for each of 64 bits, the words that have it: plane i holds bit i of all 64 counts.
class BitCounts {
 public:
  void add(std::uint64_t word) {
    for (std::size_t i = 0; word != 0; ++i) {
      if (i == planes_.size()) planes_.push_back(0);
      const std::uint64_t carry = planes_[i] & word;
      planes_[i] ^= word;
      word = carry;
    }
  }
  /// Calls f(bit, count) for all counts above 0, and resets them.
  template <class F>
  void take(F f) {
    for (unsigned bit = 0; bit < kTogether; ++bit) {
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < planes_.size(); ++i) count |= ((planes_[i] >> bit) & 1) << i;
      if (count != 0) f(bit, count);
    }
    planes_.clear();
  }

 private:
  std::vector<std::uint64_t> planes_;
};

/// The searches of one thread, 64 at a time.
template <class Lists>
class Together {
  using Target = typename Lists::target_type;

 public:
  Together(Lists& lists, unsigned thread)
      : lists_(lists),
        thread_(thread),
        seen_(lists.num_vertices()),
        active_(lists.num_vertices()),
        found_(lists.num_vertices()) {}

  /// Sources [block.begin, block.end), at most 64.
  void run(Engine& engine, std::span<const VertexId> sources, VertexRange block, DistanceSums& sums) {
    std::fill(seen_.begin(), seen_.end(), 0);
    for (VertexId i = block.begin; i < block.end; ++i)
      find(static_cast<Target>(sources[i]), std::uint64_t{1} << (i - block.begin));
    for (std::uint64_t distance = 0; !next_.empty() && !engine.stopping(); ++distance) {
      settle();
      counts_.take([&](unsigned bit, std::uint64_t count) {
        const VertexId i = block.begin + bit;
        sums.reached[i] += count;
        sums.sums[i] += count * distance;
        if (distance > 0) sums.harmonic[i] += static_cast<double>(count) / static_cast<double>(distance);
        sums.eccentricity[i] = distance;
      });
      advance(engine);
    }
    frontier_.clear();
    next_.clear();
  }

 private:
  void find(Target v, std::uint64_t searches) {
    if (found_[v] == 0) next_.push_back(v);
    found_[v] |= searches;
  }

  /// What was found becomes the frontier.
  void settle() {
    std::swap(frontier_, next_);
    next_.clear();
    for (const Target v : frontier_) {
      active_[v] = found_[v];
      seen_[v] |= found_[v];
      counts_.add(found_[v]);
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
        if (!engine.report("distance_sums", 0, 0)) return;
      }
      for (const Target v : targets) {
        const std::uint64_t fresh = searches & ~seen_[v];
        if (fresh != 0) find(v, fresh);
      }
    }
  }

  Lists& lists_;
  unsigned thread_;
  std::uint64_t entries_ = 0;          ///< read since the engine was last asked
  std::vector<std::uint64_t> seen_;    ///< which searches have been at a vertex
  std::vector<std::uint64_t> active_;  ///< which have it in their frontier
  std::vector<std::uint64_t> found_;   ///< which will
  std::vector<Target> frontier_;
  std::vector<Target> next_;
  BitCounts counts_;
};

}  // namespace

Result<DistanceSums> distance_sums(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                   Direction direction) {
  RIZOMA_TRY(single_process_only(engine, "distance_sums"));
  RIZOMA_TRY(check_direction(graph, direction, "distance_sums"));
  RIZOMA_TRY(check_sources(graph, sources, "distance_sums"));
  RIZOMA_TRY(engine.report("distance_sums", 0, static_cast<double>(sources.size())));
  const std::size_t k = sources.size();
  DistanceSums sums{std::vector<std::uint64_t>(k), std::vector<std::uint64_t>(k), std::vector<double>(k),
                    std::vector<std::uint64_t>(k)};
  // Fewer searches a word, if that gives every thread one.
  const VertexId grain = std::clamp<VertexId>((k + engine.threads() - 1) / engine.threads(), 1, kTogether);
  RIZOMA_TRY(read_lists(engine, graph, direction, [&]<class Lists>(Lists& lists) {
    std::vector<std::unique_ptr<Together<Lists>>> workers(engine.threads());
    return engine.for_blocks(k, grain, [&](VertexRange block, unsigned thread) {
      if (workers[thread] == nullptr) workers[thread] = std::make_unique<Together<Lists>>(lists, thread);
      workers[thread]->run(engine, sources, block, sums);
    });
  }));
  return sums;
}

}  // namespace rizoma
