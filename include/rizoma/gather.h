// The gather: the lists of vertices for programs that need more than a fold of fixed size: most frequent labels,
// sums by community, colours in use.  Module: engine.
//
//   std::vector<PerThread<Counts>> scratch(engine.threads());
//   gather(engine, graph, {.direction = Direction::in}, labels.data(), [&](VertexId v, const auto& list, unsigned t) {
//     next[v] = most_frequent(list, scratch[t].value);
//   });
//
// The engine goes through the vertices in blocks of about equal work, those of a thread's own home first.
// Cost: O(n + entries).
#pragma once

#include <rizoma/engine.h>
#include <rizoma/list_blocks.h>
#include <rizoma/process_vertices.h>
#include <rizoma/ranks.h>

#include <type_traits>
#include <utility>

namespace rizoma {

struct GatherOptions {
  Direction direction = Direction::out;  ///< which lists; `in` needs has_in_edges()
  bool in_pieces = false;                ///< great lists may come in several blocks, from several threads
  const Needs* needs = nullptr;          ///< which sections need not be read (engine.h); null: all must be
};

/// f(v, entries, thread) for every live vertex, entries being its list (entries.h); entries.shown(i) is
/// shown[source], entries.weight(i) the weight of the edge if kWeighted and the graph has weights, or else 1.
/// Other threads may write to `shown` meanwhile only if f reads it by entries.source(i) and atomically.
/// With ranks, each goes through the lists of its own vertices, and what others' show is as they have it before.
/// Errors: cancelled.
template <bool kWeighted = false, class Shown, class F>
Status gather(Engine& engine, const GraphView& graph, const GatherOptions& options, const Shown* shown, F&& f) {
  if constexpr (!std::is_void_v<Shown>) {
    // Only what is shown by vertices of other ranks is written to, which nobody here reads but by these lists.
    if (Ranks* const ranks = engine.ranks()) {
      Mirror mirror(engine, *ranks, graph, options.direction, sizeof(Shown));
      RIZOMA_TRY(mirror.refresh(const_cast<Shown*>(shown)));
    }
  }
  return engine_detail::with_lists_of(graph, options.direction, [&](const auto& lists) {
    return engine_detail::with_weight_type<kWeighted>(graph.weight_type(), [&]<class W>(std::type_identity<W>) {
      // Apart, so that f is compiled into the loop over whole lists.
      const auto in_blocks = [&](VertexId v, const auto& list, unsigned thread) __attribute__((noinline)) {
        list.for_each([&](const auto& entries) {
          f(v, entries, thread);
          return true;
        });
      };
      const auto whole = [&](VertexRange block, unsigned thread) {
        engine_detail::for_sections_of<Shown, W>(lists, block, shown, [&](VertexRange range, const auto& section) {
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
      if (!options.in_pieces) return engine.for_edges(graph, options.direction, whole, options.needs);
      return engine.for_pieces(
          graph, options.direction, whole,
          [&](ListPiece part, unsigned thread) {
            in_blocks(part.vertex, engine_detail::blocks_of<Shown, W>(lists, part, shown), thread);
          },
          options.needs);
    });
  });
}

/// The same where nothing is shown.
template <bool kWeighted = false, class F>
Status gather(Engine& engine, const GraphView& graph, const GatherOptions& options, F&& f) {
  return gather<kWeighted>(engine, graph, options, static_cast<const void*>(nullptr), std::forward<F>(f));
}

/// f(v, list, thread) for every live vertex, for programs that look at a few entries of each list: it has size(),
/// empty() and source(i), and great lists that have changed are not merged for it.  Errors: cancelled.
template <class F>
Status gather_few(Engine& engine, const GraphView& graph, Direction direction, F&& f) {
  return engine_detail::with_lists_of(graph, direction, [&](const auto& lists) {
    const void* const shown = nullptr;
    // Apart, as above.
    const auto in_blocks = [&](VertexId v, const auto& list, unsigned thread)
                               __attribute__((noinline)) { f(v, list, thread); };
    const auto whole = [&](VertexRange block, unsigned thread) {
      engine_detail::for_sections_of<void, void>(lists, block, shown, [&](VertexRange range, const auto& section) {
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

}  // namespace rizoma
