// How the engine's loops reach lists: by direction, by section, with weights of one type.  Module: engine.
// For the engine's own headers; programs see Entries.
#pragma once

#include <rizoma/entries.h>
#include <rizoma/graph_view.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

namespace rizoma::engine_detail {

/// Calls f(lists) with the out- or in-lists; those of direction `in` must be there.
template <class F>
decltype(auto) with_lists_of(const GraphView& graph, Direction direction, F&& f) {
  if (direction == Direction::out) return graph.with_out(std::forward<F>(f));
  return graph.with_both([&](const auto&, const auto& in) -> decltype(auto) { return f(in); });
}

/// Calls f(std::type_identity<Weight>) with the type of the graph's weights, or void if they are not wanted or
/// there are none.
template <bool kWanted, class F>
decltype(auto) with_weight_type(WeightType type, F&& f) {
  if constexpr (kWanted) {
    switch (type) {
      case WeightType::int32: return f(std::type_identity<std::int32_t>{});
      case WeightType::float32: return f(std::type_identity<float>{});
      case WeightType::float64: return f(std::type_identity<double>{});
      case WeightType::none: break;
    }
  }
  return f(std::type_identity<void>{});
}

/// The lists of vertices of one section.
template <class Target, class Shown, class Weight>
class SectionLists {
 public:
  SectionLists(const SectionEdges<Target>& section, VertexId first, const Shown* shown)
      : section_(section), first_(first), shown_(shown) {}

  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return section_.size(v - first_); }
  [[nodiscard]] Entries<Target, Shown, Weight> operator[](VertexId v) const noexcept {
    const auto list = section_.list(v - first_);
    const std::uint32_t size = list.end - list.begin;
    if constexpr (std::is_void_v<Weight>) return {list.targets + list.begin, size, shown_, nullptr};
    else return {list.targets + list.begin, size, shown_, static_cast<const Weight*>(list.weights) + list.begin};
  }

 private:
  SectionEdges<Target> section_;  // a copy: its pointers stay in registers
  VertexId first_;
  const Shown* shown_;
};

/// Calls f(range, lists) for the parts of a range of vertices that lie in one section each.
template <class Shown, class Weight, class Target, class F>
void for_sections_of(const Adjacency<Target>& lists, VertexRange range, const Shown* shown, F&& f) {
  while (!range.empty()) {
    const SectionId s = lists.section_of(range.begin);
    const VertexRange section = lists.range_of(s);
    const VertexRange part{range.begin, std::min(section.end, range.end)};
    f(part, SectionLists<Target, Shown, Weight>(lists.section(s), section.begin, shown));
    range.begin = part.end;
  }
}

/// The list of one vertex.
template <class Shown, class Weight, class Target>
Entries<Target, Shown, Weight> list_of(const Adjacency<Target>& lists, VertexId v, const Shown* shown) {
  const std::span<const Target> targets = lists.neighbors(v);
  if constexpr (std::is_void_v<Weight>) return {targets.data(), targets.size(), shown, nullptr};
  else return {targets.data(), targets.size(), shown, lists.template weights<Weight>(v).data()};
}

}  // namespace rizoma::engine_detail
