// Vertices without edges that fill blocks, of which one block stands for all in a sweep.
//
// Sweeps exclude 64 vertices together at no cost; one that excludes single vertices takes up to 1.6 times as long as
// one that applies them.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/vertex_set.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace rizoma {

/// Of a graph in which all vertices without edges are alike, before a sweep and after each of its steps.
struct IsolatedBlocks {
  VertexSet others;          ///< of all blocks but one, for SweepOptions::excluded; empty if there is one at most
  VertexId one = kNoVertex;  ///< in that block
  double weight = 1;         ///< how many isolated vertices each stands for that is not excluded

  /// Those vertices of the graph, which is undirected, with is_isolated(v).  Errors: cancelled.
  template <class F>
  static Result<IsolatedBlocks> find(Engine& engine, const GraphView& graph, F is_isolated) {
    constexpr VertexId kBlock = 64;  // of one word of a set
    IsolatedBlocks blocks{engine.make_set(graph.num_vertices())};
    std::atomic<VertexId> all = 0;
    std::atomic<VertexId> one = kNoVertex;
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
      VertexId found = 0;
      for (VertexId v = block.begin; v < block.end; ++v) found += graph.is_live(v) && is_isolated(v) ? 1 : 0;
      if (found > 0) all.fetch_add(found, std::memory_order_relaxed);
      VertexId none = kNoVertex;
      if (found == kBlock && !one.compare_exchange_strong(none, block.begin))
        blocks.others.words()[block.begin / kBlock] = ~std::uint64_t{0};
    }));
    blocks.others.recount();
    if (blocks.others.empty()) return IsolatedBlocks{};
    blocks.one = one;
    blocks.weight = static_cast<double>(all) / static_cast<double>(all - blocks.others.count());
    return blocks;
  }
};

}  // namespace rizoma
