#include "store/validation/agreement.h"

#include "base/wide_loops.h"
#include "store/sections/entry_owners.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>

namespace rizoma {
namespace {

/// Hashes of vertices, of the two ends of an edge and of weights, by keys that nobody knows.
class KeyedHash {
 public:
  /// An end of a directed edge: how far its hash is shifted.
  using End = unsigned;
  static constexpr End kFrom = 32;
  static constexpr End kTo = 29;

  static const KeyedHash& of_process() {
    static const KeyedHash hash;
    return hash;
  }
  [[nodiscard]] RIZOMA_INLINED std::uint64_t vertex(VertexId v) const noexcept { return mixed(v, vertex_, 32); }
  [[nodiscard]] RIZOMA_INLINED std::uint64_t end(VertexId v, End which) const noexcept {
    return square(mixed(v, vertex_, which));
  }
  [[nodiscard]] RIZOMA_INLINED std::uint64_t weight(std::uint64_t bits) const noexcept {
    return square(mixed(bits, weight_, 32));
  }

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
  RIZOMA_INLINED static std::uint64_t mixed(std::uint64_t number, const Keys& keys, unsigned shift) noexcept {
    const std::uint64_t x = (number + keys.add) * keys.factor;
    return (x ^ (x >> shift)) | 1;  // odd: no product of hashes is 0
  }
  RIZOMA_INLINED static std::uint64_t square(std::uint64_t x) noexcept { return x * x; }

