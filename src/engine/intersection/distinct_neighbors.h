// The neighbours of a vertex in a graph that may have self-loops and parallel edges.
#pragma once

#include <rizoma/ids.h>

namespace rizoma {

/// f(u) for the neighbours of v but v itself, each once.  `entries`: its list as `gather` gives it, where parallel
/// edges lie side by side.
template <class F>
void for_each_distinct_neighbor(const auto& entries, VertexId v, F&& f) {
  VertexId before = v;
  for (const auto u : entries.sources()) {
    if (u != v && u != before) f(u);
    before = u;
  }
}

}  // namespace rizoma
