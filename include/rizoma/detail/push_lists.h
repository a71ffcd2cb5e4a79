// The loop of a push over the lists of active vertices.  Module: engine.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/prefetch.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rizoma::engine_detail {

// A push cuts lists of at least this many entries into pieces, for all threads.
inline constexpr EdgeCount kGreatList = 1 << 14;

/// The part of a vertex's list that belongs to a block: the lists of hubs come in pieces.
using PieceOf = FunctionRef<ListPiece(VertexId)>;
using ListsInPieces = FunctionRef<void(std::span<const VertexId> vertices, unsigned thread, PieceOf piece_of)>;

/// Calls f for blocks of these vertices, with lists of these lengths.  `entries`: of their lists, if known.
Status for_lists_in_pieces(Engine& engine, const GraphView& graph, const Degrees& degrees,
                           std::span<const VertexId> all, std::uint64_t grain, std::optional<EdgeCount> entries,
                           ListsInPieces f);

/// Adds claims for the neighbours of these vertices (atomic_frontier.h); gather(entry as its other end sees it).
template <class Message, class W, class Target, class Frontier, class Gather>
void claim_from(const Adjacency<Target>& lists, std::span<const VertexId> vertices, const EntryValues<Message>& values,
                PieceOf piece_of, Frontier& claims, Gather&& gather) {
  for_prefetched_lists(lists, vertices, [&](VertexId u, const auto& plain) {
    const auto source = static_cast<Target>(u);
    const auto claim = [&](const auto& list) {
      claims.add(list, [&](std::size_t entry) { return gather(list.seen_from(source, entry)); });
      return true;
    };
    if (plain.targets != nullptr && plain.end - plain.begin < kGreatList) [[likely]] {
      claim(entries_of<Message, W, Target>(plain, values));
      return;
    }
    const ListPiece piece = piece_of(u);
    if (piece.end - piece.begin != lists.degree(u)) claims.share();  // other threads have the other pieces
    blocks_of<Message, W>(lists, piece, values).for_each(claim);
  });
}

}  // namespace rizoma::engine_detail