  Keys vertex_;
  Keys weight_;
};

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

/// A list as it lies.
template <class Target>
[[gnu::noinline]] std::vector<typename SectionEdges<Target>::List> runs_of(const SectionEdges<Target>& lists,
                                                                           VertexId place) {
  std::vector<typename SectionEdges<Target>::List> runs;
  lists.for_runs(place, 0, lists.size(place), [&](const auto& run) {
    runs.push_back(run);
    return true;
  });
  return runs;
}

/// Calls list(u, targets, weights as Bits, their number) for every vertex of a section that has any, a great list that
/// lies in runs once for each, and returns the sum of what it gives; with kWeighted false, null for the weights.
template <class Bits, bool kWeighted, class Target, class List>
RIZOMA_INLINED inline std::uint64_t sum_of_lists(const SectionEdges<Target>& lists, VertexRange vertices,
                                                 const List& list) {
  std::uint64_t sum = 0;
  for (VertexId u = vertices.begin; u < vertices.end; ++u) {
    const auto add = [&](const auto& at) RIZOMA_INLINED {
      const auto* weights = kWeighted ? static_cast<const Bits*>(at.weights) : nullptr;
      if (weights != nullptr) weights += at.begin;
      if (at.begin < at.end) sum += list(u, at.targets + at.begin, weights, at.end - at.begin);
    };
    const VertexId place = u - vertices.begin;
    if (lists.in_one_piece(place)) [[likely]] {
      add(lists.list(place));
    } else {
      for (const auto& run : runs_of(lists, place)) add(run);
    }
  }
  return sum;
}

template <class Target, class List>
Result<std::uint64_t> sum_of_graph(const Adjacency<Target>& edges, WeightType type, Executor& executor, List&& list) {
  return sum_of_sections(edges, executor, [&](SectionId section) {
    switch (weight_bytes(type)) {
      case 8: return sum_of_lists<std::uint64_t, true>(edges.section(section), edges.range_of(section), list);
      case 4: return sum_of_lists<std::uint32_t, true>(edges.section(section), edges.range_of(section), list);
      default: return sum_of_lists<std::uint32_t, false>(edges.section(section), edges.range_of(section), list);
    }
  });
}

/// The sum over so many entries of their terms, each times the hash of its weight.
template <class Target, class Bits, class OwnerOf, class Term>
RIZOMA_INLINED inline std::uint64_t sum_of_entries(const Target* targets, const Bits* weights, std::size_t count,
                                                   const KeyedHash& hash, const OwnerOf& owner_of, const Term& term) {
  std::uint64_t sum = 0;
  if (weights == nullptr) {
    for (std::size_t e = 0; e < count; ++e) sum += term(owner_of(e), targets[e]);
  } else {
    for (std::size_t e = 0; e < count; ++e) sum += term(owner_of(e), targets[e]) * hash.weight(weights[e]);
  }
  return sum;
}

/// The sum over all entries of a section.
template <class Bits, bool kWeighted, class Target, class Term>
RIZOMA_INLINED inline std::uint64_t sum_of_terms(const SectionEdges<Target>& lists, VertexRange vertices,
                                                 const KeyedHash& hash, const Term& term) {
  if (lists.changed != nullptr) {
    return sum_of_lists<Bits, kWeighted>(
        lists, vertices,
        [&](VertexId u, const Target* targets, const Bits* weights, std::uint32_t count) RIZOMA_INLINED {
          const auto owner = [value = term.of_owner(u)](std::size_t) RIZOMA_INLINED { return value; };
          return sum_of_entries(targets, weights, count, hash, owner, term);
        });
  }
  const auto* const weights = kWeighted ? static_cast<const Bits*>(lists.weights) : nullptr;
  const auto owner_of = [&](std::size_t place) RIZOMA_INLINED { return term.of_owner(vertices.begin + place); };
  std::uint64_t sum = 0;
  for_owned_entries<std::uint64_t>(
      std::span(lists.offsets, vertices.size() + 1), owner_of,
      [&](std::size_t begin, const std::uint64_t* owners, std::size_t count) RIZOMA_INLINED {
        const auto owner = [owners](std::size_t e) RIZOMA_INLINED { return owners[e]; };
        sum += sum_of_entries(lists.targets + begin, weights == nullptr ? nullptr : weights + begin, count, hash, owner,
                              term);
      });
  return sum;
}

/// What an edge adds to the sum of either direction of a directed graph: from(source) * to(target).
struct DirectedTerm {
  const KeyedHash& hash;
  KeyedHash::End owner;
  KeyedHash::End other;
  [[nodiscard]] RIZOMA_INLINED std::uint64_t of_owner(VertexId u) const noexcept { return hash.end(u, owner); }
  [[nodiscard]] RIZOMA_INLINED std::uint64_t operator()(std::uint64_t of_owner, VertexId v) const noexcept {
    return of_owner * hash.end(v, other);
  }
};

/// What an entry adds to the sum of an undirected graph: what the one at the other end of its edge takes away, and
/// nothing if it is a self-loop.
struct UndirectedTerm {
  const KeyedHash& hash;
  [[nodiscard]] RIZOMA_INLINED std::uint64_t of_owner(VertexId u) const noexcept { return hash.vertex(u); }
  [[nodiscard]] RIZOMA_INLINED std::uint64_t operator()(std::uint64_t of_owner, VertexId v) const noexcept {
    const std::uint64_t other = hash.vertex(v);
    return of_owner * other * (of_owner - other);
  }
};

template <class Bits, bool kWeighted, class Target>
std::uint64_t edge_sum_of(const SectionEdges<Target>& lists, VertexRange vertices, bool directed, Direction direction) {
  const KeyedHash hash = KeyedHash::of_process();
  const auto sum = [&](const auto& term) {
    return run_loop([&]() RIZOMA_INLINED { return sum_of_terms<Bits, kWeighted>(lists, vertices, hash, term); });
  };
  if (!directed) return sum(UndirectedTerm{hash});
  return direction == Direction::out ? sum(DirectedTerm{hash, KeyedHash::kFrom, KeyedHash::kTo})
                                     : sum(DirectedTerm{hash, KeyedHash::kTo, KeyedHash::kFrom});
}

}  // namespace

template <class Target>
std::uint64_t edge_sum(const SectionEdges<Target>& lists, VertexRange vertices, WeightType type, bool directed,
                       Direction direction) {
  switch (weight_bytes(type)) {
    case 8: return edge_sum_of<std::uint64_t, true>(lists, vertices, directed, direction);
    case 4: return edge_sum_of<std::uint32_t, true>(lists, vertices, directed, direction);
    default: return edge_sum_of<std::uint32_t, false>(lists, vertices, directed, direction);
  }
}

template std::uint64_t edge_sum(const SectionEdges<std::uint32_t>&, VertexRange, WeightType, bool, Direction);
template std::uint64_t edge_sum(const SectionEdges<std::uint64_t>&, VertexRange, WeightType, bool, Direction);

bool directions_agree(const EdgeSums& sums, bool directed) noexcept {
  return directed ? sums.out == sums.in : sums.out == 0;
}

Result<bool> directions_agree(const GraphView& view, Executor& executor) {
  if (!view.has_in_edges()) return true;
  return view.with_both([&](const auto& out, const auto& in) -> Result<bool> {
    const auto sum = [&](const auto& edges, Direction direction) {
      return sum_of_sections(edges, executor, [&, direction](SectionId s) {
        return edge_sum(edges.section(s), edges.range_of(s), view.weight_type(), view.directed(), direction);
      });
    };
    EdgeSums sums;
    RIZOMA_ASSIGN(sums.out, sum(out, Direction::out));
    if (view.directed()) {
      RIZOMA_ASSIGN(sums.in, sum(in, Direction::in));
    }
    return directions_agree(sums, view.directed());
  });
}

Result<EdgeCount> entries_of_removed(const GraphView& view, Executor& executor) {
  if (view.num_live() == view.num_vertices()) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_graph(out, WeightType::none, executor,
                        [&](VertexId u, const auto* targets, const auto*, std::uint32_t count) -> EdgeCount {
                          if (!view.is_live(u)) return count;
                          return static_cast<EdgeCount>(
                              std::count_if(targets, targets + count, [&](VertexId v) { return !view.is_live(v); }));
                        });
  });
}

Result<EdgeCount> weights_not_finite(const GraphView& view, Executor& executor) {
  const WeightType type = view.weight_type();
  if (type != WeightType::float32 && type != WeightType::float64) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_graph(
        out, type, executor, [&]<class Bits>(VertexId, const auto*, const Bits* weights, std::uint32_t count) {
          constexpr Bits kExponent = sizeof(Bits) == 4 ? Bits{0x7f800000U} : static_cast<Bits>(0x7ff0000000000000U);
          return weights == nullptr ? 0 : not_finite(weights, count, kExponent);
        });
  });
}

}  // namespace rizoma
