// Software prefetch for loops over the lists of arbitrary vertices.  Module: engine.
//
// How: a loop prefetches the offsets of a list some steps ahead, then the list itself; hardware prefetchers follow a
// list, but not the jump to the next one.  Everything is inlined: lists are short, and compilers drop calls of
// functions that only prefetch.
#pragma once

#include <rizoma/detail/adjacency.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma::engine_detail {

inline constexpr std::size_t kPlaceAhead = 12;      ///< vertices ahead whose offsets are prefetched
inline constexpr std::size_t kListAhead = 4;        ///< vertices ahead whose lists are prefetched
inline constexpr std::uint32_t kBytesAhead = 1024;  ///< of a list; the hardware prefetches the rest

template <class Target>
[[nodiscard, gnu::always_inline]] inline const std::uint32_t* place_of(const Adjacency<Target>& lists,
                                                                       const SectionEdges<Target>& section,
                                                                       VertexId v) noexcept {
  return section.offsets + (v & ((VertexId{1} << lists.section_bits()) - 1));
}

/// The list of v if its section has no delta; otherwise one without targets.
template <class Target>
[[nodiscard, gnu::always_inline]] inline typename SectionEdges<Target>::List plain_list(const Adjacency<Target>& lists,
                                                                                        VertexId v) noexcept {
  const SectionEdges<Target>& section = lists.section(lists.section_of(v));
  if (section.changed != nullptr) [[unlikely]]
    return {nullptr, nullptr, 0, 0};
  const std::uint32_t* const at = place_of(lists, section, v);
  return {section.targets, section.weights, at[0], at[1]};
}

/// Prefetches the offsets of v.
template <class Target>
[[gnu::always_inline]] inline void prefetch_place(const Adjacency<Target>& lists, VertexId v) noexcept {
  __builtin_prefetch(place_of(lists, lists.section(lists.section_of(v)), v));
}

/// Prefetches the list of v.
template <class Target>
[[gnu::always_inline]] inline void prefetch_list(const Adjacency<Target>& lists, VertexId v) noexcept {
  constexpr std::uint32_t kLine = 64 / sizeof(Target);
  constexpr std::uint32_t kMost = kBytesAhead / sizeof(Target);
  const auto list = plain_list(lists, v);
  const std::uint32_t end = list.begin + std::min(list.end - list.begin, kMost);
  for (std::uint32_t i = list.begin; i < end; i += kLine) __builtin_prefetch(list.targets + i);
}

/// f(v, plain_list(v)) for these vertices, with prefetches.
template <class Target, class F>
[[gnu::always_inline]] inline void for_prefetched_lists(const Adjacency<Target>& lists,
                                                        std::span<const VertexId> vertices, F&& f) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (i + kPlaceAhead < vertices.size()) prefetch_place(lists, vertices[i + kPlaceAhead]);
    if (i + kListAhead < vertices.size()) prefetch_list(lists, vertices[i + kListAhead]);
    f(vertices[i], plain_list(lists, vertices[i]));
  }
}

}  // namespace rizoma::engine_detail
