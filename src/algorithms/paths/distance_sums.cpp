#include <rizoma/algorithms/distance_sums.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/sweep/multi_source_search.h"

#include <algorithm>
#include <memory>

namespace rizoma {
namespace {

constexpr VertexId kTogether = 64;  // searches in one word

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

/// What one thread finds from sources [block.begin, block.end), at most 64.
template <class Lists>
class Together {
 public:
  Together(Lists& lists, unsigned thread) : search_(lists, thread, "distance_sums") {}

  void run(Engine& engine, std::span<const VertexId> sources, VertexRange block, DistanceSums& sums) {
    const auto reach = [this](VertexId, std::uint64_t searches) { counts_.add(searches); };
    search_.run(engine, sources.subspan(block.begin, block.size()), reach, [&](std::uint64_t distance) {
      counts_.take([&](unsigned bit, std::uint64_t count) {
        const VertexId i = block.begin + bit;
        sums.reached[i] += count;
        sums.sums[i] += count * distance;
        if (distance > 0) sums.harmonic[i] += static_cast<double>(count) / static_cast<double>(distance);
        sums.eccentricity[i] = distance;
      });
    });
  }

 private:
  MultiSourceSearch<Lists> search_;
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
