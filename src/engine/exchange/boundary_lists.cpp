#include "engine/exchange/boundary_lists.h"

#include "base/check.h"
#include "engine/exchange/pieces.h"
#include "engine/exchange/turns.h"
#include "engine/exchange/wire.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace rizoma {

VertexSequence::VertexSequence(std::span<const std::byte> message) {
  for (const std::span<const std::byte> piece : pieces_of(message)) take_piece(piece);
}

/// A piece that another rank has sent.
void VertexSequence::take_piece(std::span<const std::byte> piece) {
  Reader reader(piece);
  const std::size_t before = size_;
  VertexId end = word_ * 64;  // one more than the last vertex; pieces have their own words
  while (!reader.at_end()) {
    VertexId base = 0;
    const std::uint64_t bits = reader.next(base);
    RIZOMA_CHECK(bits != 0 && base < kNoVertex - 64 && base + static_cast<VertexId>(std::countr_zero(bits)) >= end);
    end = base + static_cast<VertexId>(std::bit_width(bits));
    size_ += static_cast<std::size_t>(std::popcount(bits));
  }
  RIZOMA_CHECK(size_ > before && size_ - before <= kMost);
  word_ = (end + 63) / 64;
  bytes_.insert(bytes_.end(), piece.begin(), piece.end());
  pieces_.push_back({bytes_.size(), size_});
}

void VertexSequence::append(const VertexSequence& more) {
  for (const Piece& piece : more.pieces_) pieces_.push_back({bytes_.size() + piece.end, size_ + piece.place});
  bytes_.insert(bytes_.end(), more.bytes_.begin(), more.bytes_.end());
  size_ += more.size_;
}

void VertexSequence::end() {
  begin_word(0);
  end_piece();
  bytes_.shrink_to_fit();
  pieces_.shrink_to_fit();
}

/// Of all members that were put.
void VertexSequence::end_piece() {
  if (bytes_.size() == (pieces_.empty() ? 0 : pieces_.back().end)) return;
  pieces_.push_back({bytes_.size(), size_});
  last_ = 0;
}

std::vector<std::byte> VertexSequence::message() const {
  WireWriter writer;
  writer.reserve(bytes_.size() + pieces() * sizeof(PieceLength));
  for (std::size_t piece = 0; piece < pieces(); ++piece) {
    put_piece(writer, [&] { writer.put_bytes(bytes_of(piece).data(), bytes_of(piece).size()); });
  }
  return std::move(writer).take();
}

/// Puts the members of the word before.
void VertexSequence::begin_word(VertexId word) {
  const VertexId base = word_ * 64;
  if (std::popcount(bits_) < kMany) {
    for (; bits_ != 0; bits_ &= bits_ - 1) {
      const VertexId v = base + static_cast<VertexId>(std::countr_zero(bits_));
      put(2 * (v - last_));
      last_ = v;
    }
  } else {
    put(2 * (word_ - last_ / 64) + 1);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&bits_);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(bits_));
    last_ = base + 63;
    bits_ = 0;
  }
  word_ = word;
  if (size_ - (pieces_.empty() ? 0 : pieces_.back().place) >= kMembers) end_piece();
}

void VertexSequence::put(std::uint64_t number) {
  std::array<std::byte, kMaxVarintBytes> bytes;
  bytes_.insert(bytes_.end(), bytes.data(), write_varint(bytes.data(), number));
}

namespace {

/// Some vertices of one rank, of which a thread makes some pieces.
struct SomeOfRank {
  unsigned rank;
  std::vector<VertexRange> ranges = {};
  VertexId size = 0;
  VertexSequence members = {};
};

std::vector<SomeOfRank> divided(const Ranks& ranks) {
  constexpr VertexId kAtOnce = VertexId{1} << 17;
  std::vector<SomeOfRank> parts;
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    parts.push_back({rank});
    for (VertexRange left : ranks.ranges_of(rank)) {
      while (!left.empty()) {
        if (parts.back().size >= kAtOnce) parts.push_back({rank});
        const VertexId end = std::min(left.end, (left.begin / kAtOnce + 1) * kAtOnce);
        const VertexRange range{std::exchange(left.begin, end), end};
        parts.back().ranges.push_back(range);
        parts.back().size += range.size();
      }
    }
  }
  return parts;
}

