#include "testing/graph_builder.h"

#include "base/check.h"
#include "base/random.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>

namespace rizoma::testing {
namespace {

bool by_ends(const TestEdge& a, const TestEdge& b) {
  return std::tie(a.source, a.target) < std::tie(b.source, b.target);
}
bool same_ends(const TestEdge& a, const TestEdge& b) { return a.source == b.source && a.target == b.target; }

/// The arrays after an Adjacency.
template <class Target>
struct Storage {
  std::vector<std::vector<std::uint32_t>> offsets;
  std::vector<Target> targets;
  std::vector<std::int32_t> int32_weights;
  std::vector<float> float32_weights;
  std::vector<double> float64_weights;
};

template <class Target>
const void* weights_at(Storage<Target>& storage, WeightType type, std::size_t entry) {
  switch (type) {
    case WeightType::none: return nullptr;
    case WeightType::int32: return storage.int32_weights.data() + entry;
    case WeightType::float32: return storage.float32_weights.data() + entry;
    case WeightType::float64: return storage.float64_weights.data() + entry;
  }
  return nullptr;
}

template <class Target>
void append(Storage<Target>& storage, WeightType type, const TestEdge& edge) {
  storage.targets.push_back(static_cast<Target>(edge.target));
  if (type == WeightType::int32) storage.int32_weights.push_back(static_cast<std::int32_t>(edge.weight));
  if (type == WeightType::float32) storage.float32_weights.push_back(static_cast<float>(edge.weight));
  if (type == WeightType::float64) storage.float64_weights.push_back(edge.weight);
}

/// `entries` sorted by source, then target.
template <class Target>
Adjacency<Target> make_adjacency(VertexId n, const std::vector<TestEdge>& entries, const BuildOptions& options,
                                 Storage<Target>& storage) {
  const VertexId span = VertexId{1} << options.section_bits;
  std::vector<std::size_t> first;
  storage.targets.reserve(entries.size());
  auto entry = entries.begin();
  for (VertexId begin = 0; begin < n; begin += span) {
    first.push_back(storage.targets.size());
    std::vector<std::uint32_t> offsets{0};
    for (VertexId v = begin; v < std::min(begin + span, n); ++v) {
      for (; entry != entries.end() && entry->source == v; ++entry) append(storage, options.weights, *entry);
      offsets.push_back(static_cast<std::uint32_t>(storage.targets.size() - first.back()));
    }
    storage.offsets.push_back(std::move(offsets));
  }
  std::vector<SectionEdges<Target>> sections;
  for (std::size_t s = 0; s < first.size(); ++s) {
    sections.push_back(
        {storage.offsets[s].data(), storage.targets.data() + first[s], weights_at(storage, options.weights, first[s])});
  }
  return Adjacency<Target>(options.section_bits, n, std::move(sections));
}

/// Each edge as the entries that its graph has of it, sorted.
std::vector<TestEdge> to_entries(const std::vector<TestEdge>& edges, const BuildOptions& options) {
  std::vector<TestEdge> entries;
  for (const TestEdge& e : edges) {
    entries.push_back(e);
    if (!options.directed && e.source != e.target) entries.push_back({e.target, e.source, e.weight});
  }
  std::stable_sort(entries.begin(), entries.end(), by_ends);
  if (options.merge) {
    // From the back, so that of repeated edges the one given last stays.
    entries.erase(entries.begin(), std::unique(entries.rbegin(), entries.rend(), same_ends).base());
  }
  return entries;
}

template <class Target>
GraphView build(VertexId n, const std::vector<TestEdge>& edges, const BuildOptions& options) {
  struct Both {
    Storage<Target> out;
    Storage<Target> in;
  };
  const auto storage = std::make_shared<Both>();
  const std::vector<TestEdge> entries = to_entries(edges, options);
  GraphView::Parts parts;
  parts.directed = options.directed;
  parts.weight_type = options.weights;
  parts.num_entries = entries.size();
  parts.num_self_loops = static_cast<EdgeCount>(
      std::count_if(entries.begin(), entries.end(), [](const TestEdge& e) { return e.source == e.target; }));
  parts.may_have_parallel_edges = !options.merge;
  parts.ordered_by_degree = options.by_degree;
  parts.out = make_adjacency<Target>(n, entries, options, storage->out);
  if (options.directed && options.in_edges) {
    std::vector<TestEdge> turned = entries;
    for (TestEdge& e : turned) std::swap(e.source, e.target);
    std::stable_sort(turned.begin(), turned.end(), by_ends);
    parts.in = make_adjacency<Target>(n, turned, options, storage->in);
  }
  if (!options.removed.empty()) {
    parts.removed = VertexSet(n);
    for (const VertexId v : options.removed) parts.removed.add(v);
  }
  parts.owner = storage;
  return GraphView(std::move(parts));
}

}  // namespace

GraphView build_graph(VertexId n, std::vector<TestEdge> edges, const BuildOptions& options) {
  for (const TestEdge& e : edges) n = std::max({n, e.source + 1, e.target + 1});
  const auto is_removed = [&](VertexId v) {
    return std::find(options.removed.begin(), options.removed.end(), v) != options.removed.end();
  };
  if (!options.removed.empty()) {
    RIZOMA_CHECK(!options.by_degree);  // the holes are given by number
    std::erase_if(edges, [&](const TestEdge& e) { return is_removed(e.source) || is_removed(e.target); });
  }
  if (options.by_degree) {
    const std::vector<VertexId> order = degree_order(n, edges);
    for (TestEdge& e : edges) e = {order[e.source], order[e.target], e.weight};
  }
  return options.wide ? build<std::uint64_t>(n, edges, options) : build<std::uint32_t>(n, edges, options);
}

GraphView build_graph(VertexId n, const std::vector<std::pair<VertexId, VertexId>>& edges,
                      const BuildOptions& options) {
  std::vector<TestEdge> weighted;
  for (const auto& [u, v] : edges) weighted.push_back({u, v, 1});
  return build_graph(n, std::move(weighted), options);
}

std::vector<VertexId> degree_order(VertexId n, const std::vector<TestEdge>& edges) {
  std::vector<EdgeCount> degree(n);
  for (const TestEdge& e : edges) {
    ++degree[e.source];
    ++degree[e.target];
  }
  std::vector<VertexId> by_rank(n);
  std::iota(by_rank.begin(), by_rank.end(), VertexId{0});
  std::stable_sort(by_rank.begin(), by_rank.end(), [&](VertexId a, VertexId b) { return degree[a] > degree[b]; });
  std::vector<VertexId> order(n);
  for (VertexId rank = 0; rank < n; ++rank) order[by_rank[rank]] = rank;
  return order;
}

std::vector<TestEdge> entries_of(const GraphView& graph) {
  std::vector<TestEdge> entries;
  graph.with_out([&](const auto& out) {
    for (VertexId v = 0; v < out.num_vertices(); ++v) {
      const auto targets = out.neighbors(v);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        double weight = 1;
        if (graph.weight_type() == WeightType::int32) weight = out.template weights<std::int32_t>(v)[i];
        if (graph.weight_type() == WeightType::float32) weight = out.template weights<float>(v)[i];
        if (graph.weight_type() == WeightType::float64) weight = out.template weights<double>(v)[i];
        entries.push_back({v, targets[i], weight});
      }
    }
  });
  return entries;
}

