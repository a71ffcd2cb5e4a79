#include <rizoma/algorithms/bfs.h>

#include <rizoma/gather_numbers.h>
#include <rizoma/sweep.h>

#include "base/check.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Whoever is reached tells its neighbours so; one who tells a vertex is enough, and makes it reached.
struct Reach {
  using Shown = void;
  using Folded = VertexId;
  static constexpr bool once = true;
  static constexpr bool first_suffices = true;

  std::int64_t* parents;
  std::int32_t* levels;
  std::int32_t level = 0;

  [[nodiscard]] VertexId fold(VertexId, const auto& entries) const { return entries.source(0); }
  [[nodiscard]] VertexId combine(VertexId a, VertexId) const { return a; }
  bool apply(VertexId v, VertexId parent) {
    parents[v] = static_cast<std::int64_t>(parent);
    levels[v] = level;
    return true;
  }
  void unreachable(VertexId v) {
    parents[v] = -1;
    levels[v] = -1;
  }
};

/// As ranks tell each other of it.
struct Found {
  VertexId vertex;
  std::int64_t parent;
  std::int32_t level;
};

constexpr VertexId kMany = 4;  // more than n / kMany vertices: whole maps, of 5 bytes or so for each

/// What this rank has found.
std::vector<std::byte> found_here(const Ranks& ranks, const BfsResult& result, const VertexSet& reached) {
  std::vector<std::byte> found;
  for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
    reached.for_each(range, [&](VertexId v) {
      if (result.levels[v] < 0) return;
      Found one;
      std::memset(static_cast<void*>(&one), 0, sizeof(one));  // what lies between its members goes over the wire, too
      one.vertex = v, one.parent = result.parents[v], one.level = result.levels[v];
      const auto* const bytes = reinterpret_cast<const std::byte*>(&one);
      found.insert(found.end(), bytes, bytes + sizeof(one));
    });
  }
  return found;
}

}  // namespace

Status bring_together(Ranks& ranks, BfsResult& result, int to) {
  // Whoever has asked for all of a result has its whole maps.
  if (result.reached > result.levels.size() / kMany || result.levels.reached() == nullptr) {
    RIZOMA_TRY(gather_numbers(ranks, result.levels.all().span(), to));
    return gather_numbers(ranks, result.parents.all().span(), to);
  }
  std::vector<std::vector<std::byte>> payloads(ranks.size());
  const std::vector<std::byte> mine = found_here(ranks, result, *result.levels.reached());
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if (rank != ranks.rank() && (to == Ranks::kEveryRank || static_cast<int>(rank) == to)) payloads[rank] = mine;
  }
  RIZOMA_ASSIGN(const auto received, ranks.round(RoundKind::gather, std::move(payloads)));
  const auto reached = std::make_shared<VertexSet>(*result.levels.reached());
  for (const std::vector<std::byte>& theirs : received) {
    for (std::size_t at = 0; at + sizeof(Found) <= theirs.size(); at += sizeof(Found)) {
      Found one;
      std::memcpy(&one, theirs.data() + at, sizeof(Found));
      RIZOMA_CHECK(one.vertex < result.levels.size());
      result.parents.values()[one.vertex] = one.parent;
      result.levels.values()[one.vertex] = one.level;
      reached->add(one.vertex);
    }
  }
  result.parents.reach(reached);
  result.levels.reach(reached);
  return {};
}

Result<BfsResult> bfs(Engine& engine, const GraphView& graph, VertexId source, const BfsOptions& options) {
  if (source >= graph.num_vertices() || !graph.is_live(source)) {
    return Error{ErrorCode::invalid_argument,
                 "bfs: there is no vertex " + std::to_string(source) + " (inner number) in the graph"};
  }
  BfsResult result;
  auto parents = engine.make_unset_map<std::int64_t>(graph.num_vertices());
  auto levels = engine.make_unset_map<std::int32_t>(graph.num_vertices());
  Reach reach{parents.data(), levels.data()};
  Sweep<Reach> sweep(engine, graph, reach);
  reach.apply(source, source);
  RIZOMA_TRY(sweep.start(std::span(&source, 1)));
  while (sweep.active() > 0) {
    result.depth = reach.level++;
    result.reached += sweep.active();
    if (options.max_depth >= 0 && result.depth >= options.max_depth) break;
    RIZOMA_TRY(engine.report("bfs", static_cast<double>(result.reached), static_cast<double>(graph.num_live())));
    RIZOMA_TRY(sweep.step());
  }
  const auto reached = std::make_shared<const VertexSet>(sweep.take_done());
  result.parents = {std::move(parents), reached, -1};
  result.levels = {std::move(levels), reached, -1};
  return result;
}

}  // namespace rizoma
