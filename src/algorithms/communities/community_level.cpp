#include "algorithms/communities/community_level.h"
#include "engine/state/concurrent_union_find.h"

#include <algorithm>

namespace rizoma::communities {
namespace {

constexpr std::uint64_t kGrain = 1024;

using Parts = ConcurrentUnionFind<Vertex>;

/// Links the fixed vertices of each community.
void link_fixed(const Level& level, const std::vector<Vertex>& communities, Parts& parts) {
  std::vector<Vertex> first(level.fixed.empty() ? 0 : level.size(), level.size());
  for (Vertex v = 0; v < level.fixed.size(); ++v) {
    if (level.fixed[v] == 0) continue;
    Vertex& of_community = first[communities[v]];
    if (of_community == level.size()) of_community = v;
    parts.link(v, of_community);
  }
}

}  // namespace

Result<Vertex> cut_apart(Engine& engine, const Level& level, std::vector<Vertex>& communities) {
  RIZOMA_ASSIGN(Parts parts, Parts::make(engine, level.size(), [&](VertexId v, unsigned) {
                  const auto list = level.targets(static_cast<Vertex>(v));
                  const auto near =
                      std::ranges::find_if(list, [&](Vertex w) { return w < v && communities[w] == communities[v]; });
                  return near == list.end() ? static_cast<Vertex>(v) : *near;
                }));
  RIZOMA_TRY(engine.for_blocks(level.size(), kGrain, [&](VertexRange block, unsigned) {
    for (auto v = static_cast<Vertex>(block.begin); v < block.end; ++v) {
      for (const Vertex w : level.targets(v)) {
        if (w < v && communities[w] == communities[v]) parts.link(v, w);
      }
    }
  }));
  link_fixed(level, communities, parts);
  RIZOMA_TRY(engine.for_blocks(level.size(), kGrain, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) communities[v] = parts.root(v);
  }));
  return make_dense(communities);
}

}  // namespace rizoma::communities
