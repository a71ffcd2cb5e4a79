#include "query/distributed/fetch_estimate.h"

#include "query/distributed/access_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rizoma::query {
namespace {

/// How often each vertex is a candidate of each step of a tree.
template <class Target>
class Visits {
 public:
  Visits(const GraphView& graph, const Query& query, const Tree& tree)
      : graph_(graph), query_(query), lists_(graph), of_(query.vertices) {
    std::vector<float>& roots = of_[tree.item];
    roots.assign(size(), 0);
    if (tree.root->anchored) {
      for (const VertexId v : *query.anchors[tree.item]) roots[v] = 1;
    } else {
      for (VertexId v = 0; v < size(); ++v) roots[v] = graph.is_live(v) ? 1 : 0;
    }
  }

  void add(const Step& step) {
    std::vector<float> least(size(), step.lists.empty() ? 1 : 0);
    for (std::size_t i = 0; i < step.lists.size(); ++i) {
      std::vector<float> some = reached(step, step.lists[i]);
      if (i == 0) least = std::move(some);
      else
        std::transform(least.begin(), least.end(), some.begin(), least.begin(),
                       [](float a, float b) { return std::min(a, b); });
    }
    if (const VertexSet* const members = query_.filter_of(step.item)) {
      for (VertexId v = 0; v < size(); ++v) least[v] = members->contains(v) ? least[v] : 0;
    }
    of_[step.item] = std::move(least);
  }

  [[nodiscard]] const std::vector<float>& of(unsigned item) const { return of_[item]; }

 private:
  [[nodiscard]] VertexId size() const noexcept { return graph_.num_vertices(); }

  std::vector<float> reached(const Step& step, const ListUse& use) {
    const auto has = [&](const std::vector<unsigned>& items) {
      return std::find(items.begin(), items.end(), use.other) != items.end();
    };
    const bool above = has(step.above);
    const bool below = has(step.below);
    const std::vector<float>& from = of_[use.other];
    std::vector<float> found(size(), 0);
    for (VertexId u = 0; u < size(); ++u) {
      if (from[u] == 0) continue;
      for (const Target v : lists_.of(use.side, u, scratch_)) {
        if ((!above || v > u) && (!below || v < u)) found[v] += from[u];
      }
    }
    return found;
  }

  const GraphView& graph_;
  const Query& query_;
  Lists<Target> lists_;
  std::vector<std::vector<float>> of_;
  std::vector<Target> scratch_;
};

}  // namespace

template <class Target>
void FetchEstimator::add_tree(const Query& query, const Step& root) {
  const Tree tree{root.item, &root, root.branches, {}};
  const std::vector<AccessSet> reads = access_of(graph_, query, tree);
  Visits<Target> visits(graph_, query, tree);
  const auto note = [&](unsigned item) {
    if (reads[item].out) readings_.push_back({false, visits.of(item)});
    if (reads[item].in) readings_.push_back({true, visits.of(item)});
  };
  note(root.item);
  for_each_below(tree, [&](const Step& step) {
    if (step.is_edge || !reads[step.item].any()) return;
    visits.add(step);
    note(step.item);
  });
}

void FetchEstimator::add(const Query& query, const Plan& plan) {
  graph_.with_out([&]<class Target>(const Adjacency<Target>&) {
    for (const Step& root : plan.roots) add_tree<Target>(query, root);
  });
}

FetchEstimate FetchEstimator::of(unsigned ranks, double held) const {
  FetchEstimate estimate{ranks, 0, 0};
  const double rest = std::log1p(-1.0 / std::max(ranks, 2u));
  graph_.with_out([&]<class Target>(const Adjacency<Target>&) {
    const Lists<Target> lists(graph_);
    for (const bool in : {false, true}) {
      std::vector<double> times(graph_.num_vertices(), 0);
      for (const Reading& reading : readings_) {
        if (reading.in == in) {
          std::transform(times.begin(), times.end(), reading.times.begin(), times.begin(),
                         [](double a, float b) { return a + static_cast<double>(b); });
        }
      }
      for (VertexId v = 0; v < times.size(); ++v) {
        if (times[v] == 0) continue;
        const double chance = (ranks < 2 ? 1 : -std::expm1(times[v] * rest)) * (1 - held);
        estimate.lists += chance;
        estimate.bytes += chance * static_cast<double>(lists.degree(in ? Side::in : Side::out, v) * sizeof(Target));
      }
    }
  });
  return estimate;
}

}  // namespace rizoma::query
