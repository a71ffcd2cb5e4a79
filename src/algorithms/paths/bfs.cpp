#include <rizoma/algorithms/bfs.h>

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/gather_columns.h>
#include <rizoma/detail/gather_reached.h>
#include <rizoma/sweep.h>

#include "base/check.h"

#include <algorithm>
#include <array>
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
  using Message = void;
  using Accum = VertexId;
  static constexpr bool visit_once = true;
  static constexpr bool early_exit = true;

  std::int64_t* parents;
  std::int32_t* levels;
  std::int32_t level = 0;

  [[nodiscard]] VertexId gather(VertexId, const auto& entries) const { return entries.source(0); }
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

/// A search that can be gone on from: parents and levels (-1: not reached), and how far it is.
class SearchCheckpoint {
 public:
  SearchCheckpoint(Checkpoints* checkpoints, VertexMap<std::int64_t>& parents, VertexMap<std::int32_t>& levels)
      : checkpoints_(checkpoints), parents_(parents), levels_(levels) {}

  /// Makes the sweep go on from what was kept, or begin at the source.
  Status begin(Engine& engine, const GraphView& graph, VertexId source, Reach& reach, Sweep<Reach>& sweep,
               BfsResult& result) {
    bool resumed = false;
    if (checkpoints_ != nullptr) {
      if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
      RIZOMA_ASSIGN(resumed, checkpoints_->resume({figures_, columns(), [&] { return sound(); }}));
    }
    if (!resumed) {
      reach.apply(source, source);
      return sweep.start(std::span(&source, 1));
    }
    reach.level = result.resumed_after = static_cast<std::int32_t>(figures_[0]);
    result.reached = static_cast<VertexId>(figures_[1]);
    VertexSet reached = engine.make_set(levels_.size());
    std::vector<VertexId> front;
    for (VertexId v = 0; v < levels_.size(); ++v) {
      if (levels_[v] < 0 || (engine.ranks() != nullptr && !engine.ranks()->owns(v))) continue;
      reached.add(v);
      if (levels_[v] == reach.level) front.push_back(v);
    }
    sweep.leave_out(std::move(reached));
    return sweep.start_own(front);
  }

  Status offer(const Reach& reach, const BfsResult& result) {
    if (checkpoints_ == nullptr) return {};
    figures_ = {static_cast<double>(reach.level), static_cast<double>(result.reached)};
    return checkpoints_->offer({figures_, columns()});
  }

 private:
  [[nodiscard]] std::vector<StateColumn> columns() const { return {column_of(parents_), column_of(levels_)}; }
  [[nodiscard]] bool sound() const {
    if (!whole_below(figures_[0], 0x1p31) || !whole_below(figures_[1], static_cast<double>(levels_.size()) + 1)) {
      return false;
    }
    const auto level = static_cast<std::int32_t>(figures_[0]);
    const auto n = static_cast<std::int64_t>(levels_.size());
    return std::ranges::all_of(levels_.span(), [&](std::int32_t one) { return one >= -1 && one <= level; }) &&
           std::ranges::all_of(parents_.span(), [&](std::int64_t one) { return one >= -1 && one < n; });
  }

  Checkpoints* checkpoints_;  ///< null: nothing is kept
  VertexMap<std::int64_t>& parents_;
  VertexMap<std::int32_t>& levels_;
  std::array<double, 2> figures_{};  ///< the level of the vertices that are active, and how many were reached before
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

Status gather_result(Ranks& ranks, BfsResult& result, int to) {
  if (result.levels.reached() != nullptr) {
    const auto greatest = static_cast<std::uint64_t>(result.depth);
    RIZOMA_ASSIGN(const bool is_done, gather_reached(ranks, result.parents, result.levels, greatest, to));
    if (is_done) return {};
  }
  // Whoever has asked for all of a result has its whole maps.
  if (result.reached > result.levels.size() / kMany || result.levels.reached() == nullptr) {
    RIZOMA_TRY(gather_columns(ranks, result.levels.all().span(), to, static_cast<std::uint64_t>(result.depth)));
    return gather_columns(ranks, result.parents.all().span(), to, result.parents.size());
  }
  std::vector<std::vector<std::byte>> payloads(ranks.size());
  const std::vector<std::byte> mine = found_here(ranks, result, *result.levels.reached());
  for (unsigned rank = 0; rank < ranks.size(); ++rank) {
    if (rank != ranks.rank() && (to == Ranks::kEveryRank || static_cast<int>(rank) == to)) payloads[rank] = mine;
  }
  RIZOMA_ASSIGN(const auto received, ranks.collective(CollectiveKind::gather, std::move(payloads)));
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
                 "bfs: there is no vertex " + std::to_string(source) + " (internal id) in the graph"};
  }
  if (engine.ranks() != nullptr) engine.ranks()->distribute();
  BfsResult result;
  const VertexId n = graph.num_vertices();
  const bool keeps = options.checkpoints != nullptr;
  auto parents = keeps ? engine.make_map<std::int64_t>(n, -1) : engine.make_unset_map<std::int64_t>(n);
  auto levels = keeps ? engine.make_map<std::int32_t>(n, -1) : engine.make_unset_map<std::int32_t>(n);
  Reach reach{parents.data(), levels.data()};
  Sweep<Reach> sweep(engine, graph, reach);
  SearchCheckpoint kept(options.checkpoints, parents, levels);
  RIZOMA_TRY(kept.begin(engine, graph, source, reach, sweep, result));
  while (sweep.active() > 0) {
    result.depth = reach.level++;
    result.reached += sweep.active();
    if (options.max_depth >= 0 && result.depth >= options.max_depth) break;
    RIZOMA_TRY(engine.report("bfs", static_cast<double>(result.reached), static_cast<double>(graph.num_live())));
    RIZOMA_TRY(sweep.step());
    if (sweep.active() > 0) RIZOMA_TRY(kept.offer(reach, result));
  }
  const auto reached = std::make_shared<const VertexSet>(sweep.take_done());
  result.parents = {std::move(parents), reached, -1};
  result.levels = {std::move(levels), reached, -1};
  return result;
}

}  // namespace rizoma
