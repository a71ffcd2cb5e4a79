// gather_columns: completes columns of numbers on all ranks, in as few bytes as they need.  Module: engine.
#pragma once

#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace rizoma {
namespace engine_detail {

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

/// The bits that bound the length of a whole number, without its sign; all bits if it is not whole.  Infinity travels
/// as -1.
template <Number T>
std::uint64_t bits_of(T value) noexcept {
  if constexpr (std::integral<T>) {
    const auto number = static_cast<std::int64_t>(value);
    return static_cast<std::uint64_t>(number ^ (number >> 63));
  } else {
    if (value == std::numeric_limits<T>::infinity()) return 0;
    if (std::signbit(value) || !(value < 0x1p31) || value != std::floor(value)) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(value);
  }
}
template <class Narrow, Number T>
Narrow narrowed(T value) noexcept {
  if constexpr (std::floating_point<T>) {
    if (value == std::numeric_limits<T>::infinity()) return -1;
  }
  return static_cast<Narrow>(value);
}
template <Number T, class Narrow>
T widened(Narrow number) noexcept {
  if constexpr (std::floating_point<T>) {
    if (number < 0) return std::numeric_limits<T>::infinity();
  }
  return static_cast<T>(std::int64_t{number});
}

/// Numbers as Narrow, at the end of the room that they have, and back: none is overwritten before it was read.
template <class Narrow, Number T>
class NarrowPlaces {
 public:
  explicit NarrowPlaces(std::span<T> values) noexcept
      : values_(values), first_(reinterpret_cast<std::byte*>(values.data()) + values.size() * kSaved) {}

  void narrow() noexcept {
    for (std::size_t i = values_.size(); i-- > 0;) {
      const Narrow number = narrowed<Narrow>(values_[i]);
      std::memcpy(first_ + i * sizeof(Narrow), &number, sizeof(Narrow));
    }
  }
  void widen() noexcept {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Narrow number;
      std::memcpy(&number, first_ + i * sizeof(Narrow), sizeof(Narrow));
      values_[i] = widened<T>(number);
    }
  }

 private:
  static constexpr std::size_t kSaved = sizeof(T) - sizeof(Narrow);
  std::span<T> values_;
  std::byte* first_;
};

/// Where ranks share no memory: none for a copy is needed.
template <class Narrow, Number T>
Status gather_narrow(Ranks& ranks, std::span<T> values, int to) {
  const auto places_of = [&](const VertexRange& range) {
    return NarrowPlaces<Narrow, T>(values.subspan(range.begin, range.size()));
  };
  for (const VertexRange range : ranks.ranges_of(ranks.rank())) places_of(range).narrow();
  const Status status = ranks.gather(values.data(), sizeof(T), sizeof(Narrow), to);
  const bool receives = to == Ranks::kEveryRank || static_cast<unsigned>(to) == ranks.rank();
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if (!receives && rank != ranks.rank()) continue;
    for (const VertexRange range : ranks.ranges_of(rank)) places_of(range).widen();
  }
  return status;
}

/// Sends numbers that fit a Narrow as such.
template <class Narrow, Number T>
Status gather_as(Engine& engine, std::span<T> values, int to) {
  Ranks& ranks = *engine.ranks();
  RIZOMA_ASSIGN(const RankMemory shared, RankMemory::take(ranks, values.size() * sizeof(Narrow)));
  if (!shared) return gather_narrow<Narrow>(ranks, values, to);
  auto* const narrow = reinterpret_cast<Narrow*>(shared.data());
  std::atomic<std::uint64_t> mine = 0;
  RIZOMA_TRY(for_vertices_of(engine, Whose::own, [&](VertexRange range, unsigned) {
    for (VertexId v = range.begin; v < range.end; ++v) narrow[v] = narrowed<Narrow>(values[v]);
    mine.fetch_add(range.size(), std::memory_order_relaxed);
  }));
  ranks.count_packed(mine * sizeof(Narrow), false);
  RIZOMA_TRY(ranks.gather_in_place(sizeof(Narrow), to));
  if (to != Ranks::kEveryRank && static_cast<unsigned>(to) != ranks.rank()) return {};
  ranks.count_unpacked((values.size() - mine) * sizeof(Narrow), false);
  return for_vertices_of(engine, Whose::others, [&](VertexRange range, unsigned) {
    for (VertexId v = range.begin; v < range.end; ++v) values[v] = widened<T>(narrow[v]);
  });
}

}  // namespace engine_detail

/// gather_columns for numbers from -1 to a bound that all ranks know.  Cost: one pass over the numbers.
template <engine_detail::Number T>
Status gather_columns(Engine& engine, std::span<T> values, int to, std::uint64_t greatest) {
  const auto bytes = static_cast<std::size_t>(std::bit_width(greatest) / 8 + 1);  // with a sign
  if (bytes == 1 && sizeof(T) > 1) return engine_detail::gather_as<std::int8_t>(engine, values, to);
  if (bytes == 2 && sizeof(T) > 2) return engine_detail::gather_as<std::int16_t>(engine, values, to);
  if (bytes <= 4 && sizeof(T) > 4) return engine_detail::gather_as<std::int32_t>(engine, values, to);
  return engine.ranks()->gather(values.data(), sizeof(T), to);
}

/// Ranks::gather of n whole numbers in the 1, 2, 4 or 8 bytes that the largest needs; also of floating-point numbers,
/// if each is whole and from 0 to 2^31 - 1, or infinite.  Collective.  Cost: two passes over the numbers.
template <engine_detail::Number T>
Status gather_columns(Engine& engine, std::span<T> values, int to = Ranks::kEveryRank) {
  Ranks& ranks = *engine.ranks();
  std::uint64_t mine = 0;
  for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
    for (VertexId v = range.begin; v < range.end; ++v) mine |= engine_detail::bits_of(values[v]);
  }
  RIZOMA_ASSIGN(const std::uint64_t all, ranks.reduce(mine, std::uint64_t{0}, [](auto a, auto b) { return a | b; }));
  return gather_columns(engine, values, to, all);
}

}  // namespace rizoma
