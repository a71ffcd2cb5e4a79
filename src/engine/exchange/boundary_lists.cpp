#include "engine/exchange/boundary_lists.h"

#include "base/check.h"
#include "engine/exchange/turns.h"

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace rizoma {

VertexSequence::VertexSequence(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {
  Reader reader(bytes_);
  for (VertexId end = 0; !reader.at_end();) {  // one more than the last vertex
    VertexId base = 0;
    const std::uint64_t bits = reader.next(base);
    RIZOMA_CHECK(bits != 0 && base < kNoVertex - 64 && base + static_cast<VertexId>(std::countr_zero(bits)) >= end);
    end = base + static_cast<VertexId>(std::bit_width(bits));
    size_ += static_cast<std::size_t>(std::popcount(bits));
  }
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
}

void VertexSequence::put(std::uint64_t number) {
  std::array<std::byte, kMaxVarintBytes> bytes;
  bytes_.insert(bytes_.end(), bytes.data(), write_varint(bytes.data(), number));
}

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
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    VertexSequence& of_rank = boundary.read.emplace_back();
    for (const VertexRange range : ranks.ranges_of(rank)) {
      read.for_each(range, [&](VertexId v) { of_rank.add(v); });
    }
    of_rank.end();
  }
  read = VertexSet();
  boundary.mirrored.resize(ranks.size());
  const auto make = [&](unsigned rank) {
    const std::span<const std::byte> vertices = boundary.read[rank].bytes();
    std::vector<std::byte> message;
    message.reserve(vertices.size() + 1);  // a round adds its kind
    message.assign(vertices.begin(), vertices.end());
    return message;
  };
  const auto take = [&](unsigned rank, std::span<const std::byte> vertices) -> Status {
    VertexSequence& of_rank = boundary.mirrored[rank];
    of_rank = VertexSequence({vertices.begin(), vertices.end()});
    of_rank.for_each([&](std::size_t, VertexId v) { RIZOMA_CHECK(v < graph.num_vertices() && ranks.owns(v)); });
    boundary.all += of_rank.size();
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
  for (const VertexSequence& of_rank : boundary->read) of_rank.for_each([&](std::size_t, VertexId v) { f(v); });
  return {};
}

}  // namespace rizoma
