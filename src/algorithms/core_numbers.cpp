#include <rizoma/algorithms/core_numbers.h>

#include "algorithms/lists.h"

#include <rizoma/list_reader.h>

#include <algorithm>
#include <vector>

namespace rizoma {
namespace {

/// Vertices in order of the degree they have left; a degree falls by one in constant time.
class DegreeOrder {
 public:
  explicit DegreeOrder(std::vector<EdgeCount> degrees)
      : degrees_(std::move(degrees)), order_(degrees_.size()), place_(degrees_.size()) {
    const EdgeCount greatest = degrees_.empty() ? 0 : *std::max_element(degrees_.begin(), degrees_.end());
    begin_.resize(greatest + 2);
    for (const EdgeCount degree : degrees_) ++begin_[degree + 1];
    for (EdgeCount degree = 0; degree <= greatest; ++degree) begin_[degree + 1] += begin_[degree];
    std::vector<VertexId> next(begin_);
    for (VertexId v = 0; v < degrees_.size(); ++v) {
      place_[v] = next[degrees_[v]]++;
      order_[place_[v]] = v;
    }
  }
  [[nodiscard]] VertexId operator[](VertexId i) const noexcept { return order_[i]; }
  [[nodiscard]] EdgeCount degree(VertexId v) const noexcept { return degrees_[v]; }

  /// v, which has a degree above that of the vertex being peeled, changes places with the first of its
  /// bucket, which then begins one later.
  void lower(VertexId v) {
    const VertexId first = begin_[degrees_[v]]++;
    const VertexId other = order_[first];
    std::swap(order_[first], order_[place_[v]]);
    std::swap(place_[v], place_[other]);
    --degrees_[v];
  }

 private:
  std::vector<EdgeCount> degrees_;
  std::vector<VertexId> order_;
  std::vector<VertexId> place_;
  std::vector<VertexId> begin_;  ///< of the vertices of each degree
};

/// Calls f(w) for the neighbours of v other than v; `in` is null for an undirected graph.
template <class Lists, class F>
void for_each_neighbor(Lists& out, Lists* in, VertexId v, unsigned thread, F f) {
  for (const auto w : out.read(v, thread).sources()) {
    if (w != v) f(w);
  }
  if (in == nullptr) return;
  for (const auto w : in->read(v, thread).sources()) {
    if (w != v) f(w);
  }
}

}  // namespace

Result<CoreNumbersResult> core_numbers(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(check_direction(graph, Direction::in, "core_numbers"));
  const VertexId n = graph.num_vertices();
  RIZOMA_TRY(engine.report("core_numbers", 0, static_cast<double>(n)));
  CoreNumbersResult result;
  result.cores = engine.make_map<std::uint64_t>(n, 0);
  return read_both_lists(engine, graph, [&](auto& out, auto* in) -> Result<CoreNumbersResult> {
    std::vector<EdgeCount> degrees(n);
    RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        for_each_neighbor(out, in, v, thread, [&](auto) { ++degrees[v]; });
      }
    }));
    DegreeOrder order(std::move(degrees));
    SerialWatch watch(engine, "core_numbers", n);
    for (VertexId i = 0; i < n; ++i) {
      RIZOMA_TRY(watch.step());
      const VertexId v = order[i];
      result.cores[v] = order.degree(v);
      for_each_neighbor(out, in, v, 0, [&](auto w) {
        if (order.degree(w) > order.degree(v)) order.lower(w);
      });
    }
    if (n > 0) result.greatest = order.degree(order[n - 1]);
    return std::move(result);
  });
}

}  // namespace rizoma