std::vector<TestEdge> uniform_edges(VertexId n, std::size_t m, std::uint64_t seed) {
  Random random(seed);
  std::vector<TestEdge> edges(m);
  for (TestEdge& e : edges) {
    e.source = random.below(n);
    e.target = random.below(n);
    e.weight = static_cast<double>(1 + random.below(255));
  }
  return edges;
}

std::vector<TestEdge> rmat_edges(unsigned scale, std::size_t m, std::uint64_t seed) {
  Random random(seed);
  std::vector<TestEdge> edges(m);
  for (TestEdge& e : edges) {
    for (unsigned bit = 0; bit < scale; ++bit) {
      const double r = random.unit();
      e.source = 2 * e.source + (r >= 0.76 ? 1 : 0);
      e.target = 2 * e.target + (r >= 0.95 || (r >= 0.57 && r < 0.76) ? 1 : 0);
    }
    e.weight = static_cast<double>(1 + random.below(255));
  }
  return edges;
}

std::vector<TestEdge> grid_edges(VertexId rows, VertexId columns) {
  std::vector<TestEdge> edges;
  for (VertexId r = 0; r < rows; ++r) {
    for (VertexId c = 0; c < columns; ++c) {
      const VertexId v = r * columns + c;
      if (c + 1 < columns) edges.push_back({v, v + 1, 1});
      if (r + 1 < rows) edges.push_back({v, v + columns, 1});
    }
  }
  return edges;
}

std::vector<TestEdge> path_edges(VertexId n) { return grid_edges(1, n); }

std::vector<TestEdge> star_edges(VertexId n) {
  std::vector<TestEdge> edges;
  for (VertexId v = 1; v < n; ++v) edges.push_back({0, v, 1});
  return edges;
}

}  // namespace rizoma::testing
