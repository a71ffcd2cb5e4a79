#include "query/plan/explain.h"

#include "base/random.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace rizoma::query {
namespace {

constexpr VertexId kStratum = 256;  // vertices sampled of each stratum

template <class Target>
class Walker {
 public:
  Walker(const Run& run, std::vector<double>& found) : run_(run), matcher_(run), random_(1), found_(found) {}

  /// Matches of a tree, by walks from sampled roots.
  double matches_of(const Step& root) {
    double sum = 0;
    const auto sample = [&](VertexId begin, VertexId end, const auto& vertex_at) {
      const VertexId samples = std::min(kStratum, end - begin);
      const double each = static_cast<double>(end - begin) / static_cast<double>(samples);
      for (VertexId i = 0; i < samples; ++i) {
        const VertexId place = samples == end - begin ? begin + i : begin + random_.below(end - begin);
        sum += from(root, vertex_at(place), each);
      }
    };
    if (root.anchored) {
      const std::vector<VertexId>& anchors = *run_.query.anchors[root.item];
      if (!anchors.empty()) sample(0, anchors.size(), [&](VertexId place) { return anchors[place]; });
      return sum;
    }
    const VertexId n = run_.graph.num_vertices();
    for (VertexId begin = 0; begin < n;) {
      const VertexId end = std::min(n, begin == 0 ? kStratum : 2 * begin);
      sample(begin, end, [](VertexId place) { return place; });
      begin = end;
    }
    return sum;
  }

 private:
  double from(const Step& root, VertexId v, double weight) {
    if (!run_.graph.is_live(v)) return 0;
    found_[root.number] += weight;
    return weight * below(root, v, weight);
  }

  /// Estimated matches of the branches of a step once v is matched; `weight`: how many partial matches this one is.
  double below(const Step& step, VertexId v, double weight) {
    const auto ways = static_cast<double>(matcher_.ways(step, v).value());
    if (ways == 0) return 0;
    matcher_.match(step.item, v);
    return ways * branches(step, weight * ways);
  }

  double branches(const Step& step, double weight) {
    double product = 1;
    for (const Step& branch : step.branches) {
      product *= std::pow(walk(branch, weight), branch.power);
      if (product == 0) break;
    }
    return product;
  }

  double walk(const Step& step, double weight) {
    if (step.is_edge) return walk_edges(step, weight);
    if (!step.wedges.empty()) return walk_met(step, weight);
    std::vector<VertexId> candidates;
    if (!step.lists.empty()) {
      const auto list = matcher_.candidates(step);
      candidates.assign(list.begin(), list.end());
    } else if (step.anchored) {
      candidates = *run_.query.anchors[step.item];
    } else {
      const VertexRange range = matcher_.bounds(step);
      if (range.empty()) return 0;
      const auto size = static_cast<double>(range.size());
      found_[step.number] += weight * size;
      return size * below(step, range.begin + random_.below(range.size()), weight * size);
    }
    if (candidates.empty()) return 0;
    const auto size = static_cast<double>(candidates.size());
    found_[step.number] += weight * size;
    return size * below(step, candidates[random_.below(candidates.size())], weight * size);
  }

  double walk_met(const Step& step, double weight) {
    const auto& met = matcher_.join_wedges(step);
    if (met.empty()) return 0;
    const auto size = static_cast<double>(met.size());
    found_[step.number] += weight * size;
    const auto [v, ways] = met[random_.below(met.size())];
    const auto each = static_cast<double>(ways.value());
    return size * each * below(step, v, weight * size);
  }

  double walk_edges(const Step& step, double weight) {
    std::vector<EdgeEntry> entries;
    matcher_.for_each_edge(step, [&](EdgeEntry entry) { entries.push_back(entry); });
    if (entries.empty()) return 0;
    const auto size = static_cast<double>(entries.size());
    found_[step.number] += weight * size;
    matcher_.match_edge(step.item, entries[random_.below(entries.size())]);
    return size * branches(step, weight * size);
  }

  const Run& run_;
  Matcher<Target> matcher_;
  Random random_;
  std::vector<double>& found_;
};

/// A number as people read it.
std::string shown(double number) {
  if (number < 1e6) return std::to_string(static_cast<std::uint64_t>(std::llround(number)));
  const double digits = std::pow(10, std::floor(std::log10(number)) - 2);
  return to_text(std::round(number / digits) * digits);
}

class Describer {
 public:
  explicit Describer(const Explained& explained, const Estimate& estimate)
      : explained_(explained), estimate_(estimate) {}

  std::string run() {
    const Query& query = explained_.query;
    double matches = estimate_.matches * static_cast<double>(query.times);
    text_ = "about " + shown(matches) + " matches";
    if (explained_.counted) text_ += ", " + std::to_string(explained_.counted->matches * query.times) + " counted";
    if (query.times > 1) text_ += " (each found stands for " + std::to_string(query.times) + ")";
    if (explained_.cliques) text_ += ", as cliques are counted";
    text_ += "\n";
    for (const Step& root : explained_.plan.roots) add(root, 1);
    return std::move(text_);
  }

