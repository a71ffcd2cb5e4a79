// EdgeProgram: the sweep contract.  Module: engine.
//
// A sweep over active vertices: every active u with an edge u->v where cond(v) shows v its value, and the
// edge its weight; what comes to one v is folded; then apply(v, folded) runs once, and v is active in the next
// sweep if it says so.  All is shown before anything is applied: push and pull agree but for the rounding of sums.
//
//   struct Program {
//     using Message = float;                             // what neighbours read, or void: nothing but who shows it
//     using Accum = double;
//     Message scatter(VertexId u) const;                    // unless Message is void
//     Accum identity() const;                         // may be left out: Accum{}
//     Accum gather(Accum so_far, const auto& entries) const;  // of some entries of one vertex: edge_program.h
//     Accum combine(Accum a, Accum b) const;        // associative and commutative, as gather is
//     bool apply(VertexId v, Accum folded);           // or void: all vertices stay active
//     bool cond(VertexId v) const;                    // may be left out: every v wants
//   };
//
// and, each of them if it is wanted:
//   struct Tally { ...; void add(const Tally&); };  apply, or renew, then takes a Tally& of its thread at the end
//   static constexpr bool weighted = true;        the entries have the graph's weights
//   static constexpr bool early_exit = true;  the fold of one entry will do, so a pull may stop at the first
//   static constexpr bool visit_once = true;            who was active or applied wants no more; the engine keeps a bit
//   void unreachable(VertexId v);                 with `visit_once`: a pull has found that v has no list
//   void apply_scatter(VertexRange run, const Message* now, Message* shows, const Accum* folded, Tally& tally);
//                                                 in place of apply, with `update_all`: all that a vertex keeps is
//                                                 what it
//                                                 shows.  Makes shows[v] what v shows next, for a run of vertices; it
//                                                 holds what v showed in the step before (in a push, what `now` does),
//                                                 and folded[v - run.begin] what came to it.  All vertices stay active
//   static constexpr bool update_all = true;          every v that wants is applied, with identity() if nothing came
//   double sum_bound() const;                      with `apply_scatter`: the fold is sum_messages, from 0 on, and no
//   sum of what
//                                                 some neighbours of a vertex show exceeds this in size: the engine may
//                                                 add up its way, and be off by 2^-60 of this, or of 1, an entry
//
// The state that neighbours read, Message, belongs to the engine, which asks for it by scatter(u) when u becomes
// active.
// It may lie elsewhere than where it was made: mirrored on another machine, in another tier.  All other state is
// the program's and is read and written for v only, by cond(v), apply(v) and scatter(v).  Message and Accum are
// trivially copyable.
//
// A program is a handle: the engine copies it for each block of vertices, so that what it refers to can stay in
// registers.  Keep in it references, spans and numbers; change the numbers between sweeps.  Its members are called from
// many threads, for different v at the same time.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/frontier.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace rizoma {

// Entries: what neighbours show one vertex, as a block of its list; and folds over it.
//
// Kernels see lists in this form only.  The engine makes it, from sections in memory, in a file or of another
// machine; it may hand over a list in several blocks.

/// Some entries of the list of one vertex.  `Message` is what each vertex shows (void: nothing), `Weight` the type
/// of the graph's weights (void: every edge weighs 1).
template <class Target, class Message, class Weight>
class Entries {
 public:
  using target_type = Target;

  Entries(const Target* sources, std::size_t size, const Message* messages, const Weight* weights) noexcept
      : sources_(sources), size_(size), messages_(messages), weights_(weights) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The neighbour at the other end of entry i.
  [[nodiscard]] Target source(std::size_t i) const noexcept { return sources_[i]; }
  [[nodiscard]] std::span<const Target> sources() const noexcept { return {sources_, size_}; }
  /// What that neighbour shows.
  [[nodiscard]] auto message(std::size_t i) const noexcept
    requires(!std::is_void_v<Message>)
  {
    return messages_[sources_[i]];
  }
  /// What all vertices show, by number.
  [[nodiscard]] const Message* values() const noexcept { return messages_; }
  [[nodiscard]] auto weight(std::size_t i) const noexcept {
    if constexpr (std::is_void_v<Weight>) return 1;
    else return weights_[i];
  }
  /// Entry i alone.
  [[nodiscard]] Entries one(std::size_t i) const noexcept { return part(i, 1); }
  /// Entry i as the vertex at its other end sees it: from `source`, which must stay where it is meanwhile.
  [[nodiscard]] Entries seen_from(const Target& source, std::size_t i) const noexcept {
    if constexpr (std::is_void_v<Weight>) return {&source, 1, messages_, nullptr};
    else return {&source, 1, messages_, weights_ + i};
  }
  /// `size` entries from entry `from` on.
  [[nodiscard]] Entries part(std::size_t from, std::size_t size) const noexcept {
    if constexpr (std::is_void_v<Weight>) return {sources_ + from, size, messages_, nullptr};
    else return {sources_ + from, size, messages_, weights_ + from};
  }

 private:
  const Target* sources_;
  std::size_t size_;
  const Message* messages_;
  const Weight* weights_;
};

