#include <rizoma/algorithms/distance_sums.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/sweep/multi_source_search.h"
#include "engine/sweep/shared_searches.h"

#include <rizoma/detail/same_call.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace rizoma {
namespace {

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
    for (unsigned bit = 0; bit < kSearchesTogether; ++bit) {
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < planes_.size(); ++i) count |= ((planes_[i] >> bit) & 1) << i;
      if (count != 0) f(bit, count);
    }
    planes_.clear();
  }

 private:
  std::vector<std::uint64_t> planes_;
};

/// Adds `count` vertices at a distance of source i.
void add_level(DistanceSums& sums, std::size_t i, std::uint64_t distance, std::uint64_t count) {
  sums.reached[i] += count;
  sums.sums[i] += count * distance;
  if (distance > 0) sums.harmonic[i] += static_cast<double>(count) / static_cast<double>(distance);
  sums.eccentricity[i] = distance;
}

/// What one thread finds from sources [block.begin, block.end), at most 64.
template <class Lists>
class Together {
 public:
  Together(Lists& lists, unsigned thread) : search_(lists, thread, "distance_sums") {}

  void run(Engine& engine, VertexRange block, DistanceSums& sums) {
    const auto reach = [this](VertexId, std::uint64_t searches) { counts_.add(searches); };
    search_.run(engine, std::span(sums.sources).subspan(block.begin, block.size()), reach, [&](std::uint64_t distance) {
      counts_.take([&](unsigned bit, std::uint64_t count) { add_level(sums, block.begin + bit, distance, count); });
    });
  }

 private:
  MultiSourceSearch<Lists> search_;
  BitCounts counts_;
};

/// All processes search together.
Status search_shared(Iteration& loop, Direction direction, DistanceSums& sums) {
  using Counts = std::array<std::uint64_t, kSearchesTogether>;
  const auto add = [](Counts a, const Counts& b) {
    std::ranges::transform(a, b, a.begin(), std::plus<>());
    return a;
  };
  BitCounts here;
  return search_together(
      loop, direction, sums.sources, [&](VertexId, std::uint64_t searches, std::uint64_t) { here.add(searches); },
      [&](std::size_t first, std::uint64_t distance) -> Status {
        Counts counts{};
        here.take([&](unsigned bit, std::uint64_t count) { counts[bit] = count; });
        RIZOMA_ASSIGN(counts, loop.total(counts, add));
        for (std::size_t bit = 0; bit < counts.size(); ++bit) {
          if (counts[bit] > 0) add_level(sums, first + bit, distance, counts[bit]);
        }
        return {};
      });
}

/// Each thread searches on its own.
Status search_apart(Engine& engine, const GraphView& graph, Direction direction, DistanceSums& sums) {
  return read_lists(engine, graph, direction, [&]<class Lists>(Lists& lists) {
    std::vector<std::unique_ptr<Together<Lists>>> workers(engine.threads());
    return for_blocks_of_sources(engine, sums.sources.size(), [&](VertexRange block, unsigned thread) {
      if (workers[thread] == nullptr) workers[thread] = std::make_unique<Together<Lists>>(lists, thread);
      workers[thread]->run(engine, block, sums);
    });
  });
}

}  // namespace

Result<DistanceSums> distance_sums(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                   Direction direction) {
  RIZOMA_TRY(expect_same_call(engine, "distance_sums", {{"in_edges", direction == Direction::in}}));
  DistanceSums sums{.sources = {sources.begin(), sources.end()}};
  Iteration loop(engine, graph, "distance_sums");
  RIZOMA_TRY(loop.agree_on(sums.sources));
  RIZOMA_TRY(check_direction(graph, direction, "distance_sums"));
  RIZOMA_TRY(check_sources(graph, sums.sources, "distance_sums"));
  const std::size_t k = sums.sources.size();
  RIZOMA_TRY(loop.report(0, static_cast<double>(k)));
  sums.reached.resize(k);
  sums.sums.resize(k);
  sums.harmonic.resize(k);
  sums.eccentricity.resize(k);
  RIZOMA_TRY(loop.is_alone() ? search_apart(engine, graph, direction, sums) : search_shared(loop, direction, sums));
  return sums;
}

}  // namespace rizoma
