// Pieces: messages between ranks that all threads of a rank make, and apply, in pieces.
//
// A message is a row of pieces, each after its length in four bytes, in an order that does not depend on the threads.
// Who knows what the pieces are about, such as some members of a list each, reads any of them without the others.
#pragma once

#include "engine/exchange/wire.h"

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

class Iteration;

using PieceLength = std::uint32_t;
inline constexpr std::size_t kItemsOfPiece = 4096;  ///< in what share_pieces writes

/// Appends a piece to a message: pack() writes it to `writer`.
template <class Pack>
void put_piece(WireWriter& writer, Pack&& pack) {
  const std::size_t begin = writer.size();
  writer.put(PieceLength{0});
  pack();
  writer.put_at(begin, static_cast<PieceLength>(writer.size() - begin - sizeof(PieceLength)));
}

/// A message of `count` pieces, of which pack(i, writer) writes the one of number i, by all threads; for `receivers`
/// ranks; if all pieces are empty, so is the message.  `room`: bytes that it has at most, 0: not known.  Memory: one
/// thread writes where the message is; the parts of several are put together at the end.  Errors: cancelled.
Result<std::vector<std::byte>> pack_pieces(Engine& engine, std::size_t count, std::size_t room, unsigned receivers,
                                           FunctionRef<void(std::size_t piece, WireWriter& writer)> pack);

/// The pieces of a message, in their order.  Throws InternalError: it is malformed.
std::vector<std::span<const std::byte>> pieces_of(std::span<const std::byte> message);

/// unpack(i, piece, thread) for each of these pieces, by all threads; by one if they are small.  Errors: cancelled.
using Unpack = FunctionRef<void(std::size_t i, std::span<const std::byte> piece, unsigned thread)>;
Status unpack_pieces(Engine& engine, std::span<const std::span<const std::byte>> pieces, Unpack unpack);
/// The same for the pieces of a message of another rank.
Status unpack_pieces(Engine& engine, std::span<const std::byte> message, Unpack unpack);

/// Shares something of `size` items, of which pack(some, writer) writes some that lie in a row; passes what all
/// processes, this one included, have written to unpack(process, some, bytes), process by process.  Collective.
/// Errors: io, cancelled.
Status share_pieces(Engine& engine, Iteration& shared, std::size_t size,
                    FunctionRef<void(VertexRange some, WireWriter& writer)> pack,
                    FunctionRef<void(std::size_t process, VertexRange some, std::span<const std::byte> bytes)> unpack);

}  // namespace rizoma
