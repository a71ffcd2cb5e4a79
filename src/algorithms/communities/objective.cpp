#include "algorithms/communities/objective.h"

#include "engine/loop/kernel_arguments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace rizoma::communities {
namespace {

constexpr int kSizeBits = 51;
constexpr double kMostDensity = 0x1p60;  // of whole numbers: more than all edges weigh, for each pair

bool has_sizes(CommunityObjective kind) noexcept {
  return kind == CommunityObjective::rber || kind == CommunityObjective::cpm;
}

double size_of(const GraphView& graph, std::span<const double> given, Vertex v) {
  if (!graph.is_live(v)) return 0;
  return given.empty() ? 1 : given[v];
}

}  // namespace

Objective::Objective(const GraphView& graph, const CommunityOptions& options, Level& level)
    : kind_(options.objective), resolution_(options.resolution) {
  if (!options.fixed.empty()) level.fixed.resize(level.size());
  for (const VertexId v : options.fixed) level.fixed[v] = 1;
  if (!has_sizes(kind_)) {
    level.chance.density = resolution_ / level.total;
    return;
  }
  take_sizes(graph, options.sizes, level);
  const double mass = std::accumulate(level.out.begin(), level.out.end(), 0.0);
  if (mass > 0) level.chance.per_mass = level.total / mass;
  const double density = kind_ == CommunityObjective::cpm ? std::ldexp(resolution_, level.exponent - 2 * size_exponent_)
                                                          : resolution_ * (level.total / std::max(all_pairs_, 1.0));
  level.chance.density = std::min(density, kMostDensity);
}

void Objective::take_sizes(const GraphView& graph, std::span<const double> given, Level& level) {
  const Vertex n = level.size();
  double greatest = 0;
  for (Vertex v = 0; v < n; ++v) greatest = std::max(greatest, size_of(graph, given, v));
  const int near_one = greatest > 0 ? -std::ilogb(greatest) : 0;
  double sum = 0;
  for (Vertex v = 0; v < n; ++v) sum += std::ldexp(size_of(graph, given, v), near_one);
  size_exponent_ = sum > 0 ? near_one + kSizeBits - 1 - std::ilogb(sum) : 0;
  double whole = 0;
  for (Vertex v = 0; v < n; ++v) {
    level.out[v] = std::nearbyint(std::ldexp(size_of(graph, given, v), size_exponent_));
    own_pairs_ += level.out[v] * level.out[v];
    whole += level.out[v];
  }
  if (level.directed()) level.in = level.out;
  all_pairs_ = whole * whole - own_pairs_;
}

Status Objective::measure(Engine& engine, const Level& level, const std::vector<Vertex>& communities, Vertex count,
                          Communities& found) const {
  std::vector<double> out(count);
  std::vector<double> in(level.directed() ? count : 0);
  for (Vertex v = 0; v < level.size(); ++v) {
    out[communities[v]] += level.out[v];
    if (level.directed()) in[communities[v]] += level.in[v];
  }
  RIZOMA_ASSIGN(const double between, level.weight_between(engine, communities));
  const double total = std::ldexp(level.total, -level.exponent);
  if (!has_sizes(kind_)) {
    double expected = 0;
    for (Vertex c = 0; c < count && level.total > 0; ++c)
      expected += (out[c] / level.total) * ((level.directed() ? in[c] : out[c]) / level.total);
    found.modularity = level.total > 0 ? 1 - between / level.total - resolution_ * expected : 0;
    found.quality = kind_ == CommunityObjective::rb ? total * found.modularity : found.modularity;
    return {};
  }
  double pairs = -own_pairs_;
  for (const double mass : out) pairs += mass * mass;
  const double chance = kind_ == CommunityObjective::cpm ? std::ldexp(pairs, -2 * size_exponent_)
                                                         : total * (pairs / std::max(all_pairs_, 1.0));
  found.modularity = std::numeric_limits<double>::quiet_NaN();
  found.quality = std::ldexp(level.total - between, -level.exponent) - resolution_ * chance;
  return {};
}

Status check_sizes(const GraphView& graph, const CommunityOptions& options, std::string_view who) {
  if (options.sizes.empty()) return {};
  if (!has_sizes(options.objective))
    return Error{ErrorCode::invalid_argument,
                 std::string(who) + ": sizes of vertices have a meaning for the objectives cpm and rber"};
  RIZOMA_TRY(check_one_each(graph, options.sizes.size(), "sizes", who));
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (!graph.is_live(v) || (options.sizes[v] >= 0 && std::isfinite(options.sizes[v]))) continue;
    const std::string size = "the size of vertex " + std::to_string(v) + " (internal id)";
    return bad_option(who, size, options.sizes[v], "0 or more, and finite");
  }
  return {};
}

}  // namespace rizoma::communities
