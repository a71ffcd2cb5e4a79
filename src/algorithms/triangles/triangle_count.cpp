#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/detail/same_call.h>

#include "algorithms/triangles/intersection_triangles.h"
#include "algorithms/triangles/out_of_core_triangles.h"
#include "engine/balance/work_stealing.h"
#include "engine/intersection/oriented_triangles.h"

#include <rizoma/iteration.h>

#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using DegreeRank = OrientedLists::DegreeRank;

/// Counts the triangles whose largest degree rank is a given one; one for each thread.  kEach: adds to the
/// counts of the three vertices as well.
template <bool kEach>
class alignas(64) Counter {
 public:
  Counter(const OrientedLists& lists, const CoreRows& core, VertexMap<std::uint64_t>& counts,
          ListCounter::OfThread& lists_read)
      : lists_(&lists), counts_(&counts), triangles_(lists, core, lists_read), core_counts_(kEach ? core.size() : 0) {}

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// `lists`: none, or the list of u and those that it leads to.
  template <class... Lists>
  void count(VertexId u, const Lists&... lists) {
    std::uint64_t of_u = 0;
    const auto second = [&](DegreeRank v, std::uint64_t found) {
      if constexpr (kEach) add(v, found);
      of_u += found;
    };
    if constexpr (kEach) {
      triangles_.of(u, lists..., second, [this](DegreeRank w) { add(w, 1); });
      add(static_cast<DegreeRank>(u), of_u);
    } else {
      triangles_.of(u, lists..., second, OrientedTriangles::NoThird());
    }
    total_ += of_u;
  }

  /// Moves the counts of the core to the result.
  void deliver() {
    for (VertexId v = 0; v < core_counts_.size(); ++v) (*counts_)[lists_->vertex_of(v)] += core_counts_[v];
  }

 private:
  void add(DegreeRank v, std::uint64_t triangles) {
    if (v < core_counts_.size()) {
      core_counts_[v] += triangles;
    } else if (triangles != 0) {
      counts_->atomic(lists_->vertex_of(v)).fetch_add(triangles, std::memory_order_relaxed);
    }
  }

  const OrientedLists* lists_;
  VertexMap<std::uint64_t>* counts_;
  OrientedTriangles triangles_;
  std::vector<std::uint64_t> core_counts_;
  std::uint64_t total_ = 0;
};

template <bool kEach>
Status count_all(Iteration& loop, OrientedLists& lists, CoreRows& core, TriangleCountResult& result) {
  Engine& engine = loop.engine();
  ListCounter lists_read(engine, lists.graph());
  std::vector<Counter<kEach>> counters;
  for (unsigned thread = 0; thread < engine.threads(); ++thread) {
    counters.emplace_back(lists, core, result.counts, lists_read[thread]);
  }
  RIZOMA_TRY(for_all_lists(
      engine, lists, core, [&](DegreeRank u, unsigned thread) { counters[thread].count(u); },
      [&](DegreeRank u, std::span<const DegreeRank> list, const StolenLists& stolen, unsigned thread) {
        counters[thread].count(u, list, stolen);
      }));
  for (Counter<kEach>& counter : counters) {
    result.total += counter.total();
    counter.deliver();
  }
  RIZOMA_ASSIGN(result.total, loop.total(result.total));
  if constexpr (!kEach) return {};
  RIZOMA_TRY(loop.reduce(result.counts));
  return loop.gather(result.counts);
}

}  // namespace

Result<TriangleCountResult> triangle_count(Engine& engine, const GraphView& graph,
                                           const TriangleCountOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "triangle_count", {{"per_vertex", options.per_vertex}}));
  Iteration loop(engine, graph, "triangle_count");
  RIZOMA_TRY(loop.report(0, 0));
  TriangleCountResult result;
  if (loop.is_alone()) {
    RIZOMA_ASSIGN(const bool great, count_out_of_core(engine, graph, options, result));
    if (great) return result;
    RIZOMA_ASSIGN(const bool counted, count_by_intersection(engine, graph, options, result));
    if (counted) return result;
  }
  RIZOMA_ASSIGN(OrientedLists lists, OrientedLists::make(engine, graph));
  result.copied_bytes = lists.copied_bytes();
  RIZOMA_ASSIGN(CoreRows core, core_of(engine, lists));
  if (options.per_vertex) {
    result.counts = engine.make_map<std::uint64_t>(graph.num_vertices(), 0);
    RIZOMA_TRY(count_all<true>(loop, lists, core, result));
  } else {
    RIZOMA_TRY(count_all<false>(loop, lists, core, result));
  }
  return result;
}

}  // namespace rizoma
