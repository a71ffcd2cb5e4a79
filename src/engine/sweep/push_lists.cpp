#include <rizoma/detail/push_lists.h>
#include <rizoma/process_vertices.h>

#include <vector>

namespace rizoma::engine_detail {

Status for_lists_in_pieces(Engine& engine, const GraphView& graph, const Degrees& degrees,
                           std::span<const VertexId> all, std::uint64_t grain, std::optional<EdgeCount> entries,
                           ListsInPieces f) {
  constexpr std::uint64_t kPieceGrain = 1 << 11;
  std::vector<PerThread<std::vector<VertexId>>> great(engine.threads());
  const auto block = [&](std::span<const VertexId> vertices, unsigned thread) {
    f(vertices, thread, [&](VertexId u) {
      const EdgeCount degree = degrees[u];
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
      RIZOMA_TRY(engine.for_blocks(degrees[u], kPieceGrain, piece));
    }
  }
  return {};
}

}  // namespace rizoma::engine_detail