/// The same, where kRoom entries more may be read after the last: those of other lists of the section.
template <class Target, class Message, class Weight>
class RoomyEntries : public Entries<Target, Message, Weight> {
 public:
  static constexpr std::size_t kRoom = 8;
  explicit RoomyEntries(const Entries<Target, Message, Weight>& entries) noexcept
      : Entries<Target, Message, Weight>(entries) {}
  /// Which must have that room as well.
  [[nodiscard]] RoomyEntries part(std::size_t from, std::size_t size) const noexcept {
    return RoomyEntries(Entries<Target, Message, Weight>::part(from, size));
  }
};

namespace engine_detail {

// Which of the first places of a list of one to four count, and where to read in place of the others.  Tables, because
// compilers make branches of conditions.
inline constexpr std::uint8_t kFewPlaces[5][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 2, 0}, {0, 1, 2, 3}};
inline constexpr std::int8_t kFewCount[5][4] = {
    {0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};

/// Sum of the values at one to four places, without a branch on how many: the lengths of short lists, one after the
/// other, cannot be foretold, and a wrong guess costs more than the reads.
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

/// Sum of the values at many places, a multiple of eight.  Several sums at once, because an addition must wait for the
/// one before it and would be slower than the reads; of float32 two are added before they become a double, because the
/// conversions would be slower than the reads too.  Inlined: a call puts what the loop over the lists holds in
/// registers on the stack, for each list.
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

/// The same of any number.  What is left is added one by one: as a rule lists of one length follow one another, and a
/// wrong guess costs less than the work of sum_of_few after that of a longer list.
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

/// Sum of what the neighbours show, each times the weight of its edge in a unit, if there are weights.
template <class Target, class Message, class Weight>
[[nodiscard, gnu::always_inline]] inline double sum_messages(const Entries<Target, Message, Weight>& entries,
                                                             [[maybe_unused]] double unit = 1) noexcept {
  const std::size_t size = entries.size();
  if constexpr (std::is_void_v<Weight> && std::is_floating_point_v<Message>) {
    if (size > 4) return engine_detail::sum_of_many(entries.sources().data(), size, entries.values());
    return size == 0 ? 0 : engine_detail::sum_of_few(entries.sources().data(), size, entries.values());
  } else {
    const auto product = [&](std::size_t e) {
      const auto message = static_cast<double>(entries.message(e));
      if constexpr (std::is_void_v<Weight>) return message;
      else return message * (static_cast<double>(entries.weight(e)) * unit);
    };
    double sums[4] = {};
    std::size_t i = 0;
    for (; size - i >= 4; i += 4) {
      for (std::size_t k = 0; k < 4; ++k) sums[k] += product(i + k);
    }
    for (; i < size; ++i) sums[0] += product(i);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
}

namespace engine_detail {

using Doubles [[gnu::vector_size(16)]] = double;  // two of them

/// Four ones, then zeros: from place 4 - k on, which of four doubles count if k do.
inline constexpr std::int64_t kOnesThenZeros[8] = {-1, -1, -1, -1, 0, 0, 0, 0};

template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline Doubles values_at_two(const Target* places, const Value* values) noexcept {
  return Doubles{static_cast<double>(values[places[0]]), static_cast<double>(values[places[1]])};
}

/// The values at two places of which those count that `ones` has bits for.
template <class Target, class Value>
[[nodiscard, gnu::always_inline]] inline Doubles values_that_count(const Target* places, const Value* values,
                                                                   const std::int64_t* ones) noexcept {
  using Bits [[gnu::vector_size(sizeof(Doubles))]] = std::int64_t;
  Bits count;
  std::memcpy(&count, ones, sizeof(Bits));
  return std::bit_cast<Doubles>(std::bit_cast<Bits>(values_at_two(places, values)) & count);
}
/// Sum of the first values, two or four at most, without a branch on how many: so many places are read.
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

/// The same, with one guess, at where the list ends, in place of one for each kind of rest: how long the next list is
/// cannot be foretold, and a wrong guess costs more than reading entries that do not count.  Two entries at a time are
/// read faster than four where lists end soon.
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
  if (size <= 4) {  // most lists of some graphs have no more
    sums = sum_of_four_at_most(places, size, values);
  } else if (size < kLong) {
    std::size_t i = 0;
    for (; size - i >= 2; i += 2) sums += engine_detail::values_at_two(places + i, values);
    sums += engine_detail::sum_of_two_at_most(places + i, size - i, values);
  } else {
    const std::size_t whole = size / 8 * 8;
    const std::size_t left = size - whole;
    const std::size_t first = std::min<std::size_t>(left, 4);
    // The rest comes last: entries are asked for ahead where they are read in the order in which they lie.
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

/// How messages travel.
enum class SweepDirection : std::uint8_t { automatic, push, pull };

struct SweepOptions {
  /// `out`: v hears from its in-neighbours, along the edges; `in`: from its out-neighbours.
  Direction along = Direction::out;
  /// For tests and experiments.  Pull along `out`, and push along `in`, need has_in_edges().
  SweepDirection direction = SweepDirection::automatic;
  /// For the same: how many of the first vertices are taken for hubs (hub_accumulators.h), 0 for none, by programs
  /// that say sum_bound, in undirected graphs without ranks.
  std::optional<VertexId> hubs = {};
};

}  // namespace rizoma
