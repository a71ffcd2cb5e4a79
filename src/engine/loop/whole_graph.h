// Work on the whole graph of which each process does a part: draws, searches from many sources.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "graph/section_proof.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace rizoma {

/// Which of `count` pieces of work are this process's: all of them where it is alone.
inline VertexRange part_of_this_process(const Engine& engine, std::uint64_t count) {
  const Ranks* const ranks = engine.ranks();
  if (ranks == nullptr) return {0, count};
  const auto before = [&](unsigned rank) {
    return count / ranks->size() * rank + count % ranks->size() * rank / ranks->size();
  };
  return {before(ranks->rank()), before(ranks->rank() + 1)};
}

/// Whether this process has only the lists of a part of the graph.
inline bool has_part_only(const Engine& engine) {
  return engine.ranks() != nullptr && !engine.ranks()->settings().owners.empty();
}

/// Makes sure that this process may read any list.  Errors: unsupported (it has a part of the graph), corrupt.
inline Status expect_whole_graph(const Engine& engine, const GraphView& graph, std::string_view who) {
  if (!has_part_only(engine)) return prove_all_lists(graph);
  return Error{ErrorCode::unsupported, std::string(who) +
                                           " reads the whole graph on every rank, and ranks have a part each; open "
                                           "the store that the parts were made from"};
}

}  // namespace rizoma
