// The gather: loops over the lists of vertices with a thread's scratch memory, for programs that need more than an
// accumulator of fixed size: most frequent labels, sums by community, colours in use.  Module: engine.
//
//   std::vector<PerThread<Counts>> scratch(engine.threads());
//   gather(engine, graph, {.direction = Direction::in}, labels.data(), [&](VertexId v, const auto& list, unsigned t) {
//     next[v] = most_frequent(list, scratch[t].value);
//   });
//
// How: threads take blocks of about equal work, those of their own home first.
// Cost: O(n + entries).
#pragma once

#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/prefetch.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/edge_program.h>
#include <rizoma/engine.h>
#include <rizoma/process_vertices.h>
#include <rizoma/vertex_set.h>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace rizoma {

struct GatherOptions {
  Direction direction = Direction::out;   ///< which lists; `in` needs has_in_edges()
  bool in_pieces = false;                 ///< long lists may come in several blocks, from several threads
  const SectionFilter* filter = nullptr;  ///< which sections need not be read (engine.h); null: all must be
};

/// f(v, entries, thread) for every live vertex and its list (edge_program.h); entries.message(i) is
/// messages[entries.source(i)], entries.weight(i) the weight of the edge if kWeighted and the graph has weights, or 1.
/// Other threads may write to `messages` meanwhile only if f reads them by entries.source(i) and atomically.
/// On ranks, each rank visits its own vertices, with the messages that the others had before the call.
/// Errors: cancelled.
template <bool kWeighted = false, class Message, class F>
Status gather(Engine& engine, const GraphView& graph, const GatherOptions& options, const Message* messages, F&& f) {
  if constexpr (!std::is_void_v<Message>) {
    // Writes to the messages of remote vertices only, which this rank reads by these lists alone.
    if (Ranks* const ranks = engine.ranks()) {
      Mirror mirror(engine, *ranks, graph, options.direction, sizeof(Message));
      RIZOMA_TRY(mirror.refresh(const_cast<Message*>(messages)));
    }
  }
  const engine_detail::EntryValues<Message> values{messages, graph.weight_type()};
  return engine_detail::with_lists_of(graph, options.direction, [&](const auto& lists) {
    return engine_detail::with_weight_type<kWeighted>(graph.weight_type(), [&]<class W>(std::type_identity<W>) {
      // A separate function, so that f is compiled into the loop over whole lists.
      const auto in_blocks = [&](VertexId v, const auto& list, unsigned thread) __attribute__((noinline)) {
        list.for_each([&](const auto& entries) {
          f(v, entries, thread);
          return true;
        });
      };
      const auto whole = [&](VertexRange block, unsigned thread) {
        engine_detail::for_sections_of<Message, W>(lists, block, values, [&](VertexRange range, const auto& section) {
          if (section.in_one_piece()) [[likely]] {
            for (VertexId v = range.begin; v < range.end; ++v) {
              if (graph.is_live(v)) f(v, section[v], thread);
            }
          } else {
            for (VertexId v = range.begin; v < range.end; ++v) {
              if (graph.is_live(v))
                in_blocks(v, options.in_pieces ? section.in_blocks(v) : section.in_one_block(v), thread);
            }
          }
        });
      };
      if (!options.in_pieces) return engine.for_edges(graph, options.direction, whole, options.filter);
      return engine.for_pieces(
          graph, options.direction, whole,
          [&](ListPiece part, unsigned thread) {
            in_blocks(part.vertex, engine_detail::blocks_of<Message, W>(lists, part, values), thread);
          },
          options.filter);
    });
  });
}

/// The same without messages.
template <bool kWeighted = false, class F>
Status gather(Engine& engine, const GraphView& graph, const GatherOptions& options, F&& f) {
  return gather<kWeighted>(engine, graph, options, static_cast<const void*>(nullptr), std::forward<F>(f));
}

/// f(v, list, thread) for every live vertex, for programs that read a few entries of each list: the list has size(),
/// empty() and source(i), and patched lists are not merged.  Errors: cancelled.
template <class F>
Status gather_few(Engine& engine, const GraphView& graph, Direction direction, F&& f) {
  return engine_detail::with_lists_of(graph, direction, [&](const auto& lists) {
    const engine_detail::EntryValues<void> values{nullptr, WeightType::none};
    // A separate function, as above.
    const auto in_blocks = [&](VertexId v, const auto& list, unsigned thread)
                               __attribute__((noinline)) { f(v, list, thread); };
    const auto whole = [&](VertexRange block, unsigned thread) {
      engine_detail::for_sections_of<void, void>(lists, block, values, [&](VertexRange range, const auto& section) {
        const bool all_are = section.in_one_piece();
        for (VertexId v = range.begin; v < range.end; ++v) {
          if (!graph.is_live(v)) continue;
          if (all_are || section.in_one_piece(v)) [[likely]]
            f(v, section[v], thread);
          else in_blocks(v, section.in_blocks(v), thread);
        }
      });
    };
    return engine.for_edges(graph, direction, whole);
  });
}

// The gather over the members of a set.

