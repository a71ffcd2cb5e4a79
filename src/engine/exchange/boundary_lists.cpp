#include "engine/exchange/boundary_lists.h"

#include "base/check.h"
#include "engine/exchange/turns.h"

#include <functional>
#include <memory>
#include <utility>

namespace rizoma {

VertexSequence::VertexSequence(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {
  const std::byte* const end = bytes_.data() + bytes_.size();
  for (const std::byte* at = bytes_.data(); at != end;) {
    std::uint64_t step = 0;
    at = read_varint(at, end, step);
    RIZOMA_CHECK(at != nullptr && (step > 0 || size_ == 0) && step <= ~std::uint64_t{0} - last_);
    last_ += step;
    ++size_;
  }
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
    of_rank.shrink_to_fit();
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