/// The vertices of each other rank that are members of a set.
Result<std::vector<VertexSequence>> by_rank(Engine& engine, const Ranks& ranks, const VertexSet& set) {
  std::vector<SomeOfRank> parts = divided(ranks);
  RIZOMA_TRY(engine.for_blocks(parts.size(), 1, [&](VertexRange block, unsigned) {
    for (VertexId i = block.begin; i < block.end; ++i) {
      VertexSequence& members = parts[i].members;
      for (const VertexRange range : parts[i].ranges) set.for_each(range, [&](VertexId v) { members.add(v); });
      members.end();
    }
  }));
  std::vector<VertexSequence> found(ranks.size());
  for (SomeOfRank& part : parts) found[part.rank].append(std::exchange(part.members, {}));
  for (VertexSequence& of_rank : found) of_rank.end();
  return found;
}

/// What another rank has sent, once it is sure that all are own vertices.
Result<VertexSequence> received_list(Engine& engine, const Ranks& ranks, const GraphView& graph,
                                     std::span<const std::byte> message) {
  VertexSequence list(message);
  RIZOMA_TRY(unpack_pieces(engine, message, [&](std::size_t piece, auto, unsigned) {
    list.for_each_in(piece, [&](std::size_t, VertexId v) { RIZOMA_CHECK(v < graph.num_vertices() && ranks.owns(v)); });
  }));
  return list;
}

}  // namespace

Result<BoundaryLists> find_boundary(Engine& engine, Ranks& ranks, const GraphView& graph, Direction direction) {
  VertexSet read = engine.make_set(graph.num_vertices());
  const auto note = [&](const auto& lists) {
    return engine.for_edges(graph, direction, [&](VertexRange block, unsigned) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        for (const VertexId u : lists.neighbors(v)) {
          if (!ranks.owns(u)) read.add_atomic(u);
        }
      }
    });
  };
  if (direction == Direction::out) RIZOMA_TRY(graph.with_out(note));
  else RIZOMA_TRY(graph.with_both([&](const auto&, const auto& in) { return note(in); }));
  BoundaryLists boundary;
  RIZOMA_ASSIGN(boundary.read, by_rank(engine, ranks, read));
  read = VertexSet();
  boundary.mirrored.resize(ranks.size());
  const auto make = [&](unsigned rank) {
    const VertexSequence& list = boundary.read[rank];
    return pack_pieces(engine, list.pieces(), 0, 1, [&](std::size_t piece, WireWriter& writer) {
      writer.put_bytes(list.bytes_of(piece).data(), list.bytes_of(piece).size());
    });
  };
  const auto take = [&](unsigned rank, std::span<const std::byte> message) -> Status {
    RIZOMA_ASSIGN(boundary.mirrored[rank], received_list(engine, ranks, graph, message));
    boundary.all += boundary.mirrored[rank].size();
    return {};
  };
  const unsigned turns = turns_of(graph.num_vertices(), ranks.size());
  RIZOMA_TRY(exchange_in_turns(ranks, CollectiveKind::lists, turns, make, take));
  RIZOMA_ASSIGN(boundary.all, ranks.reduce(boundary.all, std::uint64_t{0}, std::plus<>()));
  return boundary;
}

/// The lists are read once for each graph and direction.
Result<std::shared_ptr<const BoundaryLists>> Ranks::boundary_of(Engine& engine, const GraphView& graph,
                                                                Direction direction) {
  RIZOMA_TRY(divide(graph));
  const Direction lists = graph.directed() ? direction : Direction::out;
  std::shared_ptr<const BoundaryLists>& kept = division_->boundary[lists == Direction::out ? 0 : 1];
  if (kept == nullptr) {
    RIZOMA_ASSIGN(BoundaryLists found, find_boundary(engine, *this, graph, lists));
    kept = std::make_shared<const BoundaryLists>(std::move(found));
  }
  return kept;
}

Status Ranks::for_mirrors(Engine& engine, const GraphView& graph, Direction direction, FunctionRef<void(VertexId)> f) {
  RIZOMA_ASSIGN(const auto boundary, boundary_of(engine, graph, direction));
  for (const VertexSequence& of_rank : boundary->read) of_rank.for_each(f);
  return {};
}

}  // namespace rizoma
