#include "store/validation/agreement.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>

namespace rizoma {
namespace {

/// Two hashes of a number, of the vertices at the two ends of an edge, and one of a weight, by keys that nobody knows.
class KeyedHash {
 public:
  static const KeyedHash& of_process() {
    static const KeyedHash hash;
    return hash;
  }
  [[nodiscard]] std::uint64_t from(VertexId v) const noexcept { return square(v, vertex_, 32); }
  [[nodiscard]] std::uint64_t to(VertexId v) const noexcept { return square(v, vertex_, 29); }
  [[nodiscard]] std::uint64_t weight(std::uint64_t bits) const noexcept { return square(bits, weight_, 32); }

 private:
  struct Keys {
    std::uint64_t add;
    std::uint64_t factor;  ///< odd
  };
  KeyedHash() : vertex_(random_keys()), weight_(random_keys()) {}
  static Keys random_keys() {
    std::random_device random;
    const auto word = [&random] { return std::uint64_t{random()} << 32 | random(); };
    return {word(), word() | 1};
  }
  static std::uint64_t square(std::uint64_t number, const Keys& keys, unsigned shift) noexcept {
    const std::uint64_t x = (number + keys.add) * keys.factor;
    const std::uint64_t y = (x ^ (x >> shift)) | 1;  // odd: no product of hashes is 0
    return y * y;
  }

  Keys vertex_;
  Keys weight_;
};

/// The sum over entries [begin, end) of the hashes of their targets, each times that of its weight.
template <class Target, class Bits, class HashOf>
std::uint64_t sum_of_entries(const Target* targets, const Bits* weights, std::uint32_t begin, std::uint32_t end,
                             const KeyedHash& hash, HashOf hash_of) {
  std::uint64_t sum = 0;
  for (std::uint32_t e = begin; e < end; ++e) {
    sum += hash_of(targets[e]) * (weights == nullptr ? 1 : hash.weight(weights[e]));
  }
  return sum;
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

/// Calls list(u, targets, weights as Bits, begin, end) for every vertex of a section, and returns the sum of what it
/// gives; with kWeighted false, null for the weights.
template <class Bits, bool kWeighted, class Target, class List>
std::uint64_t sum_of_lists(const Adjacency<Target>& edges, SectionId section, List&& list) {
  const SectionEdges<Target>& lists = edges.section(section);
  const VertexRange range = edges.range_of(section);
  std::uint64_t sum = 0;
  for (VertexId u = range.begin; u < range.end; ++u) {
    const auto at = lists.list(u - range.begin);
    const auto* const weights = kWeighted ? static_cast<const Bits*>(at.weights) : nullptr;
    if (at.begin < at.end) sum += list(u, at.targets, weights, at.begin, at.end);
  }
  return sum;
}

template <class Target, class List>
Result<std::uint64_t> sum_of_graph(const Adjacency<Target>& edges, WeightType type, Executor& executor, List&& list) {
  return sum_of_sections(edges, executor, [&](SectionId section) {
    switch (weight_bytes(type)) {
      case 8: return sum_of_lists<std::uint64_t, true>(edges, section, list);
      case 4: return sum_of_lists<std::uint32_t, true>(edges, section, list);
      default: return sum_of_lists<std::uint32_t, false>(edges, section, list);
    }
  });
}

/// The sum over all edges of from(source) * to(target), by the lists of either end.
template <class Target>
Result<std::uint64_t> directed_sum(const Adjacency<Target>& edges, WeightType type, Direction direction,
                                   Executor& executor) {
  const KeyedHash& hash = KeyedHash::of_process();
  return sum_of_graph(
      edges, type, executor,
      [&](VertexId u, const Target* targets, const auto* weights, std::uint32_t begin, std::uint32_t end) {
        const auto from = [&](VertexId v) { return hash.from(v); };
        const auto to = [&](VertexId v) { return hash.to(v); };
        return direction == Direction::out ? hash.from(u) * sum_of_entries(targets, weights, begin, end, hash, to)
                                           : hash.to(u) * sum_of_entries(targets, weights, begin, end, hash, from);
      });
}

/// The sum over all entries of from(u) * from(v), negative where v < u: 0 if every edge has an entry at both ends, for
/// one adds what the other takes away; nothing for self-loops.  Lists are sorted.
template <class Target>
Result<std::uint64_t> undirected_sum(const Adjacency<Target>& edges, WeightType type, Executor& executor) {
  const KeyedHash& hash = KeyedHash::of_process();
  return sum_of_graph(
      edges, type, executor,
      [&](VertexId u, const Target* targets, const auto* weights, std::uint32_t begin, std::uint32_t end) {
        const auto hash_of = [&](VertexId v) { return hash.from(v); };
        const Target self = static_cast<Target>(u);
        const auto lower = static_cast<std::uint32_t>(std::lower_bound(targets + begin, targets + end, self) - targets);
        std::uint32_t upper = lower;
        while (upper < end && targets[upper] == self) ++upper;
        return hash.from(u) * (sum_of_entries(targets, weights, upper, end, hash, hash_of) -
                               sum_of_entries(targets, weights, begin, lower, hash, hash_of));
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
    RIZOMA_ASSIGN(const std::uint64_t forward, directed_sum(out, type, Direction::out, executor));
    RIZOMA_ASSIGN(const std::uint64_t backward, directed_sum(in, type, Direction::in, executor));
    return forward == backward;
  });
}

Result<EdgeCount> entries_of_removed(const GraphView& view, Executor& executor) {
  if (view.num_live() == view.num_vertices()) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_graph(
        out, WeightType::none, executor,
        [&](VertexId u, const auto* targets, const auto*, std::uint32_t begin, std::uint32_t end) -> EdgeCount {
          if (!view.is_live(u)) return end - begin;
          return static_cast<EdgeCount>(
              std::count_if(targets + begin, targets + end, [&](VertexId v) { return !view.is_live(v); }));
        });
  });
}

Result<EdgeCount> weights_not_finite(const GraphView& view, Executor& executor) {
  const WeightType type = view.weight_type();
  if (type != WeightType::float32 && type != WeightType::float64) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_graph(
        out, type, executor,
        [&]<class Bits>(VertexId, const auto*, const Bits* weights, std::uint32_t begin, std::uint32_t end) {
          constexpr Bits kExponent = sizeof(Bits) == 4 ? Bits{0x7f800000U} : static_cast<Bits>(0x7ff0000000000000U);
          return not_finite(weights + begin, end - begin, kExponent);
        });
  });
}

}  // namespace rizoma
