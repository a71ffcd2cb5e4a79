// How the engine's loops reach lists: by direction, by section, with weights of one type.  Module: engine.
//
// Programs see Entries (edge_program.h) only.
#pragma once

#include <rizoma/edge_program.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

namespace rizoma::engine_detail {

/// Calls f(lists) with the out- or in-lists; `in` needs has_in_edges().
template <class F>
decltype(auto) with_lists_of(const GraphView& graph, Direction direction, F&& f) {
  if (direction == Direction::out) return graph.with_out(std::forward<F>(f));
  return graph.with_both([&](const auto&, const auto& in) -> decltype(auto) { return f(in); });
}

/// Calls f(std::type_identity<Weight>): EdgeWeights, or void if they are unwanted or absent.
template <bool kWanted, class F>
decltype(auto) with_weight_type(WeightType type, F&& f) {
  if constexpr (kWanted) {
    if (type != WeightType::none) return f(std::type_identity<EdgeWeights>{});
  }
  return f(std::type_identity<void>{});
}

/// What entries have beside their targets.
template <class Message>
struct EntryValues {
  const Message* messages;  ///< of all vertices
  WeightType weights;       ///< the type of the graph's
};

template <class Message, class Weight, class Target>
[[gnu::always_inline]] inline Entries<Target, Message, Weight> entries_of(
    const typename SectionEdges<Target>::List& list, const EntryValues<Message>& values) {
  using Weights = typename WeightsOf<Weight>::type;
  return {list.targets + list.begin, list.end - list.begin, values.messages,
          Weights(list.weights, values.weights).from(list.begin)};
}

/// A list, or a part of one, in the blocks of the view: nothing is merged.
template <class Target, class Message, class Weight>
class ListInBlocks {
 public:
  /// Entries [from, to) of the list of a place in a section.
  ListInBlocks(const SectionEdges<Target>& section, VertexId place, EdgeCount from, EdgeCount to,
               const EntryValues<Message>& values)
      : section_(section), place_(place), from_(from), to_(to), values_(values) {}

  [[nodiscard]] EdgeCount size() const noexcept { return to_ - from_; }
  [[nodiscard]] bool empty() const noexcept { return to_ == from_; }
  /// The neighbour at the other end of entry i.  Cost: a search among the patches.
  [[nodiscard]] Target source(EdgeCount i) const noexcept {
    Target found{};
    section_.for_runs(place_, from_ + i, from_ + i + 1, [&](const auto& run) {
      found = run.targets[run.begin];
      return false;
    });
    return found;
  }
  /// f(entries) for each block, in order, until it returns false.
  template <class F>
  void for_each(F&& f) const {
    section_.for_runs(place_, from_, to_,
                      [&](const auto& run) { return f(entries_of<Message, Weight, Target>(run, values_)); });
  }

 private:
  const SectionEdges<Target>& section_;
  VertexId place_;
  EdgeCount from_, to_;
  EntryValues<Message> values_;
};

/// The lists of vertices of one section.
template <class Target, class Message, class Weight>
class SectionLists {
  using Roomy = RoomyEntries<Target, Message, Weight>;

