#include <rizoma/algorithms/louvain.h>

#include "algorithms/lists.h"
#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <numeric>
#include <string>

namespace rizoma {
namespace {

using Vertex = std::uint32_t;

/// The graph of one level: between two vertices the weight of both directions; loops are left out, as they
/// stay inside whatever moves.
struct Level {
  std::vector<EdgeCount> offsets{0};
  std::vector<Vertex> targets;
  std::vector<double> weights;
  std::vector<double> out;  ///< weight of all out-edges of a vertex, loops included
  std::vector<double> in;
  [[nodiscard]] Vertex size() const noexcept { return static_cast<Vertex>(out.size()); }
};

/// Adds up weights by community.
class CommunityWeights {
 public:
  explicit CommunityWeights(std::size_t n) : sums_(n), is_touched_(n) {}
  void add(Vertex c, double weight) {
    if (!is_touched_[c]) {
      is_touched_[c] = 1;
      touched_.push_back(c);
    }
    sums_[c] += weight;
  }
  [[nodiscard]] double operator[](Vertex c) const noexcept { return sums_[c]; }
  [[nodiscard]] const std::vector<Vertex>& touched() const noexcept { return touched_; }
  void clear() {
    for (const Vertex c : touched_) {
      sums_[c] = 0;
      is_touched_[c] = 0;
    }
    touched_.clear();
  }

 private:
  std::vector<double> sums_;
  std::vector<std::uint8_t> is_touched_;  ///< a sum of 0 does not tell: weights may be 0
  std::vector<Vertex> touched_;
};

/// The weight of an entry u -> v: an undirected self-loop has one entry, but two ends.
double counted(const GraphView& graph, VertexId u, VertexId v, double weight) {
  return u == v && !graph.directed() ? 2 * weight : weight;
}

/// Multiplies by a power of two that brings the greatest weight of a graph near 1, in two steps, each of which is a
/// normal number.  It changes no digit of a weight unless that is smaller than the greatest by 300 decimal places.
struct Scale {
  double half = 1;
  double other_half = 1;
  [[nodiscard]] double operator()(double weight) const noexcept { return weight * half * other_half; }
};

Result<Scale> scale_of(Engine& engine, const GraphView& graph, WeightType type, const char* who) {
  if (type == WeightType::none) return Scale{};
  SerialWatch watch(engine, who, graph.num_vertices());
  double greatest = 0;
  Status seen = graph.with_out([&](const auto& lists) -> Status {
    for (VertexId u = 0; u < graph.num_vertices(); ++u) {
      RIZOMA_TRY(watch.step());
      for_each_edge(lists, type, u, [&](auto, double weight) { greatest = std::max(greatest, std::abs(weight)); });
    }
    return {};
  });
  if (!seen) return std::move(seen).error();
  if (greatest == 0 || std::isinf(greatest)) return Scale{};
  const int exponent = -std::ilogb(greatest);
  return Scale{std::ldexp(1.0, exponent / 2), std::ldexp(1.0, exponent - exponent / 2)};
}

/// Weights that the first level is made of.
template <class Target>
Result<Level> first_level(Engine& engine, const GraphView& graph, WeightType type, const Scale& scale,
                          const Adjacency<Target>& out, const Adjacency<Target>& in) {
  const VertexId n = graph.num_vertices();
  Level level;
  level.out.resize(n);
  level.in.resize(n);
  SerialWatch watch(engine, "louvain", n);
  const double both = graph.directed() ? 1 : 2;
  for (VertexId u = 0; u < n; ++u) {
    RIZOMA_TRY(watch.step());
    bool good = true;
    const auto take = [&](Target v, double weight) {
      good = good && weight >= 0 && weight <= std::numeric_limits<double>::max();
      if (v == u) return;
      level.targets.push_back(static_cast<Vertex>(v));
      level.weights.push_back(both * weight);
    };
    for_each_edge(out, type, u, [&](Target v, double given) {
      const double weight = counted(graph, u, v, scale(given));
      take(v, weight);
      level.out[u] += weight;
      level.in[v] += weight;
    });
    if (graph.directed()) for_each_edge(in, type, u, [&](Target v, double given) { take(v, scale(given)); });
    if (!good)
      return Error{ErrorCode::invalid_argument, "louvain: an edge of vertex " + std::to_string(u) +
                                                    " (inner number) has a negative or infinite weight, or NaN"};
    level.offsets.push_back(level.targets.size());
  }
  return level;
}

/// Moves the vertices of one level between communities.
class Moving {
 public:
  Moving(const Level& level, double total, double resolution)
      : level_(level),
        scale_(resolution / total),
        community_(level.size()),
        out_(level.out),
        in_(level.in),
        sums_(level.size()) {
    std::iota(community_.begin(), community_.end(), Vertex{0});
  }

