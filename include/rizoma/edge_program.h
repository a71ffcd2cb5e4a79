// EdgeProgram: the sweep contract (gather, apply, scatter).  Module: engine.
//
// What: for each active vertex u and each edge (u, v) with cond(v), u sends a message to v.  The engine gathers and
// combines the messages of each v into one accumulator, then calls apply(v, acc) once; v is active in the next
// superstep if apply says so.  All messages are fixed before the first apply, so push and pull agree up to the rounding
// of sums.
//
//   struct Program {
//     using Message = float;                           // void: the entry itself is the message
//     using Accum = double;
//     Message scatter(VertexId u) const;               // not if Message is void
//     Accum identity() const;                          // optional: Accum{}
//     Accum gather(Accum acc, const auto& entries) const;  // adds some entries of one vertex to acc
//     Accum combine(Accum a, Accum b) const;           // associative and commutative, as gather is
//     bool apply(VertexId v, Accum acc);               // void: all vertices stay active
//     bool cond(VertexId v) const;                     // optional: true
//   };
//
// Traits, each `static constexpr bool`, and a tally:
//   weighted                                           entries carry the graph's weights
//   early_exit                                         one entry suffices: a pull stops at the first active neighbour
//   visit_once                                         v is applied at most once, and not if it was active before
//   update_all                                         applies every v with cond(v), with identity() without messages
//   struct Tally { ...; void add(const Tally&); };     apply takes a Tally& of its thread as well
//
// A program with `update_all` that keeps nothing of a vertex but its message applies runs of vertices at once:
//   void apply(VertexRange run, const Message* now, Message* next, const Accum* acc, Tally& tally);
// It writes next[v] from acc[v - run.begin], in place of a later scatter; next[v] holds the message before `now` (in a
// push: now[v]).  All vertices stay active, from start_all on.
//
// State: the engine owns the messages; it calls scatter(u) when u becomes active, and keeps the result where it is
// needed: a mirror on another rank, another memory tier.  The program owns all other state, and accesses it for v only
// in cond(v), apply(v) and scatter(v).  Message and Accum are trivially copyable.
//
// A program is a handle: the engine copies it for each block of vertices, so that its members stay in registers.  Keep
// references, spans and numbers in it; change the numbers between steps.  Threads call it concurrently, for different
// v.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

namespace rizoma {

// Entries: a block of the list of one vertex, with the messages of its neighbours; and sums over it.
//
// Kernels see lists in this form only.  The engine makes the blocks from sections in memory, in a file or on another
// machine, and may split a list into several.

/// The weights of edges that all weigh 1.
struct NoWeights {
  NoWeights(const void* /*first*/, WeightType /*type*/) noexcept {}
  int operator[](std::size_t /*i*/) const noexcept { return 1; }
  [[nodiscard]] NoWeights from(std::size_t /*i*/) const noexcept { return *this; }
  /// As EdgeWeights.
  template <class F>
  [[gnu::always_inline]] decltype(auto) as_stored(F&& f) const {
    return f(*this);
  }
};

/// The weights of some entries, of any type: programs see them as float64.  Without a type, each is 1.
class EdgeWeights {
 public:
  EdgeWeights(const void* first, WeightType type) noexcept
      : first_(static_cast<const std::byte*>(first)), type_(type) {}

  [[nodiscard]] EdgeWeights from(std::size_t i) const noexcept { return {first_ + i * weight_bytes(type_), type_}; }
  /// f(const int32_t*, const float*, const double* or NoWeights), for loops that are to ask for the type once.
  template <class F>
  [[gnu::always_inline]] decltype(auto) as_stored(F&& f) const {
    if (type_ == WeightType::float64) return f(reinterpret_cast<const double*>(first_));
    if (type_ == WeightType::int32) return f(reinterpret_cast<const std::int32_t*>(first_));
    if (type_ == WeightType::float32) return f(reinterpret_cast<const float*>(first_));
    return f(NoWeights(nullptr, type_));
  }
  [[nodiscard, gnu::always_inline]] double operator[](std::size_t i) const noexcept {
    return as_stored([i](const auto& weights) { return static_cast<double>(weights[i]); });
  }

