// The loop of a push over the lists of active vertices.  Module: engine.
#pragma once

#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/prefetch.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/engine.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rizoma::engine_detail {

/// f(vertices, thread, piece_of) for blocks of these vertices; piece_of(u): the part of u's list in this block (the
/// lists of hubs come in pieces).  `entries`: of their lists, if known.
template <class Target, class F>
Status for_lists_in_pieces(Engine& engine, const GraphView& graph, const Adjacency<Target>& lists,
                           std::span<const VertexId> all, std::uint64_t grain, std::optional<EdgeCount> entries,
                           F&& f) {
  std::vector<PerThread<std::vector<VertexId>>> great(engine.threads());
  const auto block = [&](std::span<const VertexId> vertices, unsigned thread) {
    f(vertices, thread, [&](VertexId u) {
      const EdgeCount degree = lists.degree(u);
      if (degree < kGreatList) return ListPiece{u, 0, degree};
      great[thread].value.push_back(u);
      return ListPiece{u, 0, 0};
    });
  };
  RIZOMA_TRY(engine.for_list(graph, all, grain, block, entries));
  for (const auto& of_thread : great) {
    for (const VertexId u : of_thread.value) {
      const auto piece = [&](VertexRange part, unsigned thread) {
        f(std::span(&u, 1), thread, [&](VertexId v) { return ListPiece{v, part.begin, part.end}; });
      };
      RIZOMA_TRY(engine.for_blocks(lists.degree(u), kPieceGrain, piece));
    }
  }
  return {};
}

/// Adds claims for the neighbours of these vertices (atomic_frontier.h); gather(entry as its other end sees it).
template <class Message, class W, class Target, class PieceOf, class Frontier, class Gather>
void claim_from(const Adjacency<Target>& lists, std::span<const VertexId> vertices, const Message* messages,
                PieceOf&& piece_of, Frontier& claims, Gather&& gather) {
  for_prefetched_lists(lists, vertices, [&](VertexId u, const auto& plain) {
    const auto source = static_cast<Target>(u);
    const auto claim = [&](const auto& list) {
      claims.add(list, [&](std::size_t entry) { return gather(list.seen_from(source, entry)); });
      return true;
    };
    if (plain.targets != nullptr && plain.end - plain.begin < kGreatList) [[likely]] {
      claim(entries_of<Message, W, Target>(plain, messages));
      return;
    }
    const ListPiece piece = piece_of(u);
    if (piece.end - piece.begin != lists.degree(u)) claims.share();  // other threads have the other pieces
    blocks_of<Message, W>(lists, piece, messages).for_each(claim);
  });
}

}  // namespace rizoma::engine_detail