  /// Returns the gain, in units of weight.  Each move raises the modularity, so that no state comes twice, but for what
  /// rounding pretends: hence the bound on visits, which other graphs stay far below.
  Result<double> run(Engine& engine, Random& random) {
    std::vector<Vertex> order(level_.size());
    std::iota(order.begin(), order.end(), Vertex{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::deque<Vertex> queue(order.begin(), order.end());
    std::vector<bool> queued(level_.size(), true);
    SerialWatch watch(engine, "louvain", level_.size());
    double gain = 0;
    for (std::uint64_t left = kMostVisits * level_.size(); left > 0 && !queue.empty(); --left) {
      RIZOMA_TRY(watch.step());
      const Vertex v = queue.front();
      queue.pop_front();
      queued[v] = false;
      const double gained = move(v);
      if (gained == 0) continue;
      gain += gained;
      for (EdgeCount i = level_.offsets[v]; i < level_.offsets[v + 1]; ++i) {
        const Vertex w = level_.targets[i];
        if (community_[w] == community_[v] || queued[w]) continue;
        queued[w] = true;
        queue.push_back(w);
      }
    }
    return gain;
  }

  [[nodiscard]] const std::vector<Vertex>& communities() const noexcept { return community_; }

 private:
  /// Puts v where it gains most; returns by how much that is better than where it was, or 0.
  double move(Vertex v) {
    for (EdgeCount i = level_.offsets[v]; i < level_.offsets[v + 1]; ++i)
      sums_.add(community_[level_.targets[i]], level_.weights[i]);
    const Vertex old = community_[v];
    out_[old] -= level_.out[v];
    in_[old] -= level_.in[v];
    const double before = worth(v, old);
    Vertex best = old;
    double most = before + kLeastGain * (level_.out[v] + level_.in[v]);
    for (const Vertex c : sums_.touched()) {
      const double worth_of_c = worth(v, c);
      if (worth_of_c <= most) continue;
      best = c;
      most = worth_of_c;
    }
    sums_.clear();
    out_[best] += level_.out[v];
    in_[best] += level_.in[v];
    community_[v] = best;
    return best == old ? 0 : most - before;
  }

  [[nodiscard]] double worth(Vertex v, Vertex c) const {
    return sums_[c] - scale_ * (level_.out[v] * in_[c] + level_.in[v] * out_[c]);
  }

  static constexpr double kLeastGain = 1e-12;         // of a vertex's weight: what rounding may pretend
  static constexpr std::uint64_t kMostVisits = 1000;  // of a vertex, on average
  const Level& level_;
  double scale_;
  std::vector<Vertex> community_;
  std::vector<double> out_;  ///< of each community
  std::vector<double> in_;
  CommunityWeights sums_;
};

/// Numbers communities 0.. as they come up; returns how many there are.
Vertex renumber(std::vector<Vertex>& communities) {
  constexpr Vertex kNone = std::numeric_limits<Vertex>::max();
  std::vector<Vertex> number(communities.size(), kNone);
  Vertex count = 0;
  for (Vertex& c : communities) {
    if (number[c] == kNone) number[c] = count++;
    c = number[c];
  }
  return count;
}

/// The graph whose vertices are the communities.
Level aggregate(const Level& level, const std::vector<Vertex>& communities, Vertex count) {
  std::vector<Vertex> first(count + 1);
  for (const Vertex c : communities) ++first[c + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Vertex> members(communities.size());
  std::vector<Vertex> next(first.begin(), first.end() - 1);
  for (Vertex v = 0; v < level.size(); ++v) members[next[communities[v]]++] = v;
  Level coarse;
  coarse.out.resize(count);
  coarse.in.resize(count);
  CommunityWeights sums(count);
  for (Vertex c = 0; c < count; ++c) {
    for (Vertex m = first[c]; m < first[c + 1]; ++m) {
      const Vertex v = members[m];
      coarse.out[c] += level.out[v];
      coarse.in[c] += level.in[v];
      for (EdgeCount i = level.offsets[v]; i < level.offsets[v + 1]; ++i)
        sums.add(communities[level.targets[i]], level.weights[i]);
    }
    for (const Vertex d : sums.touched()) {
      if (d == c) continue;
      coarse.targets.push_back(d);
      coarse.weights.push_back(sums[d]);
    }
    sums.clear();
    coarse.offsets.push_back(coarse.targets.size());
  }
  return coarse;
}

/// All levels; labels of the vertices of the graph.
Status run_levels(Engine& engine, Level level, const LouvainOptions& options, LouvainResult& result) {
  const double total = std::accumulate(level.out.begin(), level.out.end(), 0.0);
  Random random(options.seed);
  for (bool goes_on = total > 0; goes_on && result.levels != options.max_level;) {
    Moving moving(level, total, options.resolution);
    RIZOMA_ASSIGN(const double gain, moving.run(engine, random));
    if (gain <= 0) break;
    std::vector<Vertex> communities = moving.communities();
    const Vertex count = renumber(communities);
    for (std::uint64_t& label : result.labels.span()) {
      if (label != kNoVertex) label = communities[label];
    }
    ++result.levels;
    goes_on = gain / total > options.threshold;
    level = aggregate(level, communities, count);
  }
  return {};
}

/// Labels 0.. by first vertex; counts them.
void finish_labels(LouvainResult& result) {
  std::vector<std::uint64_t> number(result.labels.size(), kNoVertex);
  for (std::uint64_t& label : result.labels.span()) {
    if (label == kNoVertex) continue;
    if (number[label] == kNoVertex) number[label] = result.count++;
    label = number[label];
  }
}

}  // namespace

Result<double> modularity(Engine& engine, const GraphView& graph, std::span<const std::uint64_t> labels,
                          double resolution, bool use_weights) {
  const VertexId n = graph.num_vertices();
  if (labels.size() != n) return Error{ErrorCode::invalid_argument, "modularity: one label for each vertex is needed"};
  for (VertexId v = 0; v < n; ++v) {
    if (labels[v] >= n && graph.is_live(v)) {
      return Error{ErrorCode::invalid_argument, "modularity: the label of vertex " + std::to_string(v) +
                                                    " (inner number) is not below the number of vertices"};
    }
  }
  const WeightType type = use_weights ? graph.weight_type() : WeightType::none;
  RIZOMA_ASSIGN(const Scale scale, scale_of(engine, graph, type, "modularity"));
  std::vector<double> out(n);
  std::vector<double> in(n);
  double inside = 0;
  RIZOMA_TRY(engine.report("modularity", 0, 1));
  graph.with_out([&](const auto& lists) {
    for (VertexId u = 0; u < n; ++u) {
      for_each_edge(lists, type, u, [&](auto v, double given) {
        const double weight = counted(graph, u, v, scale(given));
        out[labels[u]] += weight;
        in[labels[v]] += weight;
        if (labels[u] == labels[v]) inside += weight;
      });
    }
  });
  const double total = std::accumulate(out.begin(), out.end(), 0.0);
  if (!(total > 0)) return 0.0;
  return inside / total - resolution * std::inner_product(out.begin(), out.end(), in.begin(), 0.0) / (total * total);
}

Result<LouvainResult> louvain(Engine& engine, const GraphView& graph, const LouvainOptions& options) {
  if (!(options.resolution >= 0) || !(options.threshold >= 0) || std::isinf(options.resolution)) {
    return Error{ErrorCode::invalid_argument, "louvain: resolution and threshold must be 0 or more, and finite"};
  }
  if (graph.num_vertices() >= std::numeric_limits<Vertex>::max())
    return Error{ErrorCode::unsupported, "louvain: 2^32 vertices or more"};
  RIZOMA_TRY(check_direction(graph, Direction::in, "louvain"));
  LouvainResult result;
  result.labels = engine.make_map<std::uint64_t>(graph.num_vertices(), kNoVertex);
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (graph.is_live(v)) result.labels[v] = v;
  }
  const WeightType type = options.use_weights ? graph.weight_type() : WeightType::none;
  RIZOMA_ASSIGN(const Scale scale, scale_of(engine, graph, type, "louvain"));
  RIZOMA_ASSIGN(Level level, graph.with_both([&](const auto& out, const auto& in) {
    return first_level(engine, graph, type, scale, out, in);
  }));
  RIZOMA_TRY(run_levels(engine, std::move(level), options, result));
  finish_labels(result);
  RIZOMA_ASSIGN(result.modularity,
                modularity(engine, graph, result.labels.span(), options.resolution, options.use_weights));
  return result;
}

}  // namespace rizoma
