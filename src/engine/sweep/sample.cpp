#include <rizoma/detail/list_blocks.h>
#include <rizoma/sample.h>

#include "base/random.h"
#include "engine/loop/kernel_arguments.h"
#include "engine/sweep/weight_types.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kWalksAtOnce = 256;

/// Uniform in [0, bound), bound > 0: chance number `number` of a seed.
std::uint64_t chance(std::uint64_t seed, std::uint64_t number, std::uint64_t bound) noexcept {
  return Random(mix64(seed) ^ mix64(number + 0x9E3779B97F4A7C15U)).below(bound);
}

bool usable(double weight) noexcept { return weight >= 0 && std::isfinite(weight); }

}  // namespace

NeighborSampler::NeighborSampler(const GraphView& graph, Direction direction, std::uint64_t seed)
    : graph_(graph), direction_(direction), seed_(seed) {}

void NeighborSampler::draw(std::span<const VertexId> vertices, std::uint64_t first_number,
                           std::span<VertexId> to) const {
  engine_detail::with_lists_of(graph_, direction_, [&](const auto& lists) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const VertexId v = vertices[i];
      const EdgeCount degree = v == kNoVertex ? 0 : lists.degree(v);
      to[i] = degree == 0 ? kNoVertex : lists.neighbor(v, chance(seed_, first_number + i, degree));
    }
  });
}

void NeighborSampler::draw_some(VertexId v, std::uint64_t count, std::uint64_t number,
                                std::vector<VertexId>& to) const {
  engine_detail::with_lists_of(graph_, direction_, [&](const auto& lists) {
    const auto list = lists.neighbors(v);
    if (list.size() <= count) {
      to.insert(to.end(), list.begin(), list.end());
      return;
    }
    // A new place is either free or replaced by the largest place that may be drawn now.
    const auto begin = static_cast<std::ptrdiff_t>(to.size());
    std::uint64_t draw = number * count;
    for (std::uint64_t last = list.size() - count; last < list.size(); ++last, ++draw) {
      const std::uint64_t place = chance(seed_, draw, last + 1);
      const auto slot = std::lower_bound(to.begin() + begin, to.end(), place);
      if (slot != to.end() && *slot == place) to.push_back(last);
      else to.insert(slot, place);
    }
    for (auto slot = to.begin() + begin; slot != to.end(); ++slot) *slot = list[*slot];
  });
}

Status NeighborSampler::draw_some_by_weight(VertexId v, std::uint64_t count, std::uint64_t number,
                                            std::vector<VertexId>& to) const {
  return engine_detail::with_lists_of(graph_, direction_, [&](const auto& lists) {
    return with_stored_type(graph_.weight_type(), [&]<class W>(std::type_identity<W>) -> Status {
      if constexpr (!std::is_void_v<W>) {
        const auto list = lists.neighbors(v);
        const auto weights = lists.template weights<W>(v);
        Random random(mix64(seed_) ^ mix64(number + 0x9E3779B97F4A7C15U));
        std::vector<std::pair<double, std::size_t>> keys;  // of the least keys the largest first
        for (std::size_t i = 0; i < list.size(); ++i) {
          const auto weight = static_cast<double>(weights[i]);
          if (!usable(weight)) return bad_weight(v, "sample_neighbors");
          const double key = -std::log1p(-random.unit()) / weight;
          if (weight == 0 || count == 0 || (keys.size() == count && key >= keys.front().first)) continue;
          if (keys.size() == count) {
            std::ranges::pop_heap(keys);
            keys.pop_back();
          }
          keys.emplace_back(key, i);
          std::ranges::push_heap(keys);
        }
        std::ranges::sort(keys, {}, &std::pair<double, std::size_t>::second);
        for (const auto& [key, i] : keys) to.push_back(list[i]);
      }
      return {};
    });
  });
}

Result<std::vector<VertexId>> random_walks(Engine& engine, const NeighborSampler& sampler,
                                           std::span<const VertexId> starts, std::uint64_t steps) {
  const std::uint64_t width = steps + 1;
  std::vector<VertexId> walks(starts.size() * width);
  RIZOMA_TRY(engine.for_blocks(starts.size(), kWalksAtOnce, [&](VertexRange block, unsigned) {
    std::vector<VertexId> at(starts.begin() + static_cast<std::ptrdiff_t>(block.begin),
                             starts.begin() + static_cast<std::ptrdiff_t>(block.end));
    for (std::uint64_t step = 0;; ++step) {
      for (std::size_t i = 0; i < at.size(); ++i) walks[(block.begin + i) * width + step] = at[i];
      if (step == steps) return;
      sampler.draw(at, step * starts.size() + block.begin, at);
    }
  }));
  return walks;
}

}  // namespace rizoma
