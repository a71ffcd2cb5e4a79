// The gather (gather.h) of the lists of few vertices.  Module: engine.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/list_blocks.h>
#include <rizoma/vertex_set.h>

namespace rizoma {

/// f(v, entries, thread) for the live members of a set; great lists may come in several blocks, from several threads.
/// Sections without a member need not be read.  Cost: O(n / 64 + entries of the members).  Errors: cancelled.
template <class F>
Status gather_members(Engine& engine, const GraphView& graph, Direction direction, const VertexSet& members, F&& f) {
  const void* const shown = nullptr;
  return engine_detail::with_lists_of(graph, direction, [&](const auto& lists) {
    const auto piece = [&](ListPiece part, unsigned thread) {
      if (!members.contains(part.vertex)) return;
      engine_detail::blocks_of<void, void>(lists, part, shown).for_each([&](const auto& entries) {
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
    const Needs needs(has_members);
    return engine.for_pieces(graph, direction, whole, piece, &needs);
  });
}

}  // namespace rizoma