/// f(v, entries, thread) for the live members of a set; long lists may come in several blocks, from several threads.
/// Sections without a member need not be read.  Cost: O(n / 64 + entries of the members).  Errors: cancelled.
template <class F>
Status gather_members(Engine& engine, const GraphView& graph, Direction direction, const VertexSet& members, F&& f) {
  const engine_detail::EntryValues<void> values{nullptr, WeightType::none};
  return engine_detail::with_lists_of(graph, direction, [&](const auto& lists) {
    const auto piece = [&](ListPiece part, unsigned thread) {
      if (!members.contains(part.vertex)) return;
      engine_detail::blocks_of<void, void>(lists, part, values).for_each([&](const auto& entries) {
        f(part.vertex, entries, thread);
        return true;
      });
    };
    const auto whole = [&](VertexRange block, unsigned thread) {
      members.for_each(block, [&](VertexId v) {
        if (graph.is_live(v)) piece({v, 0, lists.degree(v)}, thread);
      });
    };
    const auto has_members = [&](VertexRange range) {
      bool any = false;
      members.for_each(range, [&](VertexId) { any = true; });
      return any;
    };
    const SectionFilter filter(has_members);
    return engine.for_pieces(graph, direction, whole, piece, &filter);
  });
}

// ListReader: random access to lists.
//
// For what neither sweep nor gather expresses: searches of one thread, walks of two steps, peeling.  The engine counts
// the reads by the home of the vertex.
//
//   read_lists<true>(engine, graph, Direction::out, [&](auto& lists) {
//     const auto entries = lists.read(v, thread);
//     for (std::size_t i = 0; i < entries.size(); ++i) relax(entries.source(i), entries.weight(i));
//   });

/// The lists of one direction.  `Weight`: EdgeWeights, or void if weights are unwanted or absent.
template <class Target, class Weight>
class ListReader {
 public:
  using target_type = Target;
  using weight_type = Weight;

  ListReader(Engine& engine, const GraphView& graph, const Adjacency<Target>& lists)
      : lists_(lists), values_{nullptr, graph.weight_type()}, lists_read_(engine, graph) {}

  [[nodiscard]] VertexId num_vertices() const noexcept { return lists_.num_vertices(); }
  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return lists_.degree(v); }
  /// The list of v, read by a thread (a number below engine.threads(), the one that the engine gave the body).
  Entries<Target, void, Weight> read(VertexId v, unsigned thread = 0) { return read_as<Weight>(v, thread); }
  /// A list that this thread has read before; does not count it again.
  [[nodiscard]] Entries<Target, void, Weight> again(VertexId v) const { return again_as<Weight>(v); }
  /// The same with weights of the type W, which they are stored in; see as_stored.
  template <class W>
  Entries<Target, void, W> read_as(VertexId v, unsigned thread = 0) {
    const auto list = again_as<W>(v);
    lists_read_[thread].add(v, list.size());
    return list;
  }
  /// As read_as, of a list that this thread has read before.
  template <class W>
  [[nodiscard]] Entries<Target, void, W> again_as(VertexId v) const {
    return engine_detail::list_of<void, W>(lists_, v, values_);
  }
  /// f(std::type_identity<W>), for loops over several lists that are to ask for the type of the weights once.
  template <class F>
  void as_stored(F&& f) const {
    if constexpr (std::is_void_v<Weight>) return f(std::type_identity<void>{});
    else if (values_.weights == WeightType::int32) return f(std::type_identity<std::int32_t>{});
    else if (values_.weights == WeightType::float32) return f(std::type_identity<float>{});
    else return f(std::type_identity<double>{});
  }
  /// Prefetches the beginnings of lists, and their weights, for a loop over items in order: those some places ahead of
  /// item i.  `vertex_of`: the vertex of an item.
  template <class Items, class VertexOf = std::identity>
  [[gnu::always_inline]] void ask_ahead(const Items& items, std::size_t i, VertexOf vertex_of = {}) const noexcept {
    ask_ahead_as<Weight>(items, i, vertex_of);
  }
  /// The same for weights that are stored as W.
  template <class W, class Items, class VertexOf = std::identity>
  [[gnu::always_inline]] void ask_ahead_as(const Items& items, std::size_t i, VertexOf vertex_of = {}) const noexcept {
    using engine_detail::kListAhead;
    using engine_detail::kPlaceAhead;
    if (i + kPlaceAhead < items.size())
      engine_detail::prefetch_place(lists_, std::invoke(vertex_of, items[i + kPlaceAhead]));
    if (i + kListAhead >= items.size()) return;
    const auto list = engine_detail::plain_list(lists_, std::invoke(vertex_of, items[i + kListAhead]));
    __builtin_prefetch(list.targets + list.begin);
    if constexpr (!std::is_void_v<W>) __builtin_prefetch(weight_place<W>(list.weights, list.begin));
  }
  /// Reports the reads since the last call as one sweep.  Not while threads read.
  void end_sweep() { lists_read_.end_sweep(); }

 private:
  template <class W>
  [[nodiscard]] const void* weight_place(const void* weights, std::uint32_t i) const noexcept {
    if constexpr (std::is_same_v<W, EdgeWeights>)
      return static_cast<const std::byte*>(weights) + i * weight_bytes(values_.weights);
    else return static_cast<const W*>(weights) + i;
  }

  const Adjacency<Target>& lists_;
  engine_detail::EntryValues<void> values_;
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

/// Calls f(out, in) with the readers of both directions; `in` is null for undirected graphs and without in-edges.
template <bool kWeighted = false, class F>
auto read_both_lists(Engine& engine, const GraphView& graph, F&& f) {
  return read_lists<kWeighted>(engine, graph, Direction::out, [&]<class Lists>(Lists& out) {
    if (!graph.directed() || !graph.has_in_edges()) return f(out, static_cast<Lists*>(nullptr));
    Lists in(engine, graph, std::get<Adjacency<typename Lists::target_type>>(*graph.parts().in));
    return f(out, &in);
  });
}

}  // namespace rizoma
