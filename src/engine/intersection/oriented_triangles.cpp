#include "engine/intersection/oriented_triangles.h"

#include <algorithm>

namespace rizoma {
namespace {

constexpr std::uint64_t kGrain = 64;  // vertices handed out at once

}  // namespace

Result<CoreRows> CoreRows::make(Engine& engine, const OrientedLists& lists, EdgeCount edges) {
  VertexId size = std::min(lists.size(), kMost);
  while (place(size) > edges / 2 + 64) size -= size / 8 + 1;  // at most 4 bytes an edge
  CoreRows rows(engine, size);
  RIZOMA_TRY(engine.for_blocks(size, kGrain, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) rows.add(v, lists[v]);
  }));
  return rows;
}

}  // namespace rizoma