 private:
  const std::byte* first_;
  WeightType type_;
};

namespace engine_detail {

/// Weights of a known type.
template <class Weight>
class StoredWeights {
 public:
  StoredWeights(const void* first, WeightType /*type*/) noexcept : first_(static_cast<const Weight*>(first)) {}
  [[nodiscard]] Weight operator[](std::size_t i) const noexcept { return first_[i]; }
  [[nodiscard]] StoredWeights from(std::size_t i) const noexcept { return StoredWeights(first_ + i, {}); }

 private:
  const Weight* first_;
};

template <class Weight>
struct WeightsOf {
  using type = StoredWeights<Weight>;
};
template <>
struct WeightsOf<void> {
  using type = NoWeights;
};
template <>
struct WeightsOf<EdgeWeights> {
  using type = EdgeWeights;
};

}  // namespace engine_detail

/// Some entries of the list of one vertex.  `Message`: void: neighbours send none; `Weight`: EdgeWeights, or void:
/// every edge weighs 1.
template <class Target, class Message, class Weight>
class Entries {
  using Weights = typename engine_detail::WeightsOf<Weight>::type;

 public:
  using target_type = Target;

  Entries(const Target* sources, std::size_t size, const Message* messages, Weights weights) noexcept
      : sources_(sources), size_(size), messages_(messages), weights_(weights) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The neighbour at the other end of entry i.
  [[nodiscard]] Target source(std::size_t i) const noexcept { return sources_[i]; }
  [[nodiscard]] std::span<const Target> sources() const noexcept { return {sources_, size_}; }
  /// The message of that neighbour.
  [[nodiscard]] auto message(std::size_t i) const noexcept
    requires(!std::is_void_v<Message>)
  {
    return messages_[sources_[i]];
  }
  /// The messages of all vertices.
  [[nodiscard]] const Message* values() const noexcept { return messages_; }
  [[nodiscard]] auto weight(std::size_t i) const noexcept { return weights_[i]; }
  [[nodiscard]] const Weights& weights() const noexcept { return weights_; }
  /// Entry i alone.
  [[nodiscard]] Entries one(std::size_t i) const noexcept { return part(i, 1); }
  /// Entry i as the vertex at its other end sees it, from `source`, which must outlive the result.
  [[nodiscard]] Entries seen_from(const Target& source, std::size_t i) const noexcept {
    return {&source, 1, messages_, weights_.from(i)};
  }
  /// `size` entries from entry `from` on.
  [[nodiscard]] Entries part(std::size_t from, std::size_t size) const noexcept {
    return {sources_ + from, size, messages_, weights_.from(from)};
  }

