#include <rizoma/detail/hub_accumulators.h>

#include <algorithm>
#include <cmath>

namespace rizoma::engine_detail {
namespace {

// What they show takes 1 or 2 MiB, and their sums 2 MiB of each thread: about what a second-level cache holds of them,
// as the first are asked for much more often.  Fewer where these would be a great part of what there is.
constexpr VertexId kHubs = VertexId{1} << 18;
constexpr VertexId kLeastVertices = VertexId{1} << 21;
constexpr double kLeastShare = 0.5;  // of all entries are in the lists of hubs; below, others show each other too much
constexpr double kMostShare = 0.92;  // beyond, hardly anything is read outside the caches anyway

constexpr int kUnitBits = 62;     // of the largest sum
constexpr double kSumBound = 32;  // then 2^32 entries are off by 2^-24 together at most

/// Entries in the lists of the first vertices.
EdgeCount entries_of_first(const GraphView& graph, VertexId count) {
  return graph.with_out([&](const auto& lists) {
    EdgeCount entries = 0;
    for (SectionId s = 0; s < lists.num_sections() && lists.range_of(s).begin < count; ++s) {
      const VertexRange range = lists.range_of(s);
      entries += range.end <= count ? lists.section_size(s) : lists.section(s).offsets[count - range.begin];
    }
    return entries;
  });
}

}  // namespace

VertexId hubs_that_pay(Engine& engine, const GraphView& graph) {
  const VertexId n = graph.num_vertices();
  // In this order lists are sorted, too; those of views that users make may not be.
  if (graph.directed() || !graph.ordered_by_degree() || engine.ranks() != nullptr) return 0;
  if (n < kLeastVertices || kHubs > n / 2 / engine.threads()) return 0;
  const auto placement = engine.placement(graph);
  if (!placement || placement->homes != 1) return 0;  // where sums would lie is not thought of
  const double share = static_cast<double>(entries_of_first(graph, kHubs)) / static_cast<double>(graph.num_entries());
  return share >= kLeastShare && share <= kMostShare ? kHubs : 0;
}

HubAccumulators::HubAccumulators(Engine& engine, VertexId hubs) : hubs_(hubs) {
  for (unsigned thread = 0; thread < engine.threads(); ++thread) {
    sums_.push_back(engine.make_map<std::uint64_t>(hubs, 0));
  }
}

bool HubAccumulators::begin(double most) noexcept {
  if (!(most <= kSumBound)) return false;
  units_ = std::ldexp(1.0, kUnitBits - std::max(std::ilogb(most) + 1, 0));
  return true;
}

}  // namespace rizoma::engine_detail
