#include <rizoma/level_sweep.h>

#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <limits>
#include <mutex>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::BuildOptions;
using testing::entries_of;
using testing::TestEdge;

struct Levels {
  std::vector<std::set<VertexId>> vertices;  ///< by depth
  std::vector<double> forward;               ///< sums of the level before
  std::vector<double> back;                  ///< 1 + sums of the next level
};

/// The contract, word for word.
Levels levels_of(const GraphView& graph, VertexId from) {
  std::set<std::pair<VertexId, VertexId>> edges;  // parallel ones count once
  for (const TestEdge& e : entries_of(graph)) edges.emplace(e.source, e.target);
  Levels levels{{{from}}, std::vector<double>(graph.num_vertices(), 0), std::vector<double>(graph.num_vertices(), 0)};
  levels.forward[from] = 1;
  std::set<VertexId> seen{from};
  while (!levels.vertices.back().empty()) {
    std::set<VertexId> next;
    for (const auto& [u, v] : edges) {
      if (!levels.vertices.back().contains(u) || seen.contains(v)) continue;
      next.insert(v);
      levels.forward[v] += levels.forward[u];
    }
    seen.insert(next.begin(), next.end());
    levels.vertices.push_back(next);
  }
  levels.vertices.pop_back();
  for (std::size_t depth = levels.vertices.size(); depth-- > 0;) {
    const bool last = depth + 1 == levels.vertices.size();
    for (const auto& [u, v] : edges) {
      if (!last && levels.vertices[depth].contains(u) && levels.vertices[depth + 1].contains(v))
        levels.back[u] += levels.back[v];
    }
    for (const VertexId v : levels.vertices[depth]) levels.back[v] += 1;
  }
  return levels;
}

/// The result of a sweep; vertices of no level have sums of 0.
template <class Number, class Sweep>
Levels levels_by(Sweep& sweep, VertexId from, VertexMap<Number>& forward, VertexMap<Number>& back) {
  Levels levels;
  EXPECT_TRUE(sweep.start(from, 1, forward));
  for (bool more = true; more;) {
    const auto advanced = sweep.advance(forward);
    EXPECT_TRUE(advanced.ok());
    more = advanced.ok() && *advanced;
  }
  levels.vertices.resize(sweep.count());
  for (std::size_t depth = sweep.count(); depth-- > 0;) {
    EXPECT_TRUE(sweep.sum_back(depth, back));
    std::mutex mutex;
    EXPECT_TRUE(sweep.for_level(depth, [&](VertexId v) {
      back[v] += 1;
      const std::lock_guard lock(mutex);
      levels.vertices[depth].insert(v);
    }));
  }
  levels.forward.assign(forward.span().begin(), forward.span().end());
  levels.back.assign(back.span().begin(), back.span().end());
  EXPECT_TRUE(sweep.forget([&](VertexId v) { forward[v] = back[v] = 0; }));
  return levels;
}

/// Threads x directed x in-edges.
class LevelSweeps : public ::testing::TestWithParam<std::tuple<unsigned, bool, bool>> {
 protected:
  Engine engine{EngineOptions{.threads = std::get<0>(GetParam())}};
  BuildOptions options{.directed = std::get<1>(GetParam()), .in_edges = std::get<2>(GetParam()), .section_bits = 6};

  template <class Number>
  void expect_contract(const GraphView& graph, std::span<const VertexId> sources) {
    const Status status = read_both_lists(engine, graph, [&]<class Lists>(const Lists& out, const Lists* in) -> Status {
      LevelSweep<Number, Lists> sweep(engine, graph, out, in);
      auto forward = engine.make_map<Number>(graph.num_vertices(), 0);
      auto back = engine.make_map<Number>(graph.num_vertices(), 0);
      for (const VertexId source : sources) {
        const Levels found = levels_by(sweep, source, forward, back);
        const Levels expected = levels_of(graph, source);
        EXPECT_EQ(found.vertices, expected.vertices);
        EXPECT_EQ(found.forward, expected.forward);
        EXPECT_EQ(found.back, expected.back);
      }
      return {};
    });
    EXPECT_TRUE(status);
  }
};
INSTANTIATE_TEST_SUITE_P(Shapes, LevelSweeps,
                         ::testing::Combine(::testing::Values(1, 3), ::testing::Bool(), ::testing::Bool()));

TEST_P(LevelSweeps, SumFromLevelToLevelAndBack) {
  for (const auto& edges : {testing::rmat_edges(9, 6000, 1), testing::uniform_edges(500, 900, 2),
                            testing::grid_edges(9, 11), testing::star_edges(200)}) {
    const GraphView graph = build_graph(512, edges, options);
    const std::vector<VertexId> sources{0, 7, 511};
    expect_contract<double>(graph, sources);
    expect_contract<long double>(graph, sources);
  }
}

TEST_P(LevelSweeps, CountParallelEdgesOnce) {
  auto edges = testing::uniform_edges(90, 300, 4);
  edges.insert(edges.end(), edges.begin(), edges.begin() + 100);
  options.merge = false;
  expect_contract<double>(build_graph(90, edges, options), std::vector<VertexId>{3, 4});
}

TEST_P(LevelSweeps, BeginAnewAfterASearchThatStoppedEarly) {
  const GraphView graph = build_graph(1000, {{0, 500, 1}, {400, 450, 1}, {450, 500, 1}, {500, 700, 1}}, options);
  const Status status = read_both_lists(engine, graph, [&]<class Lists>(const Lists& out, const Lists* in) -> Status {
    LevelSweep<double, Lists> sweep(engine, graph, out, in);
    auto forward = engine.make_map<double>(1000, 0);
    auto back = engine.make_map<double>(1000, 0);
    RIZOMA_TRY(sweep.start(0, 1, forward));
    RIZOMA_TRY(sweep.advance(forward));
    RIZOMA_TRY(sweep.forget([&](VertexId v) { forward[v] = 0; }));
    EXPECT_EQ(levels_by(sweep, 400, forward, back).vertices, levels_of(graph, 400).vertices);
    return {};
  });
  EXPECT_TRUE(status);
}

TEST_P(LevelSweeps, SayWhereASumIsNotFinite) {
  const GraphView graph = build_graph(4, {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}}, options);
  const Status status = read_both_lists(engine, graph, [&]<class Lists>(const Lists& out, const Lists* in) -> Status {
    LevelSweep<double, Lists> sweep(engine, graph, out, in);
    auto sums = engine.make_map<double>(4, 0);
    RIZOMA_TRY(sweep.start(0, std::numeric_limits<double>::max(), sums));
    RIZOMA_TRY(sweep.advance(sums));
    EXPECT_FALSE(sweep.overflow());
    RIZOMA_TRY(sweep.advance(sums));
    EXPECT_TRUE(sweep.overflow());
    return {};
  });
  EXPECT_TRUE(status);
}

}  // namespace
}  // namespace rizoma
