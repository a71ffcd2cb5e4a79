#include <rizoma/algorithms/partition_quality.h>

#include "engine/loop/kernel_arguments.h"
#include "engine/quotient/quotient_graph.h"

#include <rizoma/process_vertices.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace rizoma {
namespace {

using Vertex = QuotientGraph::Vertex;

constexpr std::uint64_t kGrain = 1024;

/// Weight that leaves each community, in either direction.
Result<std::vector<double>> crossing(Engine& engine, const GraphView& graph, const QuotientGraph& level,
                                     std::span<const Vertex> labels, Vertex count) {
  std::optional<ListCounter> lists_read;  // lists with weights were counted as they were copied
  if (!level.weighted) lists_read.emplace(engine, graph);
  std::vector<PerThread<std::vector<double>>> partial(engine.threads(), {std::vector<double>(count)});
  RIZOMA_TRY(engine.for_blocks(level.size(), kGrain, [&](VertexRange block, unsigned thread) {
    for (auto v = static_cast<Vertex>(block.begin); v < block.end; ++v) {
      double sum = 0;
      level.for_each_entry(v, [&](Vertex w, double weight) { sum += labels[w] == labels[v] ? 0 : weight; });
      partial[thread].value[labels[v]] += sum;
      if (lists_read) (*lists_read)[thread].add(v, level.lists[v].size);
    }
  }));
  std::vector<double> sums(count);
  for (const auto& of_thread : partial) {
    for (Vertex c = 0; c < count; ++c) sums[c] += of_thread.value[c];
  }
  return sums;
}

Result<std::vector<Vertex>> checked(const GraphView& graph, std::span<const std::uint64_t> labels) {
  const VertexId n = graph.num_vertices();
  const auto refuse = [](std::string what) { return Error{ErrorCode::invalid_argument, std::move(what)}; };
  RIZOMA_TRY(check_one_each(graph, labels.size(), "the partition", "partition_quality"));
  std::vector<Vertex> found(n);
  for (VertexId v = 0; v < n; ++v) {
    if (!graph.is_live(v)) continue;
    if (labels[v] >= n) {
      return refuse("partition_quality: vertex " + std::to_string(v) + " (internal id) has the label " +
                    std::to_string(labels[v]) + "; labels must be below the number of vertices, " + std::to_string(n));
    }
    found[v] = static_cast<Vertex>(labels[v]);
  }
  return found;
}

}  // namespace

Result<PartitionQuality> partition_quality(Engine& engine, const GraphView& graph,
                                           std::span<const std::uint64_t> labels, double resolution, bool use_weights) {
  RIZOMA_TRY(single_process_only(engine, "partition_quality"));
  if (!(resolution >= 0) || std::isinf(resolution))
    return bad_option("partition_quality", "resolution", resolution, "0 or more, and finite");
  RIZOMA_ASSIGN(const QuotientGraph level, QuotientGraph::read(engine, graph, use_weights, "partition_quality"));
  RIZOMA_ASSIGN(const std::vector<Vertex> community, checked(graph, labels));
  PartitionQuality quality;
  if (level.size() == 0) return quality;
  const Vertex count = *std::max_element(community.begin(), community.end()) + 1;
  RIZOMA_ASSIGN(const std::vector<double> cut, crossing(engine, graph, level, community, count));
  std::vector<double> out(count);
  std::vector<double> in(count);
  for (Vertex v = 0; v < level.size(); ++v) {
    out[community[v]] += level.out[v];
    in[community[v]] += level.directed() ? level.in[v] : level.out[v];
  }
  double between = 0;
  double expected = 0;
  for (Vertex c = 0; c < count; ++c) {
    between += level.directed() ? cut[c] / 2 : cut[c];
    if (level.total > 0) expected += (out[c] / level.total) * (in[c] / level.total);
    const double least = std::min(out[c], level.total - out[c]);
    quality.conductance.push_back(least > 0 ? cut[c] / least : std::numeric_limits<double>::quiet_NaN());
  }
  if (!(level.total > 0)) return quality;
  quality.coverage = 1 - between / level.total;
  quality.modularity = quality.coverage - resolution * expected;
  return quality;
}

}  // namespace rizoma
