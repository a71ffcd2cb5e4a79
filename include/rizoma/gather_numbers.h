// gather_numbers: makes columns of whole numbers whole on the ranks, in as few bytes as they need.  Module: engine.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/rank_memory.h>
#include <rizoma/ranks.h>
#include <rizoma/result.h>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace rizoma {
namespace engine_detail {

/// Numbers that fit a Narrow, as such.
template <class Narrow, std::integral T>
Status gather_as(Ranks& ranks, std::span<T> values, int to) {
  RIZOMA_ASSIGN(const RankMemory shared, RankMemory::take(ranks, values.size() * sizeof(Narrow)));
  const auto own = shared ? nullptr : std::make_unique_for_overwrite<Narrow[]>(values.size());
  auto* const narrow = shared ? reinterpret_cast<Narrow*>(shared.data()) : own.get();
  for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
    for (VertexId v = range.begin; v < range.end; ++v) narrow[v] = static_cast<Narrow>(values[v]);
  }
  RIZOMA_TRY(shared ? ranks.gather_in_place(sizeof(Narrow), to) : ranks.gather(narrow, sizeof(Narrow), to));
  if (to != Ranks::kEveryRank && static_cast<unsigned>(to) != ranks.rank()) return {};
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    for (const VertexRange range : ranks.ranges_of(rank)) {
      for (VertexId v = range.begin; v < range.end; ++v) values[v] = static_cast<T>(std::int64_t{narrow[v]});
    }
  }
  return {};
}

}  // namespace engine_detail

/// As Ranks::gather, of n whole numbers: they travel in the 1, 2, 4 or 8 bytes that the greatest needs.  Collective.
/// Cost: two passes over the numbers.
template <std::integral T>
Status gather_numbers(Ranks& ranks, std::span<T> values, int to = Ranks::kEveryRank) {
  std::uint64_t mine = 0;
  for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
    for (VertexId v = range.begin; v < range.end; ++v) {
      const auto value = static_cast<std::int64_t>(values[v]);
      mine |= static_cast<std::uint64_t>(value ^ (value >> 63));
    }
  }
  RIZOMA_ASSIGN(const std::uint64_t all, ranks.reduce(mine, std::uint64_t{0}, [](auto a, auto b) { return a | b; }));
  const auto bytes = static_cast<std::size_t>(std::bit_width(all) / 8 + 1);  // with a sign
  if (bytes == 1 && sizeof(T) > 1) return engine_detail::gather_as<std::int8_t>(ranks, values, to);
  if (bytes == 2 && sizeof(T) > 2) return engine_detail::gather_as<std::int16_t>(ranks, values, to);
  if (bytes <= 4 && sizeof(T) > 4) return engine_detail::gather_as<std::int32_t>(ranks, values, to);
  return ranks.gather(values.data(), sizeof(T), to);
}

}  // namespace rizoma