 private:
  const Target* sources_;
  std::size_t size_;
  const Message* messages_;
  [[no_unique_address]] Weights weights_;
};

/// The same; kRoom entries after the last may be read: those of other lists of the section.
template <class Target, class Message, class Weight>
class RoomyEntries : public Entries<Target, Message, Weight> {
 public:
  static constexpr std::size_t kRoom = 8;
  explicit RoomyEntries(const Entries<Target, Message, Weight>& entries) noexcept
      : Entries<Target, Message, Weight>(entries) {}
  /// The part must have that room as well.
  [[nodiscard]] RoomyEntries part(std::size_t from, std::size_t size) const noexcept {
    return RoomyEntries(Entries<Target, Message, Weight>::part(from, size));
  }
};

namespace engine_detail {

// Masks of the valid places of a list of one to four, and replacements for the others.  Tables, because compilers turn
// conditions into branches.
inline constexpr std::uint8_t kFewPlaces[5][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 2, 0}, {0, 1, 2, 3}};
inline constexpr std::int8_t kFewCount[5][4] = {
    {0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};

/// Sum of the values at one to four places, branch-free: the lengths of successive short lists are unpredictable, and a
/// misprediction costs more than the reads.
template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline double sum_of_few(const Target* places, std::size_t size,
                                                           const Value* values) noexcept {
  using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
  using Mask = std::make_signed_t<Bits>;
  const auto value = [&](std::size_t k) __attribute__((always_inline)) {
    const Bits mask = static_cast<Bits>(static_cast<Mask>(kFewCount[size][k]));
    return std::bit_cast<Value>(std::bit_cast<Bits>(values[places[kFewPlaces[size][k]]]) & mask);
  };
  return static_cast<double>(values[places[0]] + value(1)) + static_cast<double>(value(2) + value(3));
}

/// Sum of the values at a multiple of eight places.  Several partial sums hide the latency of additions; pairs of
/// float32 are added before they become doubles, because conversions would be slower than the reads.  Inlined: a call
/// would spill the registers of the loop over the lists.
template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline double sum_of_eights(const Target* places, std::size_t size,
                                                              const Value* values) noexcept {
  constexpr std::size_t kTogether = std::is_same_v<Value, float> ? 2 : 1;
  double sums[4] = {};
  for (std::size_t i = 0; i < size; i += 4 * kTogether) {
    for (std::size_t k = 0; k < 4; ++k) {
      Value some = values[places[i + k * kTogether]];
      if constexpr (kTogether == 2) some += values[places[i + 2 * k + 1]];
      sums[k] += static_cast<double>(some);
    }
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The same for any number of places.  The remainder is added one by one: lists of equal length tend to follow each
/// other, so a misprediction costs less than sum_of_few after a longer list.
template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline double sum_of_many(const Target* places, std::size_t size,
                                                            const Value* values) noexcept {
  const std::size_t whole = size / 8 * 8;
  const double sum = sum_of_eights(places, whole, values);
  double pairs = 0;
  double rest = 0;
  std::size_t i = whole;
  if constexpr (std::is_same_v<Value, float>) {
    for (; size - i >= 2; i += 2) pairs += static_cast<double>(values[places[i]] + values[places[i + 1]]);
  }
  for (; i < size; ++i) rest += static_cast<double>(values[places[i]]);
  return sum + (pairs + rest);
}

}  // namespace engine_detail

/// Sum of the neighbours' messages, each times the weight of its edge in a unit, if there are weights.
template <class Target, class Message, class Weight>
[[nodiscard, gnu::always_inline]] inline double sum_messages(const Entries<Target, Message, Weight>& entries,
                                                             [[maybe_unused]] double unit = 1) noexcept {
  const std::size_t size = entries.size();
  if constexpr (std::is_void_v<Weight> && std::is_floating_point_v<Message>) {
    if (size > 4) return engine_detail::sum_of_many(entries.sources().data(), size, entries.values());
    return size == 0 ? 0 : engine_detail::sum_of_few(entries.sources().data(), size, entries.values());
  } else {
    return entries.weights().as_stored([&](const auto& weights) {
      const auto product = [&](std::size_t e) {
        const auto message = static_cast<double>(entries.message(e));
        if constexpr (std::is_void_v<Weight>) return message;
        else return message * (static_cast<double>(weights[e]) * unit);
      };
      double sums[4] = {};
      std::size_t i = 0;
      for (; size - i >= 4; i += 4) {
        for (std::size_t k = 0; k < 4; ++k) sums[k] += product(i + k);
      }
      for (; i < size; ++i) sums[0] += product(i);
      return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    });
  }
}

namespace engine_detail {

using Doubles [[gnu::vector_size(16)]] = double;  // two of them

/// Four ones, then zeros: from place 4 - k on, the mask of k valid doubles of four.
inline constexpr std::int64_t kOnesThenZeros[8] = {-1, -1, -1, -1, 0, 0, 0, 0};

template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline Doubles values_at_two(const Target* places, const Value* values) noexcept {
  return Doubles{static_cast<double>(values[places[0]]), static_cast<double>(values[places[1]])};
}

/// The values at two places, masked by `ones`.
template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline Doubles values_that_count(const Target* places, const Value* values,
                                                                   const std::int64_t* ones) noexcept {
  using Bits [[gnu::vector_size(sizeof(Doubles))]] = std::int64_t;
  Bits count;
  std::memcpy(&count, ones, sizeof(Bits));
  return std::bit_cast<Doubles>(std::bit_cast<Bits>(values_at_two(places, values)) & count);
}
/// Sum of the first `size` values, two or four at most, branch-free: always reads that many places.
template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline Doubles sum_of_two_at_most(const Target* places, std::size_t size,
                                                                    const Value* values) noexcept {
  return values_that_count(places, values, kOnesThenZeros + 4 - size);
}
template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline Doubles sum_of_four_at_most(const Target* places, std::size_t size,
                                                                     const Value* values) noexcept {
  return sum_of_two_at_most(places, size, values) + values_that_count(places + 2, values, kOnesThenZeros + 6 - size);
}

}  // namespace engine_detail

/// The same, with a single unpredictable branch, at the end of the list: a misprediction costs more than reading masked
/// entries.  Where lists are short, steps of two entries are faster than steps of four.
template <class Target, class Message>
  requires std::is_floating_point_v<Message>
[[nodiscard, gnu::always_inline]] inline double sum_messages(const RoomyEntries<Target, Message, void>& entries,
                                                             [[maybe_unused]] double unit = 1) noexcept {
  using engine_detail::sum_of_four_at_most;
  constexpr std::size_t kLong = 64;
  const Target* const places = entries.sources().data();
  const Message* const values = entries.values();
  const std::size_t size = entries.size();
  engine_detail::Doubles sums{};
  if (size <= 4) {  // the most frequent case of sparse graphs
    sums = sum_of_four_at_most(places, size, values);
  } else if (size < kLong) {
    std::size_t i = 0;
    for (; size - i >= 2; i += 2) sums += engine_detail::values_at_two(places + i, values);
    sums += engine_detail::sum_of_two_at_most(places + i, size - i, values);
  } else {
    const std::size_t whole = size / 8 * 8;
    const std::size_t left = size - whole;
    const std::size_t first = std::min<std::size_t>(left, 4);
    // The remainder comes last, so that the hardware prefetches the entries in memory order.
    sums[0] = engine_detail::sum_of_eights(places, whole, values);
    sums += sum_of_four_at_most(places + whole, first, values);
    sums += sum_of_four_at_most(places + whole + 4, left - first, values);
  }
  return sums[0] + sums[1];
}

template <class P>
concept EdgeProgram = std::copy_constructible<P> && requires(const P& p, VertexId v) {
  typename P::Message;
  typename P::Accum;
  requires std::is_trivially_copyable_v<typename P::Accum>;
  requires std::is_void_v<typename P::Message> || requires {
    requires std::is_trivially_copyable_v<typename P::Message>;
    { p.scatter(v) } -> std::convertible_to<typename P::Message>;
  };
  {
    p.combine(std::declval<typename P::Accum>(), std::declval<typename P::Accum>())
  } -> std::convertible_to<typename P::Accum>;
};

/// Direction of a step.
enum class SweepDirection : std::uint8_t { automatic, push, pull };

struct SweepOptions {
  /// `out`: messages travel along the edges, to out-neighbours; `in`: against them.
  Direction along = Direction::out;
  /// For tests and experiments.  Pull along `out`, and push along `in`, need has_in_edges().
  SweepDirection direction = SweepDirection::automatic;
  /// Vertices that no step applies.  With `visit_once` an earlier sweep has reached them; otherwise they have no edges
  /// of any weight, and keep their first message.
  VertexSet excluded = {};
  /// Of a program that applies runs of vertices, and whose gather is sum_messages: bounds the size of every sum of
  /// messages, so that the engine may add in fixed point, off by 2^-60 of the greater of this and 1 for each entry.
  double sum_bound = std::numeric_limits<double>::infinity();
  /// For tests too: the number of vertices treated as hubs (hub_accumulators.h), 0 for none; for programs with a
  /// sum_bound on undirected graphs without ranks.
  std::optional<VertexId> hubs = {};
};

}  // namespace rizoma
