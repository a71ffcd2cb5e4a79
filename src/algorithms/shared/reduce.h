// What ranks have counted of each other's vertices.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include <utility>

namespace rizoma {

/// Brings what each rank has counted of a vertex together where that lives; 0 is nothing.  Elsewhere 0 is left.
/// Without ranks all is there.
template <class T>
Status reduce(Engine& engine, VertexMap<T>& counts) {
  Ranks* const ranks = engine.ranks();
  if (ranks == nullptr) return {};
  Outbox<T> outbox(*ranks);
  for (VertexId v = 0; v < counts.size(); ++v) {
    if (counts[v] > 0 && !ranks->owns(v)) outbox.add(v, std::exchange(counts[v], T{}));
  }
  return outbox.exchange([&](VertexId v, const T& count) { counts[v] += count; });
}

}  // namespace rizoma
