#include <rizoma/algorithms/edge_triangles.h>

#include "engine/intersection/oriented_edges.h"
#include "engine/loop/kernel_arguments.h"
#include "graph/entry_numbers.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>
#include <rizoma/detail/state_list.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Adds up the triangles of each ranked edge.
Status count_supports(Engine& engine, const OrientedEdges& edges, auto& supports) {
  return edges.for_each_triangle(engine, [&](const OrientedEdges::Triangle& triangle, unsigned) {
    for (const EdgeCount edge : {triangle.uv, triangle.uw, triangle.vw})
      supports.atomic(edge).fetch_add(1, std::memory_order_relaxed);
  });
}

/// By entry, the value of its ranked edge; 0 for a self-loop.
template <class T, class Values>
Result<std::vector<T>> by_entry(Engine& engine, const GraphView& graph, const OrientedEdges& edges,
                                const Values& values) {
  std::vector<T> result(graph.num_entries());
  const EntryNumbers numbers(graph);
  RIZOMA_TRY(gather(engine, graph, {}, [&](VertexId u, const auto& entries, unsigned) {
    T* of_entry = result.data() + numbers.first(u);
    for (const auto v : entries.sources()) {
      if (u != v) *of_entry = values[edges.find(u, v)];
      ++of_entry;
    }
  }));
  return result;
}

constexpr std::uint8_t kThere = 1;  // the state of an edge that stays, or falls in a later round

/// Takes edges of too little support away, round by round, until none is left that has to go.
template <class Lists>
class Peeling {
 public:
  using Vertex = typename Lists::target_type;

  Peeling(Iteration& loop, Lists& out, const OrientedEdges& edges, StateList<std::uint64_t>& supports,
          StateList<std::uint8_t>& states, std::uint64_t least)
      : loop_(loop),
        engine_(loop.engine()),
        out_(out),
        edges_(edges),
        supports_(supports),
        states_(states),
        least_(least),
        found_(engine_.threads()) {}

  Status run() {
    RIZOMA_TRY(find_first());
    return loop_.run([this]() -> Result<bool> {
      if (falling_.empty()) return false;
      RIZOMA_TRY(loop_.report(static_cast<double>(gone_), static_cast<double>(edges_.size())));
      RIZOMA_TRY(set_falling(kFalling));
      RIZOMA_TRY(engine_.for_blocks(falling_.size(), kRemoved, [&](VertexRange block, unsigned thread) {
        for (VertexId i = block.begin; i < block.end; ++i) remove(falling_[i], thread);
      }));
      RIZOMA_TRY(set_falling(kGone));
      gone_ += falling_.size();
      merge_threads();
      return true;
    });
  }

 private:
  static constexpr std::uint8_t kGone = 0;          // its triangles have been taken away
  static constexpr std::uint8_t kFalling = 2;       // its triangles are taken away in this round
  static constexpr std::uint64_t kRemoved = 32;     // edges that a thread removes at once
  static constexpr std::uint64_t kLooked = 1 << 8;  // lists that a thread processes at once
  static constexpr std::uint64_t kSet = 1 << 12;

  struct Edge {
    VertexId u;
    VertexId v;
    EdgeCount number;
  };

  Status find_first() {
    RIZOMA_TRY(engine_.for_blocks(edges_.lists().size(), kLooked, [&](VertexRange block, unsigned thread) {
      for (VertexId u = block.begin; u < block.end; ++u) {
        EdgeCount number = edges_.first(u);
        for (const auto v : edges_.lists()[u]) {
          if (states_[number] != kGone && supports_[number] < least_)
            found_[thread].value.push_back({edges_.vertex_of(u), edges_.vertex_of(v), number});
          ++number;
        }
      }
    }));
    merge_threads();
    return {};
  }

  Status set_falling(std::uint8_t state) {
    return engine_.for_blocks(falling_.size(), kSet, [&](VertexRange block, unsigned) {
      for (VertexId i = block.begin; i < block.end; ++i) states_[falling_[i].number] = state;
    });
  }

  /// Removes a triangle once: with the first of its edges to fall, in one round the edge of smallest number.
  void remove(const Edge& edge, unsigned thread) {
    VertexId u = edge.u;
    VertexId v = edge.v;
    const EdgeCount number = edge.number;
    const auto goes_with = [&](EdgeCount other) { return states_[other] == kFalling && other < number; };
    if (out_.degree(u) > out_.degree(v)) std::swap(u, v);
    Vertex last = static_cast<Vertex>(u);
    for (const Vertex w : out_.read(u, thread).sources()) {
      if (w == v || w == u || w == std::exchange(last, w)) continue;
      const EdgeCount vw = edges_.find(v, w);
      if (vw == edges_.size() || states_[vw] == kGone || goes_with(vw)) continue;
      const EdgeCount uw = edges_.find(u, w);
      if (states_[uw] == kGone || goes_with(uw)) continue;
      lower({u, w, uw}, thread);
      lower({v, w, vw}, thread);
    }
  }

  void lower(const Edge& edge, unsigned thread) {
    const std::uint64_t before = supports_.atomic(edge.number).fetch_sub(1, std::memory_order_relaxed);
    if (before == least_) found_[thread].value.push_back(edge);
  }

  /// What the threads have found falls in the next round.
  void merge_threads() {
    falling_.clear();
    for (auto& mine : found_) {
      if (falling_.empty()) falling_.swap(mine.value);
      else falling_.insert(falling_.end(), mine.value.begin(), mine.value.end());
      mine.value.clear();
    }
  }

  Iteration& loop_;
  Engine& engine_;
  Lists& out_;
  const OrientedEdges& edges_;
  StateList<std::uint64_t>& supports_;
  StateList<std::uint8_t>& states_;
  std::uint64_t least_;
  EdgeCount gone_ = 0;  ///< since this process began
  std::vector<PerThread<std::vector<Edge>>> found_;
  std::vector<Edge> falling_;
};

}  // namespace

Result<std::vector<std::uint64_t>> edge_triangles(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "edge_triangles"));
  RIZOMA_TRY(engine.report("edge_triangles", 0, 0));
  RIZOMA_ASSIGN(const OrientedEdges edges, OrientedEdges::make(engine, graph));
  auto supports = engine.make_map<std::uint64_t>(edges.size(), 0);
  RIZOMA_TRY(count_supports(engine, edges, supports));
  return by_entry<std::uint64_t>(engine, graph, edges, supports);
}

Result<std::vector<std::uint8_t>> k_truss(Engine& engine, const GraphView& graph, std::uint64_t k) {
  RIZOMA_TRY(single_process_only(engine, "k_truss"));
  RIZOMA_TRY(check_undirected(graph, "k_truss"));
  RIZOMA_TRY(engine.report("k_truss", 0, 0));
  RIZOMA_ASSIGN(const OrientedEdges edges, OrientedEdges::make(engine, graph));
  Iteration loop(engine, graph, "k_truss");
  StateList<std::uint64_t> supports(loop, edges.size(), 0);
  StateList<std::uint8_t> states(loop, edges.size(), kThere);
  loop.valid_if([&] { return std::ranges::all_of(states.span(), [](auto state) { return state <= kThere; }); });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  if (!resumed) RIZOMA_TRY(count_supports(engine, edges, supports));
  return read_lists(engine, graph, Direction::out, [&]<class Lists>(Lists& out) -> Result<std::vector<std::uint8_t>> {
    RIZOMA_TRY(Peeling<Lists>(loop, out, edges, supports, states, k < 2 ? 0 : k - 2).run());
    return by_entry<std::uint8_t>(engine, graph, edges, states);
  });
}

}  // namespace rizoma
