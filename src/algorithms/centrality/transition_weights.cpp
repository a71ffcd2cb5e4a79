#include "algorithms/centrality/transition_weights.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>
#include <rizoma/iteration.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr double kLeastSum = 0x1p-900;
constexpr double kGreatestSum = 0x1p900;

/// Sums the weights of each vertex; true if all sums are within the range.
Result<bool> try_unit(Engine& engine, const GraphView& graph, OutDegrees<double>& shares, std::string_view who) {
  std::atomic<VertexId> bad = kNoVertex;
  std::atomic<bool> in_range = true;
  RIZOMA_TRY(gather<true>(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned) {
    double sum = 0;
    bool some = false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto weight = static_cast<double>(entries.weight(i));
      if (!(weight >= 0) || std::isinf(weight)) bad = v;
      some = some || weight > 0;
      sum += weight * shares.unit;
    }
    if (some && !(sum >= kLeastSum && sum <= kGreatestSum)) in_range = false;
    shares.of_vertex[v] = sum > 0 ? sum : -1;
  }));
  if (bad != kNoVertex) return bad_weight(bad, who);
  const auto has_none = [&](VertexId v) -> VertexId { return shares.of_vertex[v] < 0 ? 1 : 0; };
  RIZOMA_ASSIGN(shares.none, process_vertices(engine, graph, VertexId{0}, has_none));
  RIZOMA_ASSIGN(const int out_of_range, allreduce(engine, in_range ? 0 : 1, std::plus<>()));
  return out_of_range == 0;
}

/// A power of two that brings the largest weight near 1; no sum of weights overflows then.
Result<double> unit_of_greatest(Engine& engine, const GraphView& graph) {
  std::vector<PerThread<double>> greatest(engine.threads());
  RIZOMA_TRY(gather<true>(engine, graph, {}, [&](VertexId, const auto& entries, unsigned thread) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      greatest[thread].value = std::max(greatest[thread].value, static_cast<double>(entries.weight(i)));
    }
  }));
  double most = 0;
  for (const auto& of_thread : greatest) most = std::max(most, of_thread.value);
  RIZOMA_ASSIGN(most, allreduce(engine, most, [](double a, double b) { return std::max(a, b); }));
  // Not beyond the range of numbers: then the smallest of all, times this, is 2^-51, which is near enough to 1.
  return std::ldexp(1.0, std::min(-std::ilogb(most), 1023));
}

}  // namespace

Result<OutDegrees<double>> transition_weights(Engine& engine, const GraphView& graph, std::string_view who) {
  OutDegrees<double> shares{engine.make_map<double>(graph.num_vertices(), 0)};
  RIZOMA_ASSIGN(const bool all_in_range, try_unit(engine, graph, shares, who));
  if (all_in_range) return shares;
  RIZOMA_ASSIGN(shares.unit, unit_of_greatest(engine, graph));
  RIZOMA_ASSIGN(const bool all_in_unit, try_unit(engine, graph, shares, who));
  if (all_in_unit) return shares;
  return Error{
      ErrorCode::invalid_argument,
      std::string(who) +
          ": the edges of some vertices weigh more than 1e270 times as much as those of others; rescale the weights"};
}

}  // namespace rizoma