 private:
  void add(const Step& step, unsigned depth) {
    text_ += std::string(2 * depth, ' ') + what(step);
    text_ += ": about " + shown(estimate_.candidates[step.number]);
    if (explained_.counted)
      text_ += ", " + std::to_string(explained_.counted->tallies[step.number].candidates) + " seen";
    text_ += "\n";
    for (const Step& branch : step.branches) add(branch, depth + 1);
  }

  [[nodiscard]] std::string name(unsigned v) const { return explained_.names[v]; }

  std::string what(const Step& step) const {
    if (step.is_edge) {
      const QueryEdge& edge = explained_.query.edges[step.edge];
      return "each edge of " + name(edge.from) + " and " + name(edge.to) + tests(step);
    }
    std::string text = name(step.item);
    const auto kept = step.anchored || step.member ? explained_.query.kept_of(step.item) : std::nullopt;
    if (kept) text += ", of " + std::to_string(*kept) + " by its predicates";
    else if (!step.wedges.empty()) text += where_paths_meet(step);
    else if (step.lists.empty()) text += step.anchored ? ", of the vertices given" : ", any vertex";
    for (std::size_t i = 0; i < step.lists.size(); ++i) {
      const ListUse& use = step.lists[i];
      const char* const kind = !explained_.graph.directed() ? "neighbours of "
                               : use.side == Side::out      ? "targets of "
                               : use.side == Side::in       ? "sources of "
                                                            : "neighbours of ";
      text += (i == 0 ? " in " : " and ") + std::string(kind) + name(use.other);
      if (use.set == 0) continue;
      const GraphView& set = explained_.query.filtered_edges[use.set - 1]->lists;
      text += " by " + std::to_string(set.num_edges()) + " edges that predicates keep";
    }
    return text + tests(step);
  }

  std::string where_paths_meet(const Step& step) const {
    std::string text;
    for (const Wedges& kind : step.wedges) {
      for (const unsigned middle : kind.items) text += (text.empty() ? "" : " and ") + name(middle);
    }
    return " where paths from " + name(step.wedges[0].first.other) + " by " + text + " meet";
  }

  std::string tests(const Step& step) const {
    std::string text;
    for (const unsigned other : step.above) text += ", above " + name(other);
    for (const unsigned other : step.below) text += ", below " + name(other);
    if (!step.is_edge) {
      for (const unsigned other : step.unequal) text += ", not " + name(other);
    }
    if (!step.probes.empty()) text += ", with " + std::to_string(step.probes.size()) + " edges looked up";
    if (!step.loops.empty()) text += ", with a self-loop";
    if (!step.absent.empty()) text += ", without " + std::to_string(step.absent.size()) + " edges";
    if (!step.shortest.empty()) text += ", with " + std::to_string(step.shortest.size()) + " shortest paths";
    if (!step.filters.empty()) text += ", with " + std::to_string(step.filters.size()) + " predicates";
    if (step.anchored && !step.lists.empty() && !explained_.query.kept_of(step.item)) text += ", of those given";
    if (step.memoized) text += ", computed once for each vertex above";
    if (step.power > 1) text += ", to the power of " + std::to_string(step.power);
    return text;
  }

  const Explained& explained_;
  const Estimate& estimate_;
  std::string text_;
};

}  // namespace

std::vector<std::string> names_of(const Query& query, const BoundPattern& bound) {
  std::vector<std::string> names(query.vertices);
  for (std::size_t i = 0; i < query.vertex_of_name.size(); ++i) {
    std::string& name = names[query.vertex_of_name[i]];
    name += (name.empty() ? "" : "=") + bound.vertex_names[i];
  }
  for (std::size_t v = 0; v < names.size(); ++v) {
    if (names[v].empty()) names[v] = "#" + std::to_string(v + 1);
  }
  return names;
}

Estimate estimate_of(const GraphView& graph, const Query& query, const Plan& plan, const MatchColumns& columns) {
  Estimate estimate;
  estimate.candidates.resize(plan.steps);
  const auto repeating =
      std::make_shared<const RepeatingLists>(RepeatingLists{.possible = graph.may_have_parallel_edges()});
  const Run run{graph, query, plan, columns, repeating, {}};
  graph.with_out([&]<class Target>(const Adjacency<Target>&) {
    Walker<Target> walker(run, estimate.candidates);
    estimate.matches = 1;
    for (const Step& root : plan.roots) estimate.matches *= walker.matches_of(root);
  });
  return estimate;
}

std::string explanation(const Explained& explained, const MatchColumns& columns) {
  const Estimate estimate = estimate_of(explained.graph, explained.query, explained.plan, columns);
  return Describer(explained, estimate).run();
}

}  // namespace rizoma::query
