#include <rizoma/csr_graph.h>

#include "base/check.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr unsigned kSectionBits = 32;  // the whole graph is one section

/// Lists of one direction, in memory of their own.
struct Lists {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> targets;
  std::vector<double> weights;

  [[nodiscard]] VertexId size() const noexcept { return offsets.size() - 1; }
};

/// What a view made here keeps alive.
struct Owner {
  Lists out;
  Lists in;
};

Error invalid(std::string message) { return {ErrorCode::invalid_argument, "CSR arrays: " + std::move(message)}; }

Result<Lists> copy(const CsrArrays& arrays) {
  const auto& [offsets, targets, weights] = arrays;
  if (offsets.empty() || offsets.front() != 0) return invalid("offsets must begin with 0");
  if (!std::is_sorted(offsets.begin(), offsets.end())) return invalid("offsets fall");
  if (offsets.back() != targets.size()) {
    return invalid("offsets end with " + std::to_string(offsets.back()) + ", but there are " + std::to_string(targets.size()) + " targets");
  }
  if (!weights.empty() && weights.size() != targets.size()) {
    return invalid("there are " + std::to_string(weights.size()) + " weights, but " + std::to_string(targets.size()) + " targets");
  }
  const auto greatest = std::max_element(targets.begin(), targets.end());
  if (greatest != targets.end() && *greatest >= offsets.size() - 1) {
    return invalid("target " + std::to_string(*greatest) + " is none of the " + std::to_string(offsets.size() - 1) + " vertices");
  }
  return Lists{{offsets.begin(), offsets.end()}, {targets.begin(), targets.end()}, {weights.begin(), weights.end()}};
}

/// The lists of the other direction, each sorted; what is parallel stays in the order of the entries.
Lists transpose(const Lists& lists) {
  Lists other;
  other.offsets.resize(lists.offsets.size() + 1);
  for (const std::uint32_t target : lists.targets) ++other.offsets[target + 2];
  for (std::size_t v = 2; v < other.offsets.size(); ++v) other.offsets[v] += other.offsets[v - 1];
  other.targets.resize(lists.targets.size());
  other.weights.resize(lists.weights.size());
  for (VertexId u = 0; u < lists.size(); ++u) {
    for (std::uint32_t i = lists.offsets[u]; i < lists.offsets[u + 1]; ++i) {
      const std::uint32_t place = other.offsets[lists.targets[i] + 1]++;  // afterwards the begin of the next list
      other.targets[place] = static_cast<std::uint32_t>(u);
      if (!lists.weights.empty()) other.weights[place] = lists.weights[i];
    }
  }
  other.offsets.pop_back();
  return other;
}

Adjacency<std::uint32_t> adjacency_of(const Lists& lists) {
  std::vector<SectionEdges<std::uint32_t>> sections;
  if (lists.size() > 0) {
    sections.push_back({lists.offsets.data(), lists.targets.data(), lists.weights.empty() ? nullptr : lists.weights.data()});
  }
  return {kSectionBits, lists.size(), std::move(sections)};
}

EdgeCount count_self_loops(const Lists& lists) {
  EdgeCount loops = 0;
  for (VertexId v = 0; v < lists.size(); ++v) {
    loops += static_cast<EdgeCount>(std::count(lists.targets.begin() + lists.offsets[v], lists.targets.begin() + lists.offsets[v + 1], v));
  }
  return loops;
}

GraphView view_of(std::shared_ptr<Owner> owner, const CsrOptions& options) {
  GraphView::Parts parts;
  parts.directed = options.directed;
  parts.weight_type = owner->out.weights.empty() ? WeightType::none : WeightType::float64;
  parts.out = adjacency_of(owner->out);
  if (options.directed && options.in_edges) parts.in = adjacency_of(owner->in);
  parts.num_entries = owner->out.targets.size();
  parts.num_self_loops = count_self_loops(owner->out);
  parts.may_have_parallel_edges = options.parallel_edges;
  parts.sorted = options.sort;
  parts.owner = std::move(owner);
  return GraphView(std::move(parts));
}

}  // namespace

Result<GraphView> view_of_csr(const CsrArrays& out, const CsrOptions& options) {
  auto owner = std::make_shared<Owner>();
  RIZOMA_ASSIGN(owner->out, copy(out));
  const bool transposes = options.sort || (options.directed && options.in_edges);
  if (transposes) owner->in = transpose(owner->out);
  if (!options.directed && transposes) {
    if (owner->in.offsets != owner->out.offsets) return invalid("an undirected graph needs both entries of each edge");
    owner->out = std::exchange(owner->in, {});
  } else if (options.sort) {
    owner->out = transpose(owner->in);
  }
  return view_of(std::move(owner), options);
}

Result<GraphView> view_of_csr(const CsrArrays& out, const CsrArrays& in, bool parallel_edges) {
  auto owner = std::make_shared<Owner>();
  RIZOMA_ASSIGN(owner->out, copy(out));
  RIZOMA_ASSIGN(owner->in, copy(in));
  if (owner->in.size() != owner->out.size() || owner->in.targets.size() != owner->out.targets.size() ||
      owner->in.weights.empty() != owner->out.weights.empty()) {
    return invalid("out- and in-lists are not of one graph");
  }
  return view_of(std::move(owner), {.directed = true, .sort = false, .parallel_edges = parallel_edges});
}

GraphView reversed(const GraphView& graph) {
  RIZOMA_CHECK(graph.has_in_edges());
  if (!graph.directed()) return graph;
  GraphView::Parts parts = graph.parts();
  std::swap(parts.out, *parts.in);
  return GraphView(std::move(parts));
}

}  // namespace rizoma