 public:
  SectionLists(const SectionEdges<Target>& section, VertexId first, const EntryValues<Message>& values)
      : section_(section), where_(section), first_(first), values_(values) {}

  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return section_.size(v - first_); }
  [[nodiscard]] Entries<Target, Message, Weight> operator[](VertexId v) const noexcept {
    return entries_of<Message, Weight, Target>(section_.whole_list(v - first_), values_);
  }
  /// Whether no list has changed.
  [[nodiscard]] bool unchanged() const noexcept { return section_.changed == nullptr; }
  /// The list of v in an unchanged section.
  [[nodiscard]] Entries<Target, Message, Weight> unchanged_list(VertexId v) const noexcept {
    const std::uint32_t* const at = section_.offsets + (v - first_);
    return entries_of<Message, Weight, Target>({section_.targets, section_.weights, at[0], at[1]}, values_);
  }
  /// In an unchanged section: the end of the vertices of a range whose lists are followed by kRoom entries
  /// (RoomyEntries).
  [[nodiscard]] VertexId end_of_roomy(VertexRange range) const noexcept {
    if (range.empty()) return range.end;
    const std::uint32_t* const ends = section_.offsets + 1 + (range.begin - first_);
    const std::uint32_t* const last = ends + range.size();
    const std::uint64_t limit = last[-1];
    const auto has_room = [&](std::uint64_t end) { return end + Roomy::kRoom <= limit; };
    return range.begin + static_cast<VertexId>(std::partition_point(ends, last, has_room) - ends);
  }
  /// The lists of these vertices, by [v].
  [[nodiscard]] auto roomy_lists() const noexcept {
    struct Lists {
      const std::uint32_t* offsets;
      Roomy all;
      VertexId first;
      [[nodiscard, gnu::always_inline]] Roomy operator[](VertexId v) const noexcept {
        const std::uint32_t* const at = offsets + (v - first);
        return all.part(at[0], at[1] - at[0]);
      }
    };
    return Lists{section_.offsets,
                 Roomy(entries_of<Message, Weight, Target>({section_.targets, section_.weights, 0, 0}, values_)),
                 first_};
  }
  /// Whether all lists are contiguous, as [v] needs; otherwise use in_blocks.
  [[nodiscard]] bool in_one_piece() const noexcept {
    return section_.changed == nullptr || section_.changed->patched == nullptr;
  }
  /// The same for one list.
  [[nodiscard]] bool in_one_piece(VertexId v) const noexcept { return where_.in_one_piece(v - first_); }
  [[nodiscard]] ListInBlocks<Target, Message, Weight> in_blocks(VertexId v) const noexcept {
    return {where_, v - first_, 0, degree(v), values_};
  }
  /// The list of v as one block, merged if patched.
  [[nodiscard]] ListInBlocks<Target, Message, Weight> in_one_block(VertexId v) const noexcept {
    static_cast<void>(where_.list(v - first_));
    return in_blocks(v);
  }

 private:
  SectionEdges<Target> section_;  // a copy: its pointers stay in registers
  const SectionEdges<Target>& where_;
  VertexId first_;
  EntryValues<Message> values_;
};

/// Calls f(range, lists) for the intersection of a range of vertices with each section.
template <class Message, class Weight, class Target, class F>
void for_sections_of(const Adjacency<Target>& lists, VertexRange range, const EntryValues<Message>& values, F&& f) {
  while (!range.empty()) {
    const SectionId s = lists.section_of(range.begin);
    const VertexRange section = lists.range_of(s);
    const VertexRange part{range.begin, std::min(section.end, range.end)};
    f(part, SectionLists<Target, Message, Weight>(lists.section(s), section.begin, values));
    range.begin = part.end;
  }
}

/// A piece of the list of one vertex.
template <class Message, class Weight, class Target>
ListInBlocks<Target, Message, Weight> blocks_of(const Adjacency<Target>& lists, const ListPiece& piece,
                                                const EntryValues<Message>& values) {
  const SectionId s = lists.section_of(piece.vertex);
  return {lists.section(s), piece.vertex - lists.range_of(s).begin, piece.begin, piece.end, values};
}

/// The list of one vertex.
template <class Message, class Weight, class Target>
[[gnu::always_inline]] inline Entries<Target, Message, Weight> list_of(const Adjacency<Target>& lists, VertexId v,
                                                                       const EntryValues<Message>& values) {
  const VertexId place = v & ((VertexId{1} << lists.section_bits()) - 1);
  const SectionEdges<Target>& section = lists.section(lists.section_of(v));
  if (section.changed != nullptr) [[unlikely]]
    return entries_of<Message, Weight, Target>(section.list(place), values);
  const std::uint32_t* const at = section.offsets + place;
  return entries_of<Message, Weight, Target>({section.targets, section.weights, at[0], at[1]}, values);
}

}  // namespace rizoma::engine_detail
