#include "store/validation/agreement.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <random>

namespace rizoma {
namespace {

std::uint64_t process_key() {
  static const std::uint64_t key = [] {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }();
  return key;
}

/// Hashes of edges, from smaller to greater end in an undirected graph.
class EdgeHash {
 public:
  [[nodiscard]] std::uint64_t operator()(std::uint64_t from, std::uint64_t to, std::uint64_t weight) const noexcept {
    std::uint64_t x = (from * 0x9E3779B97F4A7C15U) ^ (to * 0xC2B2AE3D27D4EB4FU + key_) ^ weight * 0x165667B19E3779F9U;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
    x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9U;
    return x ^ (x >> 32);
  }

 private:
  std::uint64_t key_ = process_key();
};

/// Calls add(u, v, bits of the weight) for every entry of a section.
template <class Target, class Bits, class Add>
void for_entries(const Adjacency<Target>& edges, SectionId section, const Bits* weights, Add&& add) {
  const SectionEdges<Target>& lists = edges.section(section);
  const VertexRange range = edges.range_of(section);
  for (VertexId u = range.begin; u < range.end; ++u) {
    const std::uint32_t end = lists.offsets[u - range.begin + 1];
    for (std::uint32_t e = lists.offsets[u - range.begin]; e < end; ++e) {
      add(u, VertexId{lists.targets[e]}, weights == nullptr ? std::uint64_t{0} : std::uint64_t{weights[e]});
    }
  }
}

template <class Target, class Add>
void for_entries(const Adjacency<Target>& edges, SectionId section, WeightType type, Add&& add) {
  const void* weights = edges.section(section).weights;
  switch (weight_bytes(type)) {
    case 8: return for_entries(edges, section, static_cast<const std::uint64_t*>(weights), add);
    case 4: return for_entries(edges, section, static_cast<const std::uint32_t*>(weights), add);
    default: return for_entries(edges, section, static_cast<const std::uint32_t*>(nullptr), add);
  }
}

/// NaN and infinities have exponents of ones alone.
template <class Bits>
EdgeCount not_finite(const Bits* weights, std::uint64_t count, Bits exponent) {
  EdgeCount found = 0;
  for (std::uint64_t i = 0; i < count; ++i) found += (weights[i] & exponent) == exponent ? 1 : 0;
  return found;
}

/// Sum of `part(section)` over all sections that have edges.
template <class Target, class Part>
Result<std::uint64_t> sum_of_sections(const Adjacency<Target>& edges, Executor& executor, Part&& part) {
  std::atomic<std::uint64_t> sum{0};
  RIZOMA_TRY(executor.for_blocks(edges.num_sections(), 1, [&](VertexRange sections, unsigned) {
    for (SectionId s = sections.begin; s < sections.end; ++s) {
      if (edges.section_size(s) > 0) sum += part(s);
    }
  }));
  return sum.load();
}

template <class Target>
Result<std::uint64_t> directed_sum(const Adjacency<Target>& edges, WeightType type, bool reversed, Executor& executor) {
  const EdgeHash hash;
  return sum_of_sections(edges, executor, [&](SectionId section) {
    std::uint64_t sum = 0;
    const auto forward = [&](VertexId u, VertexId v, std::uint64_t weight) { sum += hash(u, v, weight); };
    const auto backward = [&](VertexId u, VertexId v, std::uint64_t weight) { sum += hash(v, u, weight); };
    reversed ? for_entries(edges, section, type, backward) : for_entries(edges, section, type, forward);
    return sum;
  });
}

/// 0 if every edge has an entry at both ends: one adds what the other takes away.
template <class Target>
Result<std::uint64_t> undirected_sum(const Adjacency<Target>& edges, WeightType type, Executor& executor) {
  const EdgeHash hash;
  return sum_of_sections(edges, executor, [&](SectionId section) {
    std::uint64_t sum = 0;
    for_entries(edges, section, type, [&](VertexId u, VertexId v, std::uint64_t weight) {
      const std::uint64_t each = hash(std::min(u, v), std::max(u, v), weight);
      const std::uint64_t sign = u < v ? 1 : u > v ? ~std::uint64_t{0} : 0;
      sum += sign * each;
    });
    return sum;
  });
}

}  // namespace

Result<bool> directions_agree(const GraphView& view, Executor& executor) {
  const WeightType type = view.weight_type();
  if (!view.has_in_edges()) return true;
  return view.with_both([&](const auto& out, const auto& in) -> Result<bool> {
    if (!view.directed()) {
      RIZOMA_ASSIGN(const std::uint64_t left, undirected_sum(out, type, executor));
      return left == 0;
    }
    RIZOMA_ASSIGN(const std::uint64_t forward, directed_sum(out, type, false, executor));
    RIZOMA_ASSIGN(const std::uint64_t backward, directed_sum(in, type, true, executor));
    return forward == backward;
  });
}

Result<EdgeCount> entries_of_removed(const GraphView& view, Executor& executor) {
  if (view.num_live() == view.num_vertices()) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_sections(out, executor, [&](SectionId section) {
      EdgeCount found = 0;
      for_entries(out, section, WeightType::none,
                  [&](VertexId u, VertexId v, std::uint64_t) { found += view.is_live(u) && view.is_live(v) ? 0 : 1; });
      return found;
    });
  });
}

Result<EdgeCount> weights_not_finite(const GraphView& view, Executor& executor) {
  const WeightType type = view.weight_type();
  if (type != WeightType::float32 && type != WeightType::float64) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_sections(out, executor, [&](SectionId section) -> EdgeCount {
      const std::uint64_t count = out.section_size(section);
      const void* weights = out.section(section).weights;
      if (type == WeightType::float32) {
        return not_finite(static_cast<const std::uint32_t*>(weights), count, 0x7f800000U);
      }
      return not_finite(static_cast<const std::uint64_t*>(weights), count, std::uint64_t{0x7ff0000000000000});
    });
  });
}

}  // namespace rizoma
