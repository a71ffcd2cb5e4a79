#include "engine/sweep/transition_weights.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr double kLeastSum = 0x1p-900;
constexpr double kGreatestSum = 0x1p900;

/// Of the weights of a graph.
struct Weights {
  double greatest = 0;
  bool in_range = true;  ///< every sum of a vertex's weights is within the range
  static Weights add(const Weights& a, const Weights& b) {
    return {std::max(a.greatest, b.greatest), a.in_range && b.in_range};
  }
};

/// Sums the weights of each vertex.
Result<Weights> sum_weights(Engine& engine, const GraphView& graph, OutDegrees<double>& shares, std::string_view who) {
  std::atomic<VertexId> bad = kNoVertex;
  std::vector<PerThread<Weights>> of_threads(engine.threads());
  RIZOMA_TRY(gather<true>(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned thread) {
    double sum = 0;
    double greatest = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto weight = static_cast<double>(entries.weight(i));
      if (!(weight >= 0) || std::isinf(weight)) bad = v;
      greatest = std::max(greatest, weight);
      sum += weight * shares.unit;
    }
    const bool in_range = !(greatest > 0) || (sum >= kLeastSum && sum <= kGreatestSum);
    of_threads[thread].value = Weights::add(of_threads[thread].value, {greatest, in_range});
    shares.of_vertex[v] = sum > 0 ? sum : -1;
  }));
  if (bad != kNoVertex) return bad_weight(bad, who);
  Weights all;
  for (const auto& of_thread : of_threads) all = Weights::add(all, of_thread.value);
  return allreduce(engine, all, Weights::add);
}

template <class Number>
Status divide_by_degrees(Engine& engine, const GraphView& graph, OutDegrees<Number>& shares) {
  const Degrees degrees(graph);
  return engine.for_vertices(graph, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) {
      const EdgeCount degree = degrees[v];
      shares.of_vertex[v] = degree == 0 ? Number{-1} : static_cast<Number>(degree);
    }
  });
}

Status divide_by_weights(Engine& engine, const GraphView& graph, OutDegrees<double>& shares, std::string_view who) {
  const auto refuse = [who](std::string_view why) {
    return Error{ErrorCode::invalid_argument, std::string(who) + ": " + std::string(why)};
  };
  if (graph.weight_type() == WeightType::none)
    return refuse("the graph has no weights; leave weight= out, or import the graph with weights");
  RIZOMA_ASSIGN(const Weights as_given, sum_weights(engine, graph, shares, who));
  if (as_given.in_range) return {};
  // A power of two that brings the greatest near 1, so that no sum overflows.  Not beyond the range of numbers: then
  // the smallest of all, times this, is 2^-51, which is near enough to 1.
  shares.unit = std::ldexp(1.0, std::min(-std::ilogb(as_given.greatest), 1023));
  RIZOMA_ASSIGN(const Weights in_unit, sum_weights(engine, graph, shares, who));
  if (in_unit.in_range) return {};
  return refuse(
      "the edges of some vertices weigh more than 1e270 times as much as those of others; rescale the weights");
}

}  // namespace

template <class Number, bool kWeighted>
Result<OutDegrees<Number>> out_degrees(Engine& engine, const GraphView& graph, std::string_view who) {
  OutDegrees<Number> shares{engine.make_map<Number>(graph.num_vertices(), 0)};
  if constexpr (kWeighted) RIZOMA_TRY(divide_by_weights(engine, graph, shares, who));
  else RIZOMA_TRY(divide_by_degrees(engine, graph, shares));
  return shares;
}

template Result<OutDegrees<float>> out_degrees<float, false>(Engine&, const GraphView&, std::string_view);
template Result<OutDegrees<double>> out_degrees<double, false>(Engine&, const GraphView&, std::string_view);
template Result<OutDegrees<double>> out_degrees<double, true>(Engine&, const GraphView&, std::string_view);

}  // namespace rizoma
