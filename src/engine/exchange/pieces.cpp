#include "engine/exchange/pieces.h"

#include "base/check.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/iteration.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kPartsOfThread = 4;                 // which are about equal
constexpr std::size_t kFewBytes = std::size_t{16} << 10;  // not worth waking a thread
constexpr VertexId kVerticesAtOnce = VertexId{1} << 14;

/// Puts parts one after the other, with room for the kind that a round adds.
Result<std::vector<std::byte>> joined(Engine& engine, std::vector<std::vector<std::byte>> parts) {
  std::vector<std::size_t> begins{0};
  for (const std::vector<std::byte>& part : parts) begins.push_back(begins.back() + part.size());
  std::vector<std::byte> message;
  message.reserve(begins.back() + 1);
  message.resize(begins.back());
  const std::uint64_t grain = message.size() <= kFewBytes ? parts.size() : 1;
  RIZOMA_TRY(engine.for_blocks(parts.size(), grain, [&](VertexRange block, unsigned) {
    for (VertexId i = block.begin; i < block.end; ++i) {
      const std::vector<std::byte> part = std::exchange(parts[i], {});
      std::copy(part.begin(), part.end(), message.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    }
  }));
  return message;
}

}  // namespace

Result<std::vector<std::byte>> pack_pieces(Engine& engine, std::size_t count, std::size_t room, unsigned receivers,
                                           FunctionRef<void(std::size_t piece, WireWriter& writer)> pack) {
  const std::size_t parts = engine.threads() == 1 ? 1 : std::min(count, engine.threads() * kPartsOfThread);
  const auto pack_part = [&](std::size_t part) {
    WireWriter writer;
    if (room > 0) writer.reserve(room / parts + room / std::max<std::size_t>(count, 1));
    for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i)
      put_piece(writer, [&] { pack(i, writer); });
    return std::move(writer).take();
  };
  std::vector<std::byte> message;
  if (parts == 1) {
    message = pack_part(0);
  } else if (parts > 1) {
    std::vector<std::vector<std::byte>> of_parts(parts);
    RIZOMA_TRY(engine.for_blocks(parts, 1, [&](VertexRange block, unsigned) {
      for (VertexId part = block.begin; part < block.end; ++part) of_parts[part] = pack_part(part);
    }));
    RIZOMA_ASSIGN(message, joined(engine, std::move(of_parts)));
  }
  if (message.size() == count * sizeof(PieceLength)) message.clear();  // all are empty
  if (Ranks* const ranks = engine.ranks()) ranks->count_packed(message.size() * receivers);
  return message;
}

Status share_pieces(Engine& engine, Iteration& shared, std::size_t size,
                    FunctionRef<void(VertexRange some, WireWriter& writer)> pack,
                    FunctionRef<void(std::size_t process, VertexRange some, std::span<const std::byte> bytes)> unpack) {
  Ranks* const ranks = engine.ranks();
  const std::size_t count = (size + kItemsOfPiece - 1) / kItemsOfPiece;
  const auto items = [&](std::size_t i) {
    return VertexRange{i * kItemsOfPiece, std::min((i + 1) * kItemsOfPiece, size)};
  };
  const auto pack_one = [&](std::size_t i, WireWriter& writer) { pack(items(i), writer); };
  RIZOMA_ASSIGN(auto mine, pack_pieces(engine, count, 0, ranks == nullptr ? 0 : ranks->size() - 1, pack_one));
  RIZOMA_ASSIGN(auto received, shared.share(std::move(mine)));
  for (std::size_t process = 0; process < received.size(); ++process) {
    const std::vector<std::byte> message = std::move(received[process]);
    const auto pieces = pieces_of(message);
    RIZOMA_CHECK(pieces.size() <= count);
    if (ranks != nullptr && process != ranks->rank()) ranks->count_unpacked(message.size());
    RIZOMA_TRY(
        unpack_pieces(engine, pieces, [&](std::size_t i, auto piece, unsigned) { unpack(process, items(i), piece); }));
  }
  return {};
}

std::vector<std::span<const std::byte>> pieces_of(std::span<const std::byte> message) {
  std::vector<std::span<const std::byte>> pieces;
  while (!message.empty()) {
    PieceLength length = 0;
    RIZOMA_CHECK(message.size() >= sizeof(length));
    std::memcpy(&length, message.data(), sizeof(length));
    message = message.subspan(sizeof(length));
    RIZOMA_CHECK(length <= message.size());
    pieces.push_back(message.first(length));
    message = message.subspan(length);
  }
  return pieces;
}

Status unpack_pieces(Engine& engine, std::span<const std::span<const std::byte>> pieces, Unpack unpack) {
  std::size_t bytes = 0;
  for (const std::span<const std::byte> piece : pieces) bytes += piece.size();
  const std::uint64_t grain = bytes <= kFewBytes ? pieces.size() : 1;
  return engine.for_blocks(pieces.size(), grain, [&](VertexRange block, unsigned thread) {
    for (VertexId i = block.begin; i < block.end; ++i) unpack(i, pieces[i], thread);
  });
}

Status unpack_pieces(Engine& engine, std::span<const std::byte> message, Unpack unpack) {
  if (Ranks* const ranks = engine.ranks()) ranks->count_unpacked(message.size());
  return unpack_pieces(engine, pieces_of(message), unpack);
}

Status for_vertices_of(Engine& engine, Whose whose, FunctionRef<void(VertexRange range, unsigned thread)> body) {
  const Ranks& ranks = *engine.ranks();
  std::vector<VertexRange> ranges;
  VertexId all = 0;
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if ((rank == ranks.rank()) != (whose == Whose::own)) continue;
    for (VertexRange left : ranks.ranges_of(rank)) {
      all += left.size();
      while (!left.empty()) {
        const VertexId end = std::min((left.begin / kVerticesAtOnce + 1) * kVerticesAtOnce, left.end);
        ranges.push_back({std::exchange(left.begin, end), end});
      }
    }
  }
  return engine.for_blocks(ranges.size(), all <= kVerticesAtOnce ? ranges.size() : 1,
                           [&](VertexRange block, unsigned thread) {
                             for (VertexId i = block.begin; i < block.end; ++i) body(ranges[i], thread);
                           });
}

}  // namespace rizoma
