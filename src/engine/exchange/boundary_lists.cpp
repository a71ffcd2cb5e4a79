#include "engine/exchange/boundary_lists.h"

#include "base/check.h"
#include "engine/exchange/wire.h"

#include <functional>
#include <utility>

namespace rizoma {
namespace {

/// Ascending numbers as differences.
std::vector<std::byte> encoded(const std::vector<VertexId>& vertices) {
  WireWriter writer;
  VertexId before = 0;
  for (const VertexId v : vertices) {
    writer.put_varint(v - before);
    before = v;
  }
  return std::move(writer).take();
}

std::vector<VertexId> decoded(std::span<const std::byte> bytes) {
  std::vector<VertexId> vertices;
  WireReader reader(bytes);
  for (VertexId v = 0; !reader.empty();) {
    v += reader.get_varint();
    vertices.push_back(v);
  }
  return vertices;
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
  std::vector<std::vector<std::byte>> to;
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    std::vector<VertexId>& of_rank = boundary.read.emplace_back();
    for (const VertexRange range : ranks.ranges_of(rank)) {
      read.for_each(range, [&](VertexId v) { of_rank.push_back(v); });
    }
    to.push_back(encoded(of_rank));
  }
  RIZOMA_ASSIGN(const auto received, ranks.collective(CollectiveKind::lists, std::move(to)));
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    std::vector<VertexId>& of_rank = boundary.mirrored.emplace_back(decoded(received[rank]));
    for (const VertexId v : of_rank) RIZOMA_CHECK(v < graph.num_vertices() && ranks.owns(v));
    boundary.all += of_rank.size();
  }
  RIZOMA_ASSIGN(boundary.all, ranks.reduce(boundary.all, std::uint64_t{0}, std::plus<>()));
  return boundary;
}

}  // namespace rizoma
