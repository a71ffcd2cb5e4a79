// ListReader: the list of whatever vertex a thread asks for.  Module: engine.
//
// For what no sweep or gather can say: a search that one thread makes alone, walks of two steps, peeling.  The engine
// counts what is read, by the home of the vertex.
//
//   read_lists<true>(engine, graph, Direction::out, [&](auto& lists) {
//     const auto entries = lists.read(v, thread);
//     for (std::size_t i = 0; i < entries.size(); ++i) relax(entries.source(i), entries.weight(i));
//   });
#pragma once

#include <rizoma/engine.h>
#include <rizoma/entries.h>
#include <rizoma/list_blocks.h>
#include <rizoma/lists_ahead.h>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace rizoma {

/// The lists of one direction.  `Weight`: the type of their weights, void where they are not asked for.
template <class Target, class Weight>
class ListReader {
 public:
  using target_type = Target;
  using weight_type = Weight;

  ListReader(Engine& engine, const GraphView& graph, const Adjacency<Target>& lists)
      : lists_(lists), lists_read_(engine, graph) {}

  [[nodiscard]] VertexId num_vertices() const noexcept { return lists_.num_vertices(); }
  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return lists_.degree(v); }
  /// The list of v, read by a thread (a number below engine.threads(), the one that the engine gave the body).
  Entries<Target, void, Weight> read(VertexId v, unsigned thread = 0) {
    const auto list = again(v);
    lists_read_[thread].add(v, list.size());
    return list;
  }
  /// A list that the thread has read before, and that is not counted once more.
  [[nodiscard]] Entries<Target, void, Weight> again(VertexId v) const {
    return engine_detail::list_of<void, Weight>(lists_, v, nullptr);
  }
  /// Asks for the beginnings of lists that are read soon, weights too: those of the vertices a few behind the i-th of
  /// some that are gone through in order.  `vertex_of`: what of such an item is its vertex.
  template <class Items, class VertexOf = std::identity>
  [[gnu::always_inline]] void ask_ahead(const Items& items, std::size_t i, VertexOf vertex_of = {}) const noexcept {
    using engine_detail::kListAhead;
    using engine_detail::kPlaceAhead;
    if (i + kPlaceAhead < items.size())
      engine_detail::ask_for_place(lists_, std::invoke(vertex_of, items[i + kPlaceAhead]));
    if (i + kListAhead >= items.size()) return;
    const auto list = engine_detail::plain_list(lists_, std::invoke(vertex_of, items[i + kListAhead]));
    __builtin_prefetch(list.targets + list.begin);
    if constexpr (!std::is_void_v<Weight>) __builtin_prefetch(static_cast<const Weight*>(list.weights) + list.begin);
  }
  /// What was read since the last call counts as one sweep.  Not while threads read.
  void end_sweep() { lists_read_.end_sweep(); }

 private:
  const Adjacency<Target>& lists_;
  ListCounter lists_read_;
};

/// Calls f(lists) with a ListReader of one direction (`in` needs has_in_edges()); with weights if kWeighted and the
/// graph has them.
template <bool kWeighted = false, class F>
auto read_lists(Engine& engine, const GraphView& graph, Direction direction, F&& f) {
  return engine_detail::with_lists_of(graph, direction, [&]<class Target>(const Adjacency<Target>& lists) {
    return engine_detail::with_weight_type<kWeighted>(graph.weight_type(), [&]<class W>(std::type_identity<W>) {
      ListReader<Target, W> reader(engine, graph, lists);
      return f(reader);
    });
  });
}

/// Calls f(out, in) with the readers of both directions; `in` is null for an undirected graph, whose out-lists tell
/// all, and for one that stores no in-edges.
template <bool kWeighted = false, class F>
auto read_both_lists(Engine& engine, const GraphView& graph, F&& f) {
  return read_lists<kWeighted>(engine, graph, Direction::out, [&]<class Lists>(Lists& out) {
    if (!graph.directed() || !graph.has_in_edges()) return f(out, static_cast<Lists*>(nullptr));
    Lists in(engine, graph, std::get<Adjacency<typename Lists::target_type>>(*graph.parts().in));
    return f(out, &in);
  });
}

}  // namespace rizoma
