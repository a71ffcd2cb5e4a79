#include "store/validation/cross_validation.h"

#include "base/wide_loops.h"
#include "store/sections/entry_owners.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>

namespace rizoma {
namespace {

/// Hashes of vertices, of the two ends of an edge and of weights, by secret keys.
class KeyedHash {
 public:
  /// An end of a directed edge: how far its hash is shifted.
  using End = unsigned;
  static constexpr End kFrom = 32;
  static constexpr End kTo = 29;

  explicit KeyedHash(const EdgeKeys& keys) noexcept
      : vertex_{keys.vertex_add, keys.vertex_factor}, weight_{keys.weight_add, keys.weight_factor} {}
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

/// Sum of `part(section)` over these sections, if they have edges.
template <class Target, class Part>
Result<std::uint64_t> sum_of_sections(const Adjacency<Target>& edges, const OwnSections& own, Executor& executor,
                                      Part&& part) {
  std::atomic<std::uint64_t> sum{0};
  RIZOMA_TRY(executor.for_blocks(edges.num_sections(), 1, [&](VertexRange sections, unsigned) {
    for (SectionId s = sections.begin; s < sections.end; ++s) {
      if (own.has(s) && edges.section_size(s) > 0) sum += part(s);
    }
  }));
  return sum.load();
}

/// A list as stored.
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
/// is in runs once for each, and returns the sum of what it gives; with kWeighted false, null for the weights.
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
Result<std::uint64_t> sum_of_graph(const Adjacency<Target>& edges, WeightType type, const OwnSections& own,
                                   Executor& executor, List&& list) {
  return sum_of_sections(edges, own, executor, [&](SectionId section) {
    switch (weight_bytes(type)) {
      case 8: return sum_of_lists<std::uint64_t, true>(edges.section(section), edges.range_of(section), list);
      case 4: return sum_of_lists<std::uint32_t, true>(edges.section(section), edges.range_of(section), list);
      default: return sum_of_lists<std::uint32_t, false>(edges.section(section), edges.range_of(section), list);
    }
  });
}

/// The sum over entries of one list.
template <class Target, class Bits, class Term>
RIZOMA_INLINED inline std::uint64_t sum_of_list(const Target* targets, const Bits* weights, std::size_t count,
                                                const KeyedHash& hash, std::uint64_t of_owner, const Term& term) {
  if (weights == nullptr) return term.of_list(of_owner, targets, count);
  std::uint64_t sum = 0;
  for (std::size_t e = 0; e < count; ++e) sum += term(of_owner, targets[e]) * hash.weight(weights[e]);
  return sum;
}

/// The same of entries whose owners are not the same.
template <class Target, class Bits, class Term>
RIZOMA_INLINED inline std::uint64_t sum_of_entries(const Target* targets, const Bits* weights, std::size_t count,
                                                   const KeyedHash& hash, const std::uint64_t* owners,
                                                   const Term& term) {
  std::uint64_t sum = 0;
  if (weights == nullptr) {
    for (std::size_t e = 0; e < count; ++e) sum += term(owners[e], targets[e]);
  } else {
    for (std::size_t e = 0; e < count; ++e) sum += term(owners[e], targets[e]) * hash.weight(weights[e]);
  }
  return sum;
}

/// Entries [begin, end) of a section whose vertices begin at `first`, of which none has changed.
struct EntriesOf {
  EntryRun run;
  VertexId first = 0;
};

/// The sum over the entries; `list` becomes that of the last one.
template <class Bits, bool kWeighted, class Target, class Term>
RIZOMA_INLINED inline std::uint64_t sum_of_run(const SectionEdges<Target>& lists, const EntriesOf& entries,
                                               const KeyedHash& hash, const Term& term, std::size_t& list) {
  const auto* const weights = kWeighted ? static_cast<const Bits*>(lists.weights) : nullptr;
  const auto weights_at = [&](std::size_t begin)
                              RIZOMA_INLINED { return weights == nullptr ? nullptr : weights + begin; };
  const auto value_of = [&](std::size_t place) RIZOMA_INLINED { return term.of_owner(entries.first + place); };
  std::uint64_t sum = 0;
  list = for_owned_entries<std::uint64_t>(
      entries.run, value_of,
      [&](std::size_t begin, std::uint64_t owner, std::size_t count)
          RIZOMA_INLINED { sum += sum_of_list(lists.targets + begin, weights_at(begin), count, hash, owner, term); },
      [&](std::size_t begin, const std::uint64_t* owners, std::size_t count) RIZOMA_INLINED {
        sum += sum_of_entries(lists.targets + begin, weights_at(begin), count, hash, owners, term);
      });
  return sum;
}

/// The same, compiled once for each processor, whichever caller asks.
template <class Bits, bool kWeighted, class Target, class Term>
[[gnu::noinline]] std::uint64_t fast_sum_of_run(const SectionEdges<Target>& lists, const EntriesOf& entries,
                                                const KeyedHash& hash, const Term& term, std::size_t& list) {
  return run_loop([&]() RIZOMA_INLINED { return sum_of_run<Bits, kWeighted>(lists, entries, hash, term, list); });
}

/// The sum over all entries of a section.
template <class Bits, bool kWeighted, class Target, class Term>
std::uint64_t sum_of_terms(const SectionEdges<Target>& lists, VertexRange vertices, const KeyedHash& hash,
                           const Term& term) {
  if (lists.changed != nullptr) {
    return run_loop([&]() RIZOMA_INLINED {
      return sum_of_lists<Bits, kWeighted>(
          lists, vertices,
          [&](VertexId u, const Target* targets, const Bits* weights, std::uint32_t count)
              RIZOMA_INLINED { return sum_of_list(targets, weights, count, hash, term.of_owner(u), term); });
    });
  }
  const std::span offsets(lists.offsets, vertices.size() + 1);
  std::size_t list = 0;
  return fast_sum_of_run<Bits, kWeighted>(lists, {{offsets, offsets.front(), offsets.back(), 0}, vertices.begin}, hash,
                                          term, list);
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
  template <class Target>
  [[nodiscard]] RIZOMA_INLINED std::uint64_t of_list(std::uint64_t of_owner, const Target* targets,
                                                     std::size_t count) const noexcept {
    std::uint64_t ends = 0;
    for (std::size_t e = 0; e < count; ++e) ends += hash.end(targets[e], other);
    return of_owner * ends;
  }
};

/// What an entry adds to the sum of an undirected graph: the entry at the other end of its edge subtracts it, and a
/// self-loop adds nothing.
struct UndirectedTerm {
  const KeyedHash& hash;
  [[nodiscard]] RIZOMA_INLINED std::uint64_t of_owner(VertexId u) const noexcept { return hash.vertex(u); }
  [[nodiscard]] RIZOMA_INLINED std::uint64_t operator()(std::uint64_t of_owner, VertexId v) const noexcept {
    const std::uint64_t other = hash.vertex(v);
    return of_owner * other * (of_owner - other);
  }
  template <class Target>
  [[nodiscard]] RIZOMA_INLINED std::uint64_t of_list(std::uint64_t of_owner, const Target* targets,
                                                     std::size_t count) const noexcept {
    std::uint64_t others = 0;
    std::uint64_t squares = 0;
    for (std::size_t e = 0; e < count; ++e) {
      const std::uint64_t other = hash.vertex(targets[e]);
      others += other;
      squares += other * other;
    }
    return of_owner * (of_owner * others - squares);
  }
};

/// What `sum(term, hash)` makes of the terms of the graph's direction.
template <class Sum>
std::uint64_t sum_with_term(bool directed, Direction direction, const EdgeKeys& keys, const Sum& sum) {
  const KeyedHash hash(keys);
  if (!directed) return sum(UndirectedTerm{hash}, hash);
  return direction == Direction::out ? sum(DirectedTerm{hash, KeyedHash::kFrom, KeyedHash::kTo}, hash)
                                     : sum(DirectedTerm{hash, KeyedHash::kTo, KeyedHash::kFrom}, hash);
}

/// What `sum` makes, called with a weight's bits, and whether there are weights.
template <class Sum>
std::uint64_t sum_with_bits(WeightType type, const Sum& sum) {
  switch (weight_bytes(type)) {
    case 8: return sum(std::uint64_t{}, std::true_type{});
    case 4: return sum(std::uint32_t{}, std::true_type{});
    default: return sum(std::uint32_t{}, std::false_type{});
  }
}

}  // namespace

EdgeKeys EdgeKeys::random() {
  std::random_device random;
  const auto word = [&random] { return std::uint64_t{random()} << 32 | random(); };
  return {word(), word() | 1, word(), word() | 1};
}

const EdgeKeys& EdgeKeys::of_process() {
  static const EdgeKeys keys = random();
  return keys;
}

template <class Target>
std::uint64_t edge_sum(const SectionEdges<Target>& lists, VertexRange vertices, WeightType type, bool directed,
                       Direction direction, const EdgeKeys& keys) {
  return sum_with_bits(type, [&]<class Bits, class Weighted>(Bits, Weighted) {
    return sum_with_term(directed, direction, keys, [&](const auto& term, const KeyedHash& hash) {
      return sum_of_terms<Bits, Weighted::value>(lists, vertices, hash, term);
    });
  });
}

void ImageSum::read(const ImageSpec& spec, std::span<const std::byte> image, std::size_t begin, std::size_t end) {
  const auto read_lists = [&]<class Target>(Target) {
    const SectionEdges<Target> lists = view_image<Target>(spec, image);
    const EntriesOf entries{{{lists.offsets, std::size_t{spec.num_vertices} + 1}, begin, end, list_}, vertices_.begin};
    return sum_with_bits(spec.weights, [&]<class Bits, class Weighted>(Bits, Weighted) {
      return sum_with_term(directed_, direction_, keys_, [&](const auto& term, const KeyedHash& hash) {
        return fast_sum_of_run<Bits, Weighted::value>(lists, entries, hash, term, list_);
      });
    });
  };
  if (spec.weights != type_ || spec.row_bits != 0) return;
  if (begin == 0) *this = ImageSum(vertices_, type_, directed_, direction_, keys_);
  sum_ += spec.target_bytes == 4 ? read_lists(std::uint32_t{}) : read_lists(std::uint64_t{});
  image_ = image.data();
  end_ = end;
}

std::optional<std::uint64_t> ImageSum::of(const ImageSpec& spec, std::span<const std::byte> image) const noexcept {
  if (image_ != image.data() || end_ != spec.num_entries) return std::nullopt;
  return sum_;
}

template std::uint64_t edge_sum(const SectionEdges<std::uint32_t>&, VertexRange, WeightType, bool, Direction,
                                const EdgeKeys&);
template std::uint64_t edge_sum(const SectionEdges<std::uint64_t>&, VertexRange, WeightType, bool, Direction,
                                const EdgeKeys&);

bool directions_agree(const EdgeSums& sums, bool directed) noexcept {
  return directed ? sums.out == sums.in : sums.out == 0;
}

Result<bool> directions_agree(const GraphView& view, Executor& executor) {
  if (!view.has_in_edges()) return true;
  return view.with_both([&](const auto& out, const auto& in) -> Result<bool> {
    const auto sum = [&](const auto& edges, Direction direction) {
      return sum_of_sections(edges, OwnSections{}, executor, [&, direction](SectionId s) {
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

Result<EdgeCount> entries_of_removed(const GraphView& view, Executor& executor, const OwnSections& own) {
  if (view.num_live() == view.num_vertices()) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_graph(out, WeightType::none, own, executor,
                        [&](VertexId u, const auto* targets, const auto*, std::uint32_t count) -> EdgeCount {
                          if (!view.is_live(u)) return count;
                          return static_cast<EdgeCount>(
                              std::count_if(targets, targets + count, [&](VertexId v) { return !view.is_live(v); }));
                        });
  });
}

Result<EdgeCount> weights_not_finite(const GraphView& view, Executor& executor, const OwnSections& own) {
  const WeightType type = view.weight_type();
  if (type != WeightType::float32 && type != WeightType::float64) return EdgeCount{0};
  return view.with_out([&](const auto& out) {
    return sum_of_graph(
        out, type, own, executor, [&]<class Bits>(VertexId, const auto*, const Bits* weights, std::uint32_t count) {
          constexpr Bits kExponent = sizeof(Bits) == 4 ? Bits{0x7f800000U} : static_cast<Bits>(0x7ff0000000000000U);
          return weights == nullptr ? 0 : not_finite(weights, count, kExponent);
        });
  });
}

Status judge_edges(const EdgeSums& sums, EdgeCount of_removed, EdgeCount not_finite, bool directed) {
  if (of_removed > 0) {
    return Error{ErrorCode::corrupt, "the graph has " + std::to_string(of_removed) +
                                         " edges of removed vertices; run `rizoma check --repair`"};
  }
  if (not_finite > 0) {
    return Error{ErrorCode::corrupt, "the graph has " + std::to_string(not_finite) +
                                         " weights that are not finite; set them again, or remove the edges"};
  }
  if (directions_agree(sums, directed)) return {};
  return Error{ErrorCode::corrupt, std::string(directed ? "the graph's edges and in-edges differ"
                                                        : "some edges are in the list of one end only") +
                                       "; run `rizoma check`"};
}

}  // namespace rizoma
