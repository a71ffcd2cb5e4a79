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

#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {

/// The lists of one direction.  `Weight`: the type of their weights, void where they are not asked for.
template <class Target, class Weight>
class ListReader {
 public:
  using target_type = Target;

  ListReader(Engine& engine, const GraphView& graph, const Adjacency<Target>& lists)
      : lists_(lists), lists_read_(engine, graph) {}

  [[nodiscard]] VertexId num_vertices() const noexcept { return lists_.num_vertices(); }
  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return lists_.degree(v); }
  /// The list of v, read by a thread (a number below engine.threads(), the one that the engine gave the body).
  Entries<Target, void, Weight> read(VertexId v, unsigned thread = 0) {
    lists_read_[thread].add(v, lists_.degree(v));
    return again(v);
  }
  /// A list that the thread has read before, and that is not counted once more.
  [[nodiscard]] Entries<Target, void, Weight> again(VertexId v) const {
    return engine_detail::list_of<void, Weight>(lists_, v, nullptr);
  }

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
/// all. Needs has_in_edges().
template <class F>
auto read_both_lists(Engine& engine, const GraphView& graph, F&& f) {
  return graph.with_both([&]<class Target>(const Adjacency<Target>& out, const Adjacency<Target>& in) {
    ListReader<Target, void> out_reader(engine, graph, out);
    if (!graph.directed()) return f(out_reader, static_cast<ListReader<Target, void>*>(nullptr));
    ListReader<Target, void> in_reader(engine, graph, in);
    return f(out_reader, &in_reader);
  });
}

}  // namespace rizoma
